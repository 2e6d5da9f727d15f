package validate

import (
	"bytes"
	"fmt"
	"strings"
)

// Case is one text and the ways to read it.
type Case struct {
	Name    string
	Text    []byte
	Columns []Column
	// Bad are texts that break the schema, by what they break; whatever reads
	// the text with all its checks refuses them.
	Bad map[string][]byte
}

// Column is one way to read a text.
type Column struct {
	Name   string
	Typed  bool // gives a Go value
	Strict bool // holds the text against the whole schema
	Read   func([]byte) error
}

var paramsText = []byte(`{"block":"0x1a2b3c","limit":100,"filter":true,"tags":["one","two","three"],"owner":"somebody"}`)

// recordsText has n records of about 200 bytes.
func recordsText(n int) []byte {
	return list(n, func(b *bytes.Buffer, k int) {
		fmt.Fprintf(b, `{"id":%d,"name":"record %d","hash":"0x%064x","value":%g,"active":%v,"kind":%q,"note":"note of record %d, long enough"}`,
			100000+k, k, k*7919, float64(k)*1.25+0.5, k%2 == 0, []string{"open", "closed", "pending"}[k%3], k)
	})
}

func paymentsText(n int) []byte {
	return list(n, func(b *bytes.Buffer, k int) {
		switch k % 3 {
		case 0:
			fmt.Fprintf(b, `{"type":"card","number":"%016d","amount":%d}`, k*31, k+1)
		case 1:
			fmt.Fprintf(b, `{"type":"transfer","iban":"DE%020d","amount":%d,"reference":"invoice %d"}`, k, k+1, k)
		default:
			fmt.Fprintf(b, `{"type":"voucher","code":"ABCD-%04d","amount":%d}`, k%10000, k+1)
		}
	})
}

func list(n int, item func(*bytes.Buffer, int)) []byte {
	var b bytes.Buffer
	b.WriteString(`{"items":[`)
	for k := range n {
		if k > 0 {
			b.WriteByte(',')
		}
		item(&b, k)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// treeText is a tree of the given depth, four children to a node.
func treeText(depth int) []byte {
	var b strings.Builder
	var node func(depth int)
	node = func(depth int) {
		fmt.Fprintf(&b, `{"name":"node at height %d","size":%d,"children":[`, depth, depth*1000)
		for k := range 4 {
			if depth == 0 {
				break
			}
			if k > 0 {
				b.WriteByte(',')
			}
			node(depth - 1)
		}
		b.WriteString(`]}`)
	}
	node(depth)
	return []byte(b.String())
}

// broken makes bad texts from a good one: what, old, new.
func broken(text []byte, changes ...string) map[string][]byte {
	bad := map[string][]byte{"syntax": text[:len(text)-1]}
	for k := 0; k+2 < len(changes); k += 3 {
		bad[changes[k]] = bytes.Replace(text, []byte(changes[k+1]), []byte(changes[k+2]), 1)
	}
	return bad
}

// Cases returns what is measured.
func Cases() ([]Case, error) {
	list := []Case{
		{"(a) params of 5 fields", paramsText, nil, broken(paramsText,
			"pattern", `"0x1a`, `"1x1a`, "maximum", `:100,`, `:1001,`, "type", `:true`, `:"true"`, "missing", `"block":"0x1a2b3c",`, ``,
			"unknown", `"limit"`, `"x":1,"limit"`, "length", `"two"`, `""`)},
		{"(b) 5,000 records", recordsText(5000), nil, broken(recordsText(3),
			"enum", `"open"`, `"opal"`, "pattern", `"0x00`, `"0y00`, "minimum", `:100001`, `:-1`, "missing", `,"active":true`, ``,
			"unknown", `"active":true`, `"active":true,"x":1`, "type", `"active":true`, `"active":"true"`, "length", `"record 0"`, `""`)},
		{"(c) tree of 1,365 nodes", treeText(5), nil, broken(treeText(2),
			"minimum", `"size":0`, `"size":-1`, "missing", `"size":0,`, ``, "length", `"node at height 1"`, `""`, "type", `[]`, `{}`)},
		{"(d) 5,000 payments of three kinds", paymentsText(5000), nil, broken(paymentsText(3),
			"variant", `"card"`, `"cart"`, "pattern", `"ABCD`, `"abcd`, "minimum", `"amount":1`, `"amount":0`, "missing", `"code":"ABCD-0002",`, ``,
			"unknown", `"code"`, `"reference":"x","code"`)},
	}
	for k, columns := range []func() ([]Column, error){paramsColumns, recordsColumns, treeColumns, paymentsColumns} {
		var err error
		if list[k].Columns, err = columns(); err != nil {
			return nil, fmt.Errorf("%s: %w", list[k].Name, err)
		}
	}
	more, err := recorded()
	return append(list, more...), err
}
