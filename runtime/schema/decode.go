package schema

import (
	"reflect"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// unfit is the fault of a value that fits its rule but not its Go type.
type unfit struct {
	start, end int
	typ        reflect.Type
}

func (u *unfit) Error() string { return "value does not fit its Go type" }

func (u *unfit) error(src []byte) error {
	end := u.end
	if end <= u.start {
		end, _ = scan.Skip(src, u.start)
	}
	return &Unrepresentable{pointerTo(src, u.start), u.typ.String(), append(Raw(nil), src[u.start:end]...)}
}

// unfit ends decoding at the value at i; end may be 0 for not known.
func (m *machine) unfit(p *plan, i, end int) bool {
	m.stop(&unfit{i, end, p.typ})
	return false
}

// twice reads a container for r and again for the rule that p was made for.
func (m *machine) twice(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	if p.kind != planStruct && p.kind != planMap && p.kind != planSlice {
		m.unfit(p, i, 0)
		return -1
	}
	end := m.own(r, i, depth, ev, nil, place{})
	if end < 0 {
		return -1
	}
	if !m.spend(1) || m.own(p.rule, i, depth, nil, p, at) < 0 {
		return -1
	}
	return end
}

func (m *machine) openObject(p *plan, at place, i int) bool {
	switch p.kind {
	case planStruct:
		return true
	case planMap:
		at.value(p.typ).Set(reflect.MakeMap(p.typ))
		return true
	default:
		return m.unfit(p, i, 0)
	}
}

func (m *machine) openArray(p *plan, at place, i int, w *elements) bool {
	if p.kind != planSlice {
		return m.unfit(p, i, 0)
	}
	w.open(p, at, i)
	return true
}

// applyField checks a member and stores it: k is its index in known, or -1.
func (m *machine) applyField(r *rule, p *plan, k, i, nameEnd, value, depth int, at place) int {
	target := p
	switch {
	case p.kind == planStruct && k >= 0 && k < len(p.fields):
		f := &p.fields[k]
		if f.plan == nil {
			return m.apply(r, value, depth, nil, nil, place{})
		}
		return m.apply(r, value, depth, nil, f.plan, at.field(f))
	case p.kind == planStruct && p.extra == nil:
		return m.apply(r, value, depth, nil, nil, place{})
	case p.kind == planStruct:
		target, at = p.extra.plan, at.field(p.extra)
	}
	return m.applyEntry(r, target, i, nameEnd, value, depth, at)
}

// applyEntry stores a member in a map.
func (m *machine) applyEntry(r *rule, p *plan, i, nameEnd, value, depth int, at place) int {
	m.scratch = scan.Unquote(m.scratch[:0], m.Text[i:nameEnd])
	name := reflect.ValueOf(string(m.scratch)).Convert(p.typ.Key())
	elem := reflect.New(p.elem.typ)
	end := m.apply(r, value, depth, nil, p.elem, placeOfValue(elem))
	if end < 0 {
		return -1
	}
	entries := at.value(p.typ)
	if entries.IsNil() {
		entries.Set(reflect.MakeMap(p.typ))
	}
	entries.SetMapIndex(name, elem.Elem())
	return end
}

// applyWrapped handles plans that decide something before the value is read.
func (m *machine) applyWrapped(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	switch p.kind {
	case planTuple:
		return m.applyTuple(r, i, depth, ev, p, at)
	case planLoose:
		return m.applyLoose(r, i, depth, ev, p, at)
	}
	if p.kind == planRaw {
		end := m.apply(r, i, depth, ev, nil, place{})
		if end >= 0 {
			at.setBytes(append(make([]byte, 0, end-i), m.Text[i:end]...))
		}
		return end
	}
	if i < len(m.Text) && m.Text[i] == 'n' {
		end := m.apply(r, i, depth, ev, nil, place{})
		if p.kind == planNullable && end >= 0 {
			at.setPresence(IsNull)
		}
		return end
	}
	switch p.kind {
	case planPointer:
		return m.apply(r, i, depth, ev, p.elem, m.allocate(at, p.elem))
	case planNullable:
		at.setPresence(Present)
		return m.apply(r, i, depth, ev, p.elem, at.field(&p.value))
	default:
		return m.applyUnion(r, i, depth, ev, p, at)
	}
}

// applyUnion finds the variant that fits and decodes it. Where a member or the
// type decides, the value is read once.
func (m *machine) applyUnion(r *rule, i, depth int, ev *evaluated, p *plan, at place) int {
	u := p.union
	pure := r == p.rule && u.pure
	if !pure {
		if m.apply(r, i, depth, ev, nil, place{}) < 0 {
			return -1
		}
		ev = nil
	}
	v := u.choice.find(m, i, depth)
	if v < 0 {
		return -1
	}
	target := reflect.New(u.types[v])
	end := m.apply(u.rules[v], i, depth, ev, u.plans[v], placeOfValue(target))
	if end >= 0 {
		at.setInterface(p.typ, &u.boxes[v], target)
	}
	return end
}

// variant returns the only branch that can fit, or -1.
func (m *machine) variant(r *rule, b *branches, one bool, i, depth int) int {
	if i >= len(m.Text) {
		return m.stop(unexpected(m.Text, i))
	}
	kind := kindOf(m.Text[i])
	if kind == TypeObject && b.picker != nil {
		return m.picked(b.picker, i)
	}
	if only := b.only(kind); only >= 0 {
		return only
	}
	fit, end := m.choose(r, b, i, depth, nil, one)
	if end < 0 {
		return -1
	}
	return fit
}
