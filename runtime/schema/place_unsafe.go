//go:build !rpcgen_reflect

package schema

import (
	"reflect"
	"slices"
	"unsafe"
)

// place is where a Go value lies. This is the only file that uses unsafe:
// offsets come from reflect, every store goes through a typed pointer (so that
// the garbage collector sees it), and the file has a twin by reflection alone
// under the build tag rpcgen_reflect, which passes the same tests.
type place struct{ p unsafe.Pointer }

func placeOf[T any](v *T) place { return place{unsafe.Pointer(v)} }

// placeOfValue returns the place that a pointer points to.
func placeOfValue(pointer reflect.Value) place { return place{pointer.UnsafePointer()} }

func (at place) field(f *field) place { return place{unsafe.Add(at.p, f.offset)} }

// value returns the place as an addressable value of type t.
func (at place) value(t reflect.Type) reflect.Value { return reflect.NewAt(t, at.p).Elem() }

func (at place) setString(s string)     { *(*string)(at.p) = s }
func (at place) setBytes(b []byte)      { *(*[]byte)(at.p) = b }
func (at place) setBool(v bool)         { *(*bool)(at.p) = v }
func (at place) setFloat(f float64)     { *(*float64)(at.p) = f }
func (at place) setPresence(s Presence) { *(*Presence)(at.p) = s }

func (at place) setInt(p *plan, n int64) {
	switch p.bits {
	case 64:
		*(*int64)(at.p) = n
	case 32:
		*(*int32)(at.p) = int32(n)
	case 16:
		*(*int16)(at.p) = int16(n)
	default:
		*(*int8)(at.p) = int8(n)
	}
}

func (at place) setUint(p *plan, n uint64) { at.setInt(p, int64(n)) }

// box says how a value of a type is put into an interface: word is the
// interface's first word, nil where the value must be copied by reflection.
type box struct{ word unsafe.Pointer }

// words is what an interface is made of: what tells its type, and a pointer to
// a value that nobody writes to.
type words struct{ kind, data unsafe.Pointer }

// boxOf learns the first word from an interface that reflection made. A zero
// value whose second word is nil stands in the interface itself.
func boxOf(face, variant reflect.Type) box {
	sample := reflect.New(face)
	sample.Elem().Set(reflect.Zero(variant))
	learned := *(*words)(sample.UnsafePointer())
	if learned.data == nil {
		return box{}
	}
	made := reflect.New(face)
	*(*words)(made.UnsafePointer()) = words{learned.kind, reflect.New(variant).UnsafePointer()}
	if made.Elem().IsNil() || made.Elem().Elem().Type() != variant || !made.Elem().Elem().IsZero() {
		return box{}
	}
	return box{learned.kind}
}

// setInterface sets an interface of type t to what target points to, which
// nobody else may use from then on.
func (at place) setInterface(t reflect.Type, b *box, target reflect.Value) {
	if b.word == nil {
		at.value(t).Set(target.Elem())
		return
	}
	*(*words)(at.p) = words{b.word, target.UnsafePointer()}
}

// allocate sets a pointer to a new value of elem's type and returns the place
// of that. Strings come in pieces of several: most optional members are.
func (m *machine) allocate(at place, elem *plan) place {
	var q unsafe.Pointer
	switch {
	case elem.kind == planString || elem.kind == planNumber:
		q = unsafe.Pointer(m.newString())
	case elem.kind == planBool:
		q = unsafe.Pointer(m.newBool())
	case elem.kind == planFloat || (elem.kind == planInt || elem.kind == planUint) && elem.bits == 64:
		q = unsafe.Pointer(new(uint64))
	default:
		q = reflect.New(elem.typ).UnsafePointer()
	}
	*(*unsafe.Pointer)(at.p) = q
	return place{q}
}

// newString returns an empty string of its own: the first of a text alone, then
// from pieces that grow, so that a small value pins nothing.
func (m *machine) newString() *string {
	const piece = 32
	if len(m.strings) == cap(m.strings) {
		m.strings = make([]string, 0, min(max(1, 2*cap(m.strings)), piece))
	}
	m.strings = append(m.strings, "")
	return &m.strings[len(m.strings)-1]
}

// newBool returns a false of its own, from the piece of memory that strings
// come from: neither holds pointers, and no two share a byte.
func (m *machine) newBool() *bool {
	n := len(m.arena)
	if n == cap(m.arena) {
		m.arena, n = make([]byte, 0, m.room(1)), 0
	}
	m.arena = append(m.arena, 0)
	return (*bool)(unsafe.Pointer(&m.arena[n]))
}

// keep returns s as a string that lives on. Short strings share pieces of
// memory that no longer change.
func (m *machine) keep(s []byte) string {
	const short = 256
	if len(s) == 0 {
		return ""
	}
	if len(s) > short {
		return string(s)
	}
	n := len(m.arena)
	if cap(m.arena)-n < len(s) {
		m.arena = make([]byte, 0, m.room(len(s)))
		n = 0
	}
	m.arena = append(m.arena, s...)
	return unsafe.String(&m.arena[n], len(s))
}

// view returns s as a string for as long as s does not change.
func view(s []byte) string { return unsafe.String(unsafe.SliceData(s), len(s)) }

// elements fills a slice.
type elements struct {
	slice  *header
	plan   *plan
	base   unsafe.Pointer
	size   uintptr
	n, cap int
	start  int // of the array in the text
}

// header is what a slice is made of.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

func (w *elements) open(p *plan, at place, start int) {
	w.slice, w.plan, w.size, w.start = (*header)(at.p), p, p.elem.typ.Size(), start
}

// next returns the place of the next element, which starts at text[i]. Room is
// made by what the elements so far took of the text.
func (w *elements) next(m *machine, i int) place {
	if w.n == w.cap {
		w.grow(len(m.Text), i)
	}
	w.n++
	return place{unsafe.Add(w.base, w.size*uintptr(w.n-1))}
}

func (w *elements) grow(length, i int) {
	want := 4
	if w.n > 0 {
		left := (length - i) / max(1, (i-w.start)/w.n)
		want = min(max(w.n, left+1), 7*w.n)
	}
	w.slice.len = w.n
	if s := (*[]string)(unsafe.Pointer(w.slice)); w.plan.elem.typ.Kind() == reflect.String {
		if w.n == 0 {
			*s = make([]string, 0, want)
		} else {
			*s = slices.Grow(*s, want)
		}
	} else {
		reflect.NewAt(w.plan.typ, unsafe.Pointer(w.slice)).Elem().Grow(want)
	}
	w.base, w.cap = w.slice.data, w.slice.cap
}

// close sets the slice's length; a slice without elements is not nil.
func (w *elements) close() {
	if w.n == 0 {
		w.slice.data = unsafe.Pointer(&nothing)
	}
	w.slice.len = w.n
}

// nothing is what slices without elements point to.
var nothing struct{}
