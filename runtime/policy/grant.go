// Package policy decides: rights and rules in, a decision out. It knows
// nothing of Go types, the network or stores. Every decision is total: it has
// a value and its reasons, and whatever is unclear denies. Start with Grants
// and Decide.
package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// Kind says what kind of caller a principal is. The zero Kind is invalid.
type Kind string

const (
	Code  Kind = "code"  // a Go program calling a generated client
	Agent Kind = "agent" // a tool call of a model
)

// Valid reports whether k is one of the two kinds.
func (k Kind) Valid() bool { return k == Code || k == Agent }

// Grant gives rights on a resource:
//
//	jsonrpc_endpoint:ID       one endpoint's record (read: list and inspect it)
//	jsonrpc_endpoint:*        every endpoint's record
//	jsonrpc:ID:METHOD         one method, by its logical id
//	jsonrpc:ID:PREFIX*        the methods of one endpoint whose id starts so
//	jsonrpc:*                 every method
//
// and the same with http for jsonrpc. A Grant without rights grants nothing.
type Grant struct {
	Resource string
	Rights   []effect.Right
}

// EndpointResource names the record of an endpoint.
func EndpointResource(protocol, endpoint string) string {
	return protocol + "_endpoint:" + endpoint
}

// MethodResource names a method by its logical id.
func MethodResource(protocol, endpoint, method string) string {
	return protocol + ":" + endpoint + ":" + method
}

// Grants are checked grants. The zero value grants nothing. It is immutable.
type Grants struct {
	exact    map[string][]effect.Right
	prefixes []Grant // resources without their asterisk
}

// NewGrants checks grants and gathers them.
func NewGrants(grants []Grant) (Grants, error) {
	g := Grants{exact: map[string][]effect.Right{}}
	for _, one := range grants {
		if err := checkGrant(one); err != nil {
			return Grants{}, fmt.Errorf("grant %q: %w", one.Resource, err)
		}
		if prefix, wild := strings.CutSuffix(one.Resource, "*"); wild {
			g.prefixes = append(g.prefixes, Grant{prefix, slices.Clone(one.Rights)})
			continue
		}
		g.exact[one.Resource] = append(g.exact[one.Resource], one.Rights...)
	}
	return g, nil
}

// Holds reports whether right is granted on resource. No right implies another.
func (g Grants) Holds(resource string, right effect.Right) bool {
	if slices.Contains(g.exact[resource], right) {
		return true
	}
	return slices.ContainsFunc(g.prefixes, func(p Grant) bool {
		return strings.HasPrefix(resource, p.Resource) && slices.Contains(p.Rights, right)
	})
}

// HoldsAny reports whether any right is granted on resource.
func (g Grants) HoldsAny(resource string) bool {
	return g.Holds(resource, effect.RightRead) || g.Holds(resource, effect.RightWrite) || g.Holds(resource, effect.RightExecute)
}

// HoldsUnder reports whether any right is granted on any resource that starts
// with prefix.
func (g Grants) HoldsUnder(prefix string) bool {
	for resource, rights := range g.exact {
		if len(rights) > 0 && strings.HasPrefix(resource, prefix) {
			return true
		}
	}
	return slices.ContainsFunc(g.prefixes, func(p Grant) bool {
		return len(p.Rights) > 0 && (strings.HasPrefix(p.Resource, prefix) || strings.HasPrefix(prefix, p.Resource))
	})
}

func checkGrant(g Grant) error {
	for _, r := range g.Rights {
		if !r.Valid() {
			return fmt.Errorf("the right %q is not read, write or execute", r)
		}
	}
	kind, rest, ok := strings.Cut(g.Resource, ":")
	if !ok {
		return fmt.Errorf("the resource is not KIND:NAME")
	}
	switch kind {
	case "jsonrpc_endpoint", "http_endpoint":
		if rest == "*" || CheckEndpoint(rest) == nil {
			return nil
		}
	case "jsonrpc", "http":
		endpoint, method, both := strings.Cut(rest, ":")
		name, wild := strings.CutSuffix(method, "*")
		if rest == "*" || both && CheckEndpoint(endpoint) == nil && (wild && name == "" || checkID(name, 64) == nil) {
			return nil
		}
	default:
		return fmt.Errorf("the kind %q is not jsonrpc, jsonrpc_endpoint, http or http_endpoint", kind)
	}
	return fmt.Errorf("the name is not an id, or has an asterisk elsewhere than at its end")
}

// CheckEndpoint reports why id is not an endpoint id: [a-z][a-z0-9_]{0,63}.
func CheckEndpoint(id string) error {
	if err := checkID(id, 64); err != nil {
		return err
	}
	if id[0] < 'a' || id[0] > 'z' {
		return fmt.Errorf("the id %q does not start with a letter", id)
	}
	return nil
}

func checkID(id string, most int) error {
	if id == "" || len(id) > most {
		return fmt.Errorf("the id %q is not 1 to %d bytes long", id, most)
	}
	for i := range len(id) {
		c := id[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return fmt.Errorf("the id %q holds other bytes than a-z, 0-9 and _", id)
		}
	}
	return nil
}
