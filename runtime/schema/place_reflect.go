//go:build rpcgen_reflect

package schema

import "reflect"

// place is where a Go value lies, by reflection alone.
type place struct{ v reflect.Value }

func placeOf[T any](v *T) place { return place{reflect.ValueOf(v).Elem()} }

// placeOfValue returns the place that a pointer points to.
func placeOfValue(pointer reflect.Value) place { return place{pointer.Elem()} }

func (at place) field(f *field) place { return place{at.v.Field(f.index)} }

// value returns the place as an addressable value.
func (at place) value(reflect.Type) reflect.Value { return at.v }

func (at place) setString(s string)        { at.v.SetString(s) }
func (at place) setBytes(b []byte)         { at.v.SetBytes(b) }
func (at place) setBool(v bool)            { at.v.SetBool(v) }
func (at place) setFloat(f float64)        { at.v.SetFloat(f) }
func (at place) setPresence(s Presence)    { at.v.Field(0).SetUint(uint64(s)) }
func (at place) setInt(_ *plan, n int64)   { at.v.SetInt(n) }
func (at place) setUint(_ *plan, n uint64) { at.v.SetUint(n) }

// box says how a value of a type is put into an interface.
type box struct{}

func boxOf(reflect.Type, reflect.Type) box { return box{} }

// setInterface sets an interface of type t to what target points to.
func (at place) setInterface(_ reflect.Type, _ *box, target reflect.Value) { at.v.Set(target.Elem()) }

// allocate sets a pointer to a new value of elem's type and returns the place
// of that.
func (m *machine) allocate(at place, elem *plan) place {
	q := reflect.New(elem.typ)
	at.v.Set(q)
	return place{q.Elem()}
}

// keep returns s as a string that lives on.
func (m *machine) keep(s []byte) string { return string(s) }

// view returns s as a string.
func view(s []byte) string { return string(s) }

// elements fills a slice.
type elements struct{ slice reflect.Value }

func (w *elements) open(p *plan, at place, _ int) { w.slice = at.v }

// next returns the place of the next element.
func (w *elements) next(*machine, int) place {
	n := w.slice.Len()
	w.slice.Grow(1)
	w.slice.SetLen(n + 1)
	return place{w.slice.Index(n)}
}

// close leaves a slice that is not nil.
func (w *elements) close() {
	if w.slice.IsNil() {
		w.slice.Set(reflect.MakeSlice(w.slice.Type(), 0, 0))
	}
}
