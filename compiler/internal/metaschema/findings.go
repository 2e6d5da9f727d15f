package metaschema

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kaptinlin/jsonschema"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// findings translates a failed evaluation into diagnostics, one for each
// deepest cause. Values of the document stay out of the messages.
func findings(result *jsonschema.EvaluationResult, v view) diag.List {
	var list diag.List
	collect(result, nil, v, &list)
	return list
}

// maxFindings is when the walk stops: a hostile document may be wrong in every
// one of a million places.
const maxFindings = 500

// collect walks the tree of results. A result's location is that of its
// parent and one step more. What only passes on a failure from below is told
// when nothing else was.
func collect(result *jsonschema.EvaluationResult, at []string, v view, list *diag.List) {
	if result.IsValid() || result.EvaluationPath == "/if" || len(*list) >= maxFindings {
		return
	}
	if step := result.InstanceLocation; step != "" {
		// Not split and not unescaped: the engine writes one raw name.
		at = append(slices.Clip(at), strings.TrimPrefix(step, "/"))
	}
	nodes := v.nodes(at)
	if len(nodes) == 0 {
		return // the engine evaluates absent required members as null
	}
	before := len(*list)
	for _, detail := range result.Details {
		collect(detail, at, v, list)
	}
	say := func(keyword string) {
		for _, n := range nodes[:min(len(nodes), maxFindings)] {
			d := finding(n, keyword, result.Errors[keyword].Params)
			if strings.HasPrefix(result.EvaluationPath, "/propertyNames") {
				d.Position = namePosition(n)
			}
			*list = append(*list, d)
		}
	}
	keywords := slices.Sorted(maps.Keys(result.Errors))
	for _, keyword := range keywords {
		if !passesOn(keyword) {
			say(keyword)
		}
	}
	if len(*list) == before && len(keywords) > 0 {
		say(keywords[0])
	}
}

// passesOn reports whether a keyword fails because a schema below it failed.
func passesOn(keyword string) bool {
	switch keyword {
	case "properties", "patternProperties", "additionalProperties", "propertyNames", "items", "prefixItems",
		"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "dependentSchemas", "contains":
		return true
	}
	return false
}

// finding says in our words what the engine found at n.
func finding(n *source.Node, keyword string, params map[string]any) diag.Diagnostic {
	switch keyword {
	case "type":
		return diag.At(n, CodeWrongType, "the value is %s, not %s", n.Kind, param(params, "expected"))
	case "required":
		return diag.At(n, CodeMissingMember, "required: %s", param(params, "property", "properties"))
	case "enum", "const":
		return diag.At(n, CodeWrongValue, "the value is none of: %s", param(params, "expected"))
	case "schema": // the boolean schema false, where no member is known
		d := diag.At(n, CodeUnknownMember, "the member %q is not known here", memberOf(n).Name)
		d.Position = namePosition(n)
		return d
	case "pattern":
		return diag.At(n, CodeWrongValue, "the text does not have the form %s", param(params, "pattern"))
	case "minLength", "minItems", "minProperties":
		return diag.At(n, CodeWrongValue, "the value is empty or too short")
	default:
		return diag.At(n, CodeWrongValue, "the value does not fit %q of the schema", keyword)
	}
}

// param returns the first of the named params as text. They come from our own
// schema, not from the document.
func param(params map[string]any, names ...string) string {
	for _, name := range names {
		if v, ok := params[name]; ok {
			return strings.ReplaceAll(fmt.Sprint(v), "'", "\"") // names come quoted
		}
	}
	return "what the schema says"
}

// memberOf returns the member whose value n is, the zero Member when it is none.
func memberOf(n *source.Node) source.Member {
	if n.Parent != nil {
		for _, m := range n.Parent.Members {
			if m.Value == n {
				return m
			}
		}
	}
	return source.Member{}
}

// namePosition is the place of the name in front of n.
func namePosition(n *source.Node) source.Position {
	if m := memberOf(n); m.Value != nil {
		return n.File.Position(m.Offset)
	}
	return n.Position()
}

// Complement returns those of found that say something about a place where
// have says nothing yet, so that one fault is not told twice. Places are
// compared by file and pointer; notes in have do not count.
func Complement(have, found diag.List) diag.List {
	type place struct {
		file    *source.File
		pointer source.Pointer
	}
	told := make(map[place]bool, len(have))
	for _, d := range have {
		if d.Severity != diag.Note {
			told[place{d.Position.File, d.Pointer}] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool {
		return told[place{d.Position.File, d.Pointer}]
	})
}
