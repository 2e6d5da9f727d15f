package amendment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// readAgents reads the decision for agents: a word, or a schema of the params
// for which nobody is asked beside the word for all others. rule is that
// schema, nil without one.
func readAgents(r *fields.Reader, o fields.Object) (decision stated[effect.Decision], rule *source.Node) {
	n := o.Get("agents")
	if n == nil || n.Kind != source.Object {
		return enum(o, "agents", effect.Allow, effect.Ask, effect.Deny), nil
	}
	agents := r.Object(n, `"agents"`, "allow_if", "otherwise")
	agents.Require("allow_if", "otherwise")
	decision = stated[effect.Decision]{fields.Enum(agents, "otherwise", effect.Ask, effect.Deny), n}
	if r.Map(agents.Get("allow_if"), `"allow_if"`).Node == nil {
		return decision, nil
	}
	before := len(r.Faults)
	selfContained(r, agents.Get("allow_if"))
	if len(r.Faults) > before {
		return decision, nil
	}
	return decision, agents.Get("allow_if")
}

// Keywords of JSON Schema by what their values hold.
var (
	schemaKeywords = []string{"items", "additionalItems", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else",
		"unevaluatedItems", "unevaluatedProperties"}
	listKeywords = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	mapKeywords  = []string{"properties", "patternProperties", "dependentSchemas", "dependencies"}
)

// selfContained refuses what would give a schema its meaning from elsewhere:
// a rule that lets agents call unasked says everything where it stands.
func selfContained(r *fields.Reader, n *source.Node) {
	for _, m := range n.Members {
		switch {
		case strings.HasPrefix(m.Name, "$") && m.Name != "$comment", m.Name == "definitions":
			r.ReportName(m, fields.UnknownKey, `"allow_if" cannot hold %q`, m.Name).
				Advice = "write the rule out: it must say everything in one place"
		case slices.Contains(mapKeywords, m.Name):
			for _, s := range m.Value.Members {
				selfContained(r, s.Value)
			}
		case m.Value.Kind == source.Array && slices.Contains(listKeywords, m.Name):
			for _, s := range m.Value.Items {
				selfContained(r, s)
			}
		case slices.Contains(schemaKeywords, m.Name):
			selfContained(r, m.Value)
		}
	}
}

// ruleID names the schema of a rule: after its method, or after the profile
// that many methods share.
func (e *Entry) ruleID() string {
	if e.ruleShared {
		return e.Use + "/allow_if"
	}
	return fmt.Sprintf("%s/allow_if", e.Method)
}
