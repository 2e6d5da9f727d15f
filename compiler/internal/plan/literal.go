package plan

import rt "github.com/openrpc-go/rpcgen/runtime/schema"

// enumerated classifies a closed list of literals.
func enumerated(v *view) *form {
	if len(v.enum) == 0 {
		if v.null {
			return &form{class: nullClass, view: v, base: Null}
		}
		return raw(v, ReasonNever)
	}
	switch literalKind(v.enum) {
	case rt.TypeString:
		if v.text() != String {
			return &form{class: stringClass, view: v, base: v.text()}
		}
		return &form{class: enumClass, view: v, base: String, values: v.enum}
	case rt.TypeInteger:
		return &form{class: enumClass, view: v, base: Int64, values: v.enum}
	case rt.TypeNumber:
		return &form{class: numberClass, view: v, base: Float64}
	case rt.TypeBoolean:
		return &form{class: boolClass, view: v, base: Bool}
	default:
		return raw(v, ReasonEnum)
	}
}

// literalKind is the one scalar type of all literals, 0 when they differ.
func literalKind(literals []string) rt.Types {
	var all rt.Types
	for _, l := range literals {
		all |= kindOfLiteral(l)
	}
	switch {
	case all == rt.TypeInteger|rt.TypeNumber:
		return rt.TypeNumber
	case all == rt.TypeString, all == rt.TypeInteger, all == rt.TypeNumber, all == rt.TypeBoolean:
		return all
	default:
		return 0
	}
}

func kindOfLiteral(l string) rt.Types {
	switch c := l[0]; {
	case c == '"':
		return rt.TypeString
	case c == 't', c == 'f':
		return rt.TypeBoolean
	case c == '{':
		return rt.TypeObject
	case c == '[':
		return rt.TypeArray
	case c == 'n':
		return rt.TypeNull
	}
	if _, ok := smallInteger(l); ok {
		return rt.TypeInteger
	}
	return rt.TypeNumber
}
