package pin

import (
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

func TestPin(t *testing.T) {
	d := compiled.Digests{Wire: canonical.Digest("test", []byte("w")), Result: canonical.Digest("test", []byte("r"))}
	written := Of(d)
	p, err := Parse(written)
	if err != nil || p != (Pin{d.Wire, d.Result}) || p.String() != written {
		t.Fatalf("Parse(%q) = %v, %v", written, p, err)
	}
	if len(written) != 2+43+1+2+43 {
		t.Errorf("%q has %d bytes", written, len(written))
	}
	w, r, _ := strings.Cut(written, " ")
	for _, bad := range []string{
		"", " ", w, r, r + " " + w, w + "  " + r, w + " " + r + " ", " " + written, w + "\t" + r, w + " " + w,
		written + "=", written + "A", written[:len(written)-1], "W" + written[1:], w + " " + "r:" + r[3:],
		strings.Replace(written, "w:", "w: ", 1), w[:20] + "\n" + w[21:] + " " + r, w[:20] + "\n" + w[20:] + " " + r,
		w[:len(w)-1] + "_ " + r, // bits that mean nothing
		w[:20] + "+" + w[21:] + " " + r, "w:… r:…", d.Wire + " " + d.Result,
	} {
		if p, err := Parse(bad); err == nil {
			t.Errorf("Parse(%q) = %v", bad, p)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Of(compiled.Digests{Wire: canonical.Digest("test"), Result: canonical.Digest("test")}))
	f.Add("w:a r:b")
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := Parse(s); err == nil && p.String() != s {
			t.Fatalf("Parse(%q) is written %q", s, p)
		}
	})
}

// TestGolden keeps the digests of one document: an amendment that was written
// with them must hold for ever.
func TestGolden(t *testing.T) {
	doc := document(`"summary":"s","tags":[{"name":"t"}],"params":[{"name":"p","required":true,"schema":{"$ref":"#/components/schemas/List"}}],
		"result":{"name":"r","schema":{"type":["string","null"],"enum":["b","a",null],"description":"d"}},
		"errors":[{"code":-32000,"message":"gone","data":{"type":"integer","exclusiveMinimum":3}}]`,
		`"List":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/List"},"v":{"type":"number","multipleOf":0.10,"default":1.0}},"required":["v"],"x-a":1}`)
	want := compiled.Digests{
		Wire:   "sha256:357c88f444bbe399522ed6dfdddcffca06b33bc86bc1cc4632e3c69e201e8a5c",
		Result: "sha256:be637baa0b999fd0328cb0feba0793089889c6acb74225604ef53ce98128700d",
		Text:   "sha256:9503c05380ddcf2f84ae5edfcefb9d4e654fa5cf3daa272c1ef3d4f3f5ab5578",
		Doc:    "sha256:8b02eeb1accb1d4130e71110e2d97fe6d9765bac1a169e005bf0fb34af9ee0f4",
	}
	if got := clean(t, doc)[0]; got != want {
		t.Errorf("digests are\n%#v\nand were\n%#v", got, want)
	}
}

func TestYAML(t *testing.T) {
	json := document(`"summary":"s","params":[{"name":"p","required":true,"schema":{"type":["integer","null"],"minimum":1.0,"default":1e3,"enum":[1,2,null]}}],"result":{"name":"r","schema":{"$ref":"#/components/schemas/A"}}`, `"A":{"type":"string","description":"no"}`)
	const yaml = `
openrpc: 1.3.2
info: {version: "1", title: T}
components:
  schemas:
    A: {description: "no", type: string}
methods:
  - name: m
    result: {schema: {$ref: "#/components/schemas/A"}, name: r}
    params:
      - name: p
        schema:
          enum: [null, 2, 1]
          type: ["null", integer]
          default: 1000
          minimum: 1
        required: true
    summary: s
`
	if got := moved(clean(t, json)[0], clean(t, yaml)[0]); got != "" {
		t.Errorf("the same document in YAML moves %q", got)
	}
}

