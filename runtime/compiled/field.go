package compiled

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

func boolean(name string, at place[bool]) member {
	return member{
		name:   name,
		has:    at.get,
		encode: func(_ *encoder, dst []byte, _ *schema.Node) ([]byte, error) { return append(dst, "true"...), nil },
		decode: func(d *decoder, n *schema.Node, v value) error {
			if string(d.raw(v)) != "true" {
				return d.fail(v, "is not true")
			}
			*at(n, true) = true
			return nil
		},
	}
}

func word(name string, at place[string]) member {
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return at.get(n) != "" },
		encode: func(_ *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return appendText(dst, at.get(n))
		},
		decode: func(d *decoder, n *schema.Node, v value) (err error) {
			s, err := d.text(v)
			if err == nil && s == "" {
				err = d.fail(v, "is empty")
			}
			*at(n, true) = s
			return err
		},
	}
}

// literal is a number kept as it is spelled.
func literal(name string, at place[string]) member {
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return at.get(n) != "" },
		encode: func(_ *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			s := []byte(at.get(n))
			if end, err := scan.Number(s, 0); err != nil || end != len(s) || scan.Guard(s, 0, end, limits) != nil {
				return nil, fmt.Errorf("%.80q is no number within the limits", s)
			}
			return append(dst, s...), nil
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			raw := d.raw(v)
			if c := raw[0]; c != '-' && (c < '0' || c > '9') {
				return d.fail(v, "is not a number")
			}
			*at(n, true) = string(raw)
			return nil
		},
	}
}

func count(name string, at place[*uint64]) member {
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return at.get(n) != nil },
		encode: func(_ *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return strconv.AppendUint(dst, *at.get(n), 10), nil
		},
		decode: func(d *decoder, n *schema.Node, v value) error {
			u, err := strconv.ParseUint(string(d.raw(v)), 10, 64)
			if err != nil {
				return d.fail(v, "is not a count")
			}
			*at(n, true) = &u
			return nil
		},
	}
}

func node(name string, at place[*schema.Node]) member {
	return member{
		name:     name,
		has:      func(n *schema.Node) bool { return at.get(n) != nil },
		children: func(n *schema.Node, use func(*schema.Node)) { use(at.get(n)) },
		encode: func(e *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return e.node(dst, at.get(n), n.ID+step(n, name))
		},
		decode: func(d *decoder, n *schema.Node, v value) (err error) {
			*at(n, true), err = d.node(v, n.ID+step(n, name))
			return err
		},
	}
}

func nodes(name string, at place[[]*schema.Node]) member {
	return member{
		name: name,
		has:  func(n *schema.Node) bool { return len(at.get(n)) > 0 },
		children: func(n *schema.Node, use func(*schema.Node)) {
			for _, c := range at.get(n) {
				use(c)
			}
		},
		encode: func(e *encoder, dst []byte, n *schema.Node) ([]byte, error) {
			return appendArray(dst, at.get(n), func(dst []byte, i int, c *schema.Node) ([]byte, error) {
				return e.node(dst, c, n.ID+element(name, i))
			})
		},
		decode: func(d *decoder, n *schema.Node, v value) (err error) {
			list := at(n, true)
			return d.elements(v, func(i int, v value) error {
				c, err := d.node(v, n.ID+element(name, i))
				*list = append(*list, c)
				return err
			})
		},
	}
}

// The ids that the compiler gives to schemas below others. A node that has the
// one it would get says no id.

func step(n *schema.Node, name string) string {
	switch name {
	case "items":
		if len(n.Array.Prefix) > 0 {
			return "[*]"
		}
		return "[]"
	case "additionalProperties":
		return "/*"
	default:
		return "/" + name
	}
}

func element(name string, i int) string {
	if name == "prefixItems" {
		name = ""
	} else {
		name = "/" + name
	}
	return name + "[" + strconv.Itoa(i) + "]"
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

func property(name string) string { return "/" + escaper.Replace(name) }

// appendText appends a JSON string. Text that is not UTF-8 is an error.
func appendText(dst []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("%.80q is not valid UTF-8", s)
	}
	return scan.AppendQuote(dst, s), nil
}

// appendArray appends a JSON array of what encode appends for each item.
func appendArray[T any](dst []byte, items []T, encode func(dst []byte, i int, item T) ([]byte, error)) ([]byte, error) {
	dst = append(dst, '[')
	for i, item := range items {
		var err error
		if dst, err = encode(separate(dst, i), i, item); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

// appendObject appends a JSON object with a member for each item.
func appendObject[T any](dst []byte, items []T, name func(T) string, encode func(dst []byte, item T) ([]byte, error)) ([]byte, error) {
	dst = append(dst, '{')
	for i, item := range items {
		var err error
		if dst, err = appendText(separate(dst, i), name(item)); err != nil {
			return nil, err
		}
		if dst, err = encode(append(dst, ':'), item); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}
