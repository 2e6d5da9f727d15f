package reference

import (
	"net/url"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Codes of the faults that this package reports, all at the reference.
const (
	CodeSyntax     = "bad-reference"          // not a reference
	CodeDangling   = "dangling-reference"     // names nothing
	CodeCycle      = "reference-cycle"        // references that lead only to each other
	CodeChain      = "reference-chain"        // more references in a row than anybody needs
	CodeRemote     = "remote-reference"       // a URI that no local schema states
	CodeOutside    = "reference-outside-root" // a file that may not be reached
	CodeUnreadable = "unreadable-reference"   // a file that could not be read
	CodeAmbiguous  = "ambiguous-reference"    // a URI that two schemas state
)

// Resolve returns the node that ref names. at is the object that holds the
// reference: its file and the $id around it are the base. An object that is
// nothing but a $ref is followed further, so the result is never one; a ring
// of those is a fault.
func (s *Set) Resolve(at *source.Node, ref string) (*source.Node, *diag.Diagnostic) {
	start := place(at, ref)
	seen := map[*source.Node]bool{at: isPure(at)}
	for {
		target, fault := s.Step(at, ref)
		if fault != nil {
			return nil, s.from(start, fault)
		}
		if !isPure(target) {
			return target, nil
		}
		if seen[target] {
			return nil, cycle(start, target)
		}
		if len(seen) > maxHops {
			return nil, chain(start, target)
		}
		seen[target] = true
		at, ref = target, target.Members[0].Value.Text
	}
}

// maxHops is how many references may lead to one another in a row: each use
// follows them all.
const maxHops = 32

// isPure reports whether n is an object with a $ref and nothing beside it.
func isPure(n *source.Node) bool {
	return n.Kind == source.Object && len(n.Members) == 1 &&
		n.Members[0].Name == "$ref" && n.Members[0].Value.Kind == source.String
}

// Step returns the node that ref names, even when that is a reference itself.
// It is for callers to whom the schemas on the way matter.
func (s *Set) Step(at *source.Node, ref string) (*source.Node, *diag.Diagnostic) {
	uri, fragment, _ := strings.Cut(ref, "#")
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return nil, fault(at, ref, CodeSyntax, "%q has a %% that two hexadecimal digits do not follow", clip(ref))
	}
	root, d := s.resource(at, ref, uri)
	if d != nil {
		return nil, d
	}
	switch {
	case fragment == "":
		return root, nil
	case fragment[0] != '/':
		return s.anchored(at, ref, root, fragment)
	}
	return s.pointed(at, ref, root, source.Pointer(fragment))
}

// resource finds the root that the part before the # names.
func (s *Set) resource(at *source.Node, ref, uri string) (*source.Node, *diag.Diagnostic) {
	if uri == "" {
		return s.Resource(at), nil
	}
	target, d := s.target(at, ref, uri)
	if d != nil {
		return nil, d
	}
	key := target.String()
	if twin := s.twins[key]; twin != nil {
		d := fault(at, ref, CodeAmbiguous, "two schemas state the URI %q", clip(uri))
		with := d.WithRelated(s.uris[key], "here").WithRelated(twin, "and here")
		return nil, &with
	}
	if n := s.uris[key]; n != nil {
		return n, nil
	}
	if target.Scheme == scheme {
		return s.file(at, ref, target.Path[1:])
	}
	return s.published(at, ref, target)
}

// target resolves uri against the base of at.
func (s *Set) target(at *source.Node, ref, uri string) (*url.URL, *diag.Diagnostic) {
	u, err := url.Parse(uri)
	if err != nil || strings.ContainsAny(uri, "\\\x00") {
		return nil, fault(at, ref, CodeSyntax, "%q is not a URI reference", clip(ref))
	}
	switch strings.ToLower(u.Scheme) {
	case scheme:
		return nil, fault(at, ref, CodeSyntax, "%q is not a URI reference", clip(ref))
	case "file":
		return nil, advise(fault(at, ref, CodeOutside, "%q is a file URL, which is never followed", clip(ref)),
			"write the path relative to this file")
	case "":
		if base := s.base(at); base.Scheme == scheme {
			return s.relative(at, ref, base, u)
		}
	}
	u = s.base(at).ResolveReference(u)
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}

func (s *Set) anchored(at *source.Node, ref string, root *source.Node, name string) (*source.Node, *diag.Diagnostic) {
	if n := s.anchors[anchor{root, name}]; n != nil {
		return n, nil
	}
	d := fault(at, ref, CodeDangling, "%q names nothing: no anchor %q is declared", clip(ref), clip(name))
	return nil, s.suggest(d, name, "%q", func(yield func(string) bool) {
		for a := range s.anchors {
			if a.resource == root && !yield(a.name) {
				return
			}
		}
	})
}

// pointed walks a JSON Pointer from root.
func (s *Set) pointed(at *source.Node, ref string, root *source.Node, p source.Pointer) (*source.Node, *diag.Diagnostic) {
	tokens, err := p.Tokens()
	if err != nil {
		return nil, fault(at, ref, CodeSyntax, "%q: %v", clip(ref), err)
	}
	n := root
	for i, token := range tokens {
		next := child(n, token)
		if next == nil {
			return nil, s.around(at, root, tokens, s.dangling(at, ref, root, n, joined(tokens[:i]), token))
		}
		n = next
	}
	return n, nil
}

func joined(tokens []string) (p source.Pointer) {
	for _, token := range tokens {
		p = p.Append(token)
	}
	return p
}

// child is one step of a JSON Pointer. An index is digits without a leading
// zero (RFC 6901 section 4); "-" names no element that exists.
func child(n *source.Node, token string) *source.Node {
	switch n.Kind {
	case source.Object:
		return n.Get(token)
	case source.Array:
		if i, ok := index(token); ok && i < len(n.Items) {
			return n.Items[i]
		}
	}
	return nil
}

func index(token string) (int, bool) {
	if token == "" || len(token) > 9 || token != "0" && token[0] == '0' {
		return 0, false
	}
	i := 0
	for _, c := range []byte(token) {
		if c < '0' || c > '9' {
			return 0, false
		}
		i = i*10 + int(c-'0')
	}
	return i, true
}
