package schema

import (
	"fmt"
	"reflect"
	"strconv"
	"sync"
)

// Codec decodes texts into values of one Go type and encodes them, both held
// against one node. It may be used by any number of goroutines.
type Codec[T any] struct {
	checker *Checker
	reader  *Checker // of Decode; checker itself unless unknown values are kept
	plan    *plan
	foreign bool       // Encode writes all foreign members
	desks   *sync.Pool // of *desk[T]
}

// desk is what one decoding needs: a machine, and room for the value at hand.
type desk[T any] struct {
	machine machine
	value   T // zero between decodings
}

func newCodec[T any](c *Checker, p *plan) *Codec[T] {
	return &Codec[T]{checker: c, reader: c, plan: p, desks: &sync.Pool{New: func() any { return new(desk[T]) }}}
}

// Bind ties T to n. It fails where a value of n could have no place in T, or
// T a value that n has no place for; how types hold values is told in the
// package comment. u names the variants of interfaces and may be nil.
func Bind[T any](n *Node, u *Unions) (*Codec[T], error) {
	root, bound, err := u.workshop().bind(n, reflect.TypeFor[T](), u)
	if err != nil {
		return nil, err
	}
	return newCodec[T](newChecker(root), bound), nil
}

// WithLimits returns a Codec that has other limits.
func (c *Codec[T]) WithLimits(l Limits) *Codec[T] {
	other := *c
	other.checker, other.reader = c.checker.WithLimits(l), c.reader.WithLimits(l)
	return &other
}

// KeepUnknown returns a Codec whose Decode also takes strings and numbers that
// an enum of several values does not list, as they are: for values of a side
// that is ahead of its schema. What tells variants apart is held as always, and
// so is everything that is encoded.
func (c *Codec[T]) KeepUnknown() *Codec[T] {
	other, reader := *c, *c.reader
	reader.keepUnknown = true
	other.reader = &reader
	return &other
}

// WithForeign returns a Codec whose Encode writes every foreign member that
// was kept, also where the schema admits them without declaring
// additionalProperties: for values that are stored or handed on. A service is
// sent what its schema declares and no more.
func (c *Codec[T]) WithForeign() *Codec[T] {
	other := *c
	other.foreign = true
	return &other
}

// Checker returns the Checker of the codec's node.
func (c *Codec[T]) Checker() *Checker { return c.checker }

// Decode returns the value that src holds. Errors are those of
// Checker.Check, and *Unrepresentable for a value that fits the node but not
// T; with an error the returned value is zero.
func (c *Codec[T]) Decode(src []byte) (T, error) {
	d := c.desks.Get().(*desk[T])
	var v, zero T
	var err error
	if c.reader.run(&d.machine, src, c.plan, placeOf(&d.value)) {
		v = d.value
	} else {
		err = c.reader.explain(&d.machine, src)
	}
	d.value = zero // the pool keeps nothing of the caller's value alive
	d.machine.clear()
	c.desks.Put(d)
	return v, err
}

// Encode appends v as JSON: members in the order of the node, then foreign
// ones by name where the schema declares additionalProperties. What is appended has been checked; with an error dst comes
// back as it was.
func (c *Codec[T]) Encode(dst []byte, v *T) ([]byte, error) { return c.encode(dst, placeOf(v)) }

func (c *Codec[T]) encode(dst []byte, at place) ([]byte, error) {
	e := encoder{depth: c.checker.limits.Depth, foreign: c.foreign}
	out, err := e.value(dst, c.plan, at)
	if err == nil {
		err = c.checker.Check(out[len(dst):])
	}
	if err != nil {
		return dst, err
	}
	return out, nil
}

// EncodePositional appends the members of v as an array in the order of the
// node's properties. Trailing absent ones are left off; one that is absent
// before one that is there is an error, and so are foreign members. v is
// checked as the object it is.
func (c *Codec[T]) EncodePositional(dst []byte, v *T) ([]byte, error) {
	if c.plan.kind != planStruct {
		return dst, fmt.Errorf("schema: %v is not a struct: it has no positions", c.plan.typ)
	}
	object, err := c.Encode(nil, v)
	if err != nil {
		return dst, err
	}
	e := encoder{depth: c.checker.limits.Depth}
	out, err := e.positions(dst, c.plan, placeOf(v), len(object))
	if err != nil {
		return dst, err
	}
	return out, nil
}

// unquoteTag reads what stands between the quotes of a tag.
func unquoteTag(s string) (string, error) {
	name, err := strconv.Unquote(`"` + s + `"`)
	if err != nil {
		return "", fmt.Errorf("tag with an invalid quoted name %q", s)
	}
	return name, nil
}
