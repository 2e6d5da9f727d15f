package contract

import (
	"slices"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
)

// Codes of the faults that depend on how params travel. They are the only
// faults that WithStructure takes away or adds.
const (
	RequiredAfterOptional = "required-after-optional"
	NamelessParam         = "nameless-param"
)

// WithStructure returns a copy of m whose params travel as s says, with the
// faults that s brings instead of those that the old structure brought. It is
// what the amendment's param_structure does.
func (m *Method) WithStructure(s ParamStructure) *Method {
	changed := *m
	changed.Structure, changed.StructureDefault = s, false
	changed.Faults = slices.DeleteFunc(slices.Clone(m.Faults), func(d diag.Diagnostic) bool {
		return d.Code == RequiredAfterOptional || d.Code == NamelessParam
	})
	changed.Faults = append(changed.Faults, changed.StructureFaults()...)
	return &changed
}

// StructureFaults returns the faults of the params that depend on how they travel.
func (m *Method) StructureFaults() diag.List {
	return append(m.nameless(), m.gaps()...)
}

// nameless reports params without a name: an array needs none, an object does.
func (m *Method) nameless() diag.List {
	var faults diag.List
	for i, p := range m.Params {
		switch {
		case !p.MadeUp:
		case m.Structure == ByPosition:
			faults = append(faults, diag.Warn(p.Use, NamelessParam, "param %d of %q has no name of its own; it is called %q here", i+1, m.Name, p.Name).
				WithAdvice("give the content descriptor a name"))
		default:
			faults = append(faults, diag.At(p.Use, NamelessParam, "param %d of %q has no name of its own to be sent under", i+1, m.Name).
				WithAdvice("give the content descriptor a name, or say param_structure: by-position where the server takes an array"))
		}
	}
	return faults
}

// gaps reports required params after optional ones. By position the required
// one could not be sent without the optional one, so the method is refused.
func (m *Method) gaps() diag.List {
	var faults diag.List
	optional := -1
	for i, p := range m.Params {
		if !p.Required && optional < 0 {
			optional = i
		}
		if !p.Required || optional < 0 {
			continue
		}
		first := m.Params[optional]
		d := diag.Warn(p.Use, RequiredAfterOptional, "required param %q of %q stands after the optional param %q", p.Name, m.Name, first.Name)
		if m.Structure == ByPosition {
			d = diag.At(p.Use, RequiredAfterOptional, "required param %q of %q stands after the optional param %q; by position it cannot be sent alone", p.Name, m.Name, first.Name).
				WithAdvice(gapAdvice(m))
		}
		faults = append(faults, d.WithRelated(first.Use, "the optional param"))
	}
	return faults
}

func gapAdvice(m *Method) string {
	if m.StructureDefault {
		return "correct `required`, or say param_structure: by-name where the server takes an object; this version of the document means by-position when it does not say"
	}
	return "correct `required` of one of the two params"
}
