package compiled

import (
	"bytes"
	"fmt"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// limits bound what is read back. A schema may nest far deeper than a value.
var limits = scan.Limits{Depth: 8 * maxNested}

// value is the range of a JSON value in the file.
type value struct{ start, end int }

// decoder reads nodes. It is only ever pointed at values that are known to be
// valid JSON without repeated members.
type decoder struct {
	src []byte
	// refer returns the node that stands in "schemas" under an id, or nil.
	refer func(id string) *schema.Node
}

func (d *decoder) raw(v value) []byte { return d.src[v.start:v.end] }

func (d *decoder) fail(v value, problem string) error {
	return fmt.Errorf("%.80q %s", d.raw(v), problem)
}

// members calls f with every member of an object. With names given the object
// must have exactly these, in this order.
func (d *decoder) members(v value, names []string, f func(name string, v value) error) error {
	if d.src[v.start] != '{' {
		return d.fail(v, "is not an object")
	}
	at := 0
	err := scan.Members(d.src, v.start, func(quoted []byte, start, end int) error {
		name := string(scan.Unquote(nil, quoted))
		if names != nil && (at >= len(names) || names[at] != name) {
			return fmt.Errorf("unexpected member %.80q", name)
		}
		at++
		if err := f(name, value{start, end}); err != nil {
			return fmt.Errorf("%.80s: %w", name, err)
		}
		return nil
	})
	if err == nil && (at == 0 || at < len(names)) {
		return d.fail(v, "lacks members")
	}
	return err
}

func (d *decoder) elements(v value, f func(i int, v value) error) error {
	if d.src[v.start] != '[' {
		return d.fail(v, "is not an array")
	}
	i := 0
	return scan.Elements(d.src, v.start, func(start, end int) error {
		err := f(i, value{start, end})
		i++
		return err
	})
}

func (d *decoder) text(v value) (string, error) {
	if d.src[v.start] != '"' {
		return "", d.fail(v, "is not a string")
	}
	return string(scan.Unquote(nil, d.raw(v))), nil
}

func (d *decoder) strings(v value) (list []string, err error) {
	err = d.elements(v, func(_ int, v value) error {
		s, err := d.text(v)
		list = append(list, s)
		return err
	})
	return list, err
}

func (d *decoder) stringOrStrings(v value) ([]string, error) {
	if d.src[v.start] == '"' {
		s, err := d.text(v)
		return []string{s}, err
	}
	list, err := d.strings(v)
	if err == nil && len(list) < 2 {
		err = d.fail(v, "has fewer than two elements")
	}
	return list, err
}

// node reads a reference or a node that stands where it is used.
func (d *decoder) node(v value, path string) (*schema.Node, error) {
	if id, ok, err := d.reference(v); err != nil {
		return nil, err
	} else if ok {
		if n := d.refer(id); n != nil {
			return n, nil
		}
		return nil, fmt.Errorf("no schema has the id %.80q", id)
	}
	n := new(schema.Node)
	return n, d.body(n, v, path)
}

// reference returns the id of {"$node": id}, which stands on several lines when
// the id is long.
func (d *decoder) reference(v value) (id string, ok bool, err error) {
	raw := d.raw(v)
	if raw[0] != '{' || !bytes.HasPrefix(raw[scan.Space(raw, 1):], []byte(`"$node"`)) {
		return "", false, nil
	}
	err = d.members(v, []string{"$node"}, func(_ string, v value) (err error) {
		id, err = d.text(v)
		return err
	})
	return id, true, err
}

// body reads the members of a node into n.
func (d *decoder) body(n *schema.Node, v value, path string) error {
	if d.src[v.start] != '{' {
		return d.fail(v, "is not a schema")
	}
	n.ID = path
	at := -1
	return scan.Members(d.src, v.start, func(quoted []byte, start, end int) error {
		name := string(scan.Unquote(nil, quoted))
		if name == "id" && at < 0 {
			at = 0
			id, err := d.text(value{start, end})
			n.ID = id
			return err
		}
		i, ok := memberNumber[name]
		if !ok || i < at {
			return fmt.Errorf("unexpected member %.80q", name)
		}
		at = i + 1
		if err := members[i].decode(d, n, value{start, end}); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	})
}
