package schema

import (
	"fmt"
	"reflect"
)

// TypeCodec is a Codec of a Go type that is known at run time only. Generated
// packages move their values through it: a Codec[T] for each of thousands of
// types takes a compiler longer than all the rest of such a package. It may be
// used by any number of goroutines.
type TypeCodec struct {
	pointer reflect.Type // to the Go type
	codec   *Codec[struct{}]
}

// BindType ties t to n, as Bind does.
func BindType(t reflect.Type, n *Node, u *Unions) (*TypeCodec, error) {
	root, bound, err := u.workshop().bind(n, t, u)
	if err != nil {
		return nil, err
	}
	return &TypeCodec{reflect.PointerTo(t), newCodec[struct{}](newChecker(root), bound)}, nil
}

// Pointer returns the type that Decode and Encode take: a pointer to the bound
// type.
func (c *TypeCodec) Pointer() reflect.Type { return c.pointer }

// KeepUnknown is Codec.KeepUnknown.
func (c *TypeCodec) KeepUnknown() *TypeCodec { return &TypeCodec{c.pointer, c.codec.KeepUnknown()} }

// Decode stores what src holds where into points. Errors are those of
// Codec.Decode; with an error the value is zero.
func (c *TypeCodec) Decode(src []byte, into any) error {
	target, err := c.target(into)
	if err != nil {
		return err
	}
	target.Elem().SetZero()
	d := c.codec.desks.Get().(*desk[struct{}])
	if !c.codec.reader.run(&d.machine, src, c.codec.plan, placeOfValue(target)) {
		err = c.codec.reader.explain(&d.machine, src)
		target.Elem().SetZero()
	}
	d.machine.clear()
	c.codec.desks.Put(d)
	return err
}

// DecodeAt is Decode of the value that starts at text[start], in one reading:
// it returns the index behind the value and does not look at what stands before
// and behind it. It says no more than ok, and without that the value is zero:
// Decode of the value alone says why.
func (c *TypeCodec) DecodeAt(text []byte, start int, into any) (end int, ok bool) {
	target, err := c.target(into)
	if err != nil {
		return start, false
	}
	target.Elem().SetZero()
	d := c.codec.desks.Get().(*desk[struct{}])
	if end, ok = c.codec.reader.runAt(&d.machine, text, start, c.codec.plan, placeOfValue(target)); !ok {
		target.Elem().SetZero()
	}
	d.machine.clear()
	c.codec.desks.Put(d)
	return end, ok
}

// Encode appends what from points to, as Codec.Encode does.
func (c *TypeCodec) Encode(dst []byte, from any) ([]byte, error) {
	source, err := c.target(from)
	if err != nil {
		return dst, err
	}
	return c.codec.encode(dst, placeOfValue(source))
}

func (c *TypeCodec) target(pointer any) (reflect.Value, error) {
	v := reflect.ValueOf(pointer)
	if !v.IsValid() || v.Type() != c.pointer || v.IsNil() {
		return v, fmt.Errorf("schema: %T given where %v is bound", pointer, c.pointer)
	}
	return v, nil
}
