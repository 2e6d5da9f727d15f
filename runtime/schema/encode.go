package schema

import (
	"encoding/base64"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// encoder writes Go values by their plans. It checks only what would not come
// out as JSON; the text is held against the rule afterwards.
type encoder struct {
	depth   int
	foreign bool // all foreign members are written
}

func (e *encoder) value(dst []byte, p *plan, at place) ([]byte, error) {
	if p.kind == planUnion || p.kind == planTuple || p.kind == planStruct || p.kind == planMap || p.kind == planSlice {
		if e.depth--; e.depth < 0 {
			return dst, fmt.Errorf("schema: a %v is nested too deep", p.typ)
		}
		defer func() { e.depth++ }()
	}
	v := at.value(p.typ)
	switch p.kind {
	case planStruct:
		return e.object(dst, p, at)
	case planMap:
		return e.mapping(dst, p, v)
	case planSlice:
		return e.array(dst, p, v)
	case planUnion:
		return e.union(dst, p, v)
	case planTuple:
		return e.tuple(dst, p, at)
	case planLoose:
		return e.value(dst, p.elem, at)
	case planPointer:
		if v.IsNil() {
			return append(dst, "null"...), nil
		}
		return e.value(dst, p.elem, placeOfValue(v))
	case planNullable:
		if Presence(v.Field(0).Uint()) != Present {
			return append(dst, "null"...), nil
		}
		return e.value(dst, p.elem, at.field(&p.value))
	default:
		return scalar(dst, p, v)
	}
}

func scalar(dst []byte, p *plan, v reflect.Value) ([]byte, error) {
	switch p.kind {
	case planString:
		if !utf8.ValidString(v.String()) {
			return dst, fmt.Errorf("schema: a %v is not valid UTF-8", p.typ)
		}
		return scan.AppendQuote(dst, v.String()), nil
	case planBool:
		return strconv.AppendBool(dst, v.Bool()), nil
	case planInt:
		return strconv.AppendInt(dst, v.Int(), 10), nil
	case planUint:
		return strconv.AppendUint(dst, v.Uint(), 10), nil
	case planFloat:
		return appendFloat(dst, p, v.Float())
	case planNumber:
		text, err := numberText(v.String())
		return append(dst, text...), err
	case planBytes:
		dst = append(dst, '"')
		dst = base64.StdEncoding.AppendEncode(dst, v.Bytes())
		return append(dst, '"'), nil
	case planRaw:
		if v.Len() == 0 {
			return append(dst, "null"...), nil
		}
		return append(dst, v.Bytes()...), nil
	default: // planNull
		return append(dst, "null"...), nil
	}
}

func appendFloat(dst []byte, p *plan, f float64) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, fmt.Errorf("schema: a %v is not a number JSON can write", p.typ)
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(dst, f, format, -1, 64), nil
}

func (e *encoder) object(dst []byte, p *plan, at place) ([]byte, error) {
	var err error
	dst = append(dst, '{')
	start := len(dst)
	for k := range p.fields {
		f := &p.fields[k]
		if f.absent(at) {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = append(append(dst, f.quoted...), ':')
		if dst, err = e.member(dst, f, at); err != nil {
			return dst, err
		}
	}
	if p.extra != nil && (p.sendExtra || e.foreign) {
		if dst, err = e.entries(dst, p.extra.plan, at.field(p.extra).value(p.extra.plan.typ), p.rule.object, len(dst) > start); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

func (e *encoder) member(dst []byte, f *field, at place) ([]byte, error) {
	if f.plan == nil {
		return append(dst, f.constant...), nil
	}
	return e.value(dst, f.plan, at.field(f))
}

// absent reports whether the member stays away.
func (f *field) absent(at place) bool {
	if f.plan == nil {
		return f.constant == ""
	}
	if f.plan.kind == planNullable {
		return f.optional && Presence(at.field(f).value(f.plan.typ).Field(0).Uint()) == Absent
	}
	return f.optional && at.field(f).value(f.plan.typ).IsNil()
}

func (e *encoder) mapping(dst []byte, p *plan, v reflect.Value) ([]byte, error) {
	if v.IsNil() && p.nilIsNull {
		return append(dst, "null"...), nil
	}
	dst, err := e.entries(append(dst, '{'), p, v, nil, false)
	return append(dst, '}'), err
}

// entries writes the members of a map by name, none of which may be one of
// o's properties. comma says that some stand before them.
func (e *encoder) entries(dst []byte, p *plan, v reflect.Value, o *objectRule, comma bool) ([]byte, error) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch x, y := a.String(), b.String(); {
		case x < y:
			return -1
		case x > y:
			return 1
		default:
			return 0
		}
	})
	for _, key := range keys {
		if !utf8.ValidString(key.String()) {
			return dst, fmt.Errorf("schema: a member name of %v is not valid UTF-8", p.typ)
		}
		if o != nil {
			if k := o.find([]byte(key.String())); k >= 0 && k < o.declared {
				return dst, fmt.Errorf("schema: %.80q is a property and cannot be a foreign member", key.String())
			}
		}
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		dst = append(scan.AppendQuote(dst, key.String()), ':')
		elem := reflect.New(p.elem.typ)
		elem.Elem().Set(v.MapIndex(key))
		var err error
		if dst, err = e.value(dst, p.elem, placeOfValue(elem)); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (e *encoder) array(dst []byte, p *plan, v reflect.Value) ([]byte, error) {
	dst = append(dst, '[')
	for k := range v.Len() {
		if k > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = e.value(dst, p.element(k), placeOfValue(v.Index(k).Addr())); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func (e *encoder) union(dst []byte, p *plan, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		if p.nilIsNull {
			return append(dst, "null"...), nil
		}
		return dst, fmt.Errorf("schema: a %v is nil", p.typ)
	}
	k := slices.Index(p.union.types, v.Elem().Type())
	if k < 0 {
		return dst, fmt.Errorf("schema: %v is no variant of %v", v.Elem().Type(), p.typ)
	}
	variant := reflect.New(p.union.types[k])
	variant.Elem().Set(v.Elem())
	return e.value(dst, p.union.plans[k], placeOfValue(variant))
}

// positions writes the fields of a struct as an array.
func (e *encoder) positions(dst []byte, p *plan, at place, room int) ([]byte, error) {
	if p.extra != nil && p.sendExtra && at.field(p.extra).value(p.extra.plan.typ).Len() > 0 {
		return dst, fmt.Errorf("schema: the foreign members of a %v have no position", p.typ)
	}
	dst, _, err := e.inOrder(append(slices.Grow(dst, room), '['), p, at)
	return append(dst, ']'), err
}

// inOrder writes the fields of a struct as elements. Gap is the name of the
// first that is absent, "" when all are there; none may be there behind it.
func (e *encoder) inOrder(dst []byte, p *plan, at place) (out []byte, gap string, err error) {
	for k := range p.fields {
		f := &p.fields[k]
		if f.absent(at) {
			if gap == "" {
				gap = f.name
			}
			continue
		}
		if gap != "" {
			return dst, gap, fmt.Errorf("schema: %q is absent before %q: a position cannot be left out", gap, f.name)
		}
		if k > 0 {
			dst = append(dst, ',')
		}
		if dst, err = e.member(dst, f, at); err != nil {
			return dst, gap, err
		}
	}
	return dst, gap, nil
}