func TestParamOrder(t *testing.T) {
	doc := func(structure, params string) compiled.Digests {
		return clean(t, document(`"paramStructure":"`+structure+`","result":{"name":"r","schema":true},"params":[`+params+`]`, ""))[0]
	}
	const a, b = `{"name":"a","required":true,"schema":{"type":"string"}}`, `{"name":"b","required":true,"schema":{"type":"string"}}`
	for structure, want := range map[string]string{"by-name": "", "by-position": "wire", "either": "wire"} {
		if got := moved(doc(structure, a+","+b), doc(structure, b+","+a)); got != want {
			t.Errorf("%s: two params of one type swapped moved %q, want %q", structure, got, want)
		}
	}
}

// TestWords shows that words count by where they stand, and that a change of
// shape moves none.
func TestWords(t *testing.T) {
	param := func(schema, components string) compiled.Digests { return digests(t, asParam(schema, components))[0] }
	for _, tt := range []struct{ name, from, fromC, to, toC, want string }{
		{"two descriptions swapped", `{"properties":{"a":{"description":"x"},"b":{"description":"y"}}}`, ``,
			`{"properties":{"a":{"description":"y"},"b":{"description":"x"}}}`, ``, "text"},
		{"shape alone", `{"properties":{"a":{"description":"x"}}}`, ``, `{"properties":{"a":{"description":"x"},"b":{"type":"string"}}}`, ``, "wire"},
		{"behind a reference", `{"$ref":"#/components/schemas/A"}`, `"A":{"description":"x"}`, `{"$ref":"#/components/schemas/A"}`, `"A":{"description":"y"}`, "text"},
		{"behind two references", `{"$ref":"#/components/schemas/A"}`, `"A":{"$ref":"#/components/schemas/B"},"B":{"description":"x"}`,
			`{"$ref":"#/components/schemas/A"}`, `"A":{"$ref":"#/components/schemas/B"},"B":{"description":"y"}`, "text"},
		{"on the way", `{"$ref":"#/components/schemas/A"}`, `"A":{"$ref":"#/components/schemas/B","description":"x"},"B":{"type":"string"}`,
			`{"$ref":"#/components/schemas/A"}`, `"A":{"$ref":"#/components/schemas/B","description":"y"},"B":{"type":"string"}`, "text"},
		{"beside a reference", `{"$ref":"#/components/schemas/A","description":"x"}`, `"A":{"description":"z"}`,
			`{"$ref":"#/components/schemas/A","description":"y"}`, `"A":{"description":"z"}`, "text"},
		{"ignored beside a reference", `{"$ref":"#/components/schemas/A"}`, `"A":{"type":"string"}`, `{"$ref":"#/components/schemas/A","minLength":3}`, `"A":{"type":"string"}`, "doc"},
		{"inline or by reference", `{"type":"string","description":"x"}`, ``, `{"$ref":"#/components/schemas/A"}`, `"A":{"type":"string","description":"x"}`, ""},
		{"in a recursion", `{"$ref":"#/components/schemas/A"}`, `"A":{"properties":{"n":{"$ref":"#/components/schemas/A"},"v":{"description":"x"}}}`,
			`{"$ref":"#/components/schemas/A"}`, `"A":{"properties":{"n":{"$ref":"#/components/schemas/A"},"v":{"description":"y"}}}`, "text"},
		{"of a component nobody uses", `{}`, `"A":{"description":"x"}`, `{}`, `"A":{"description":"y"}`, ""},
		{"in definitions nobody uses", `{"definitions":{"A":{"description":"x"}}}`, ``, `{"definitions":{"A":{"description":"y"}}}`, ``, ""},
	} {
		if got := moved(param(tt.from, tt.fromC), param(tt.to, tt.toC)); got != tt.want {
			t.Errorf("%s: moved %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestContract(t *testing.T) {
	c, g := read(t, `{"openrpc":"1.3.2","info":{"title":"T","version":"1"},"methods":[{"name":"a","params":[],"result":{"name":"r","schema":true}},{"name":"b","params":[],"result":{"name":"r","schema":true}}]}`)
	d := Digests(c, g)
	whole := Contract(c, d)
	c.Methods[0], c.Methods[1], d[0], d[1] = c.Methods[1], c.Methods[0], d[1], d[0]
	if got := Contract(c, d); got != whole {
		t.Errorf("the order of methods moves the contract's digest")
	}
	d[0].Doc = d[1].Wire
	if got := Contract(c, d); got == whole {
		t.Errorf("a method's doc digest does not move the contract's")
	}
}
