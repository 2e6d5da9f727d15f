package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// identity is what a schema is called.
type identity struct {
	id   string // unique within the graph
	name string // of the component, "" for a schema that is none
}

// spot is where a schema is written that stands where it is used: under a
// keyword of the schema with the id above, token below it as in step.
type spot struct{ above, keyword, token string }

// nowhere is the spot of what is reached in another way.
var nowhere spot

func (s spot) id() string { return extend(s.above, step(s.keyword, s.token)) }

// given returns the id that a caller gave to a schema, "" for none.
func (g *Graph) given(n *source.Node) string {
	if f := g.facts.Find(n); f != nil {
		return f.id
	}
	return ""
}

// identity names a schema: a component by its name, a schema that is written
// where it is used by the ID that its use gives it, any other by its place.
func (g *Graph) identity(n *source.Node, used bool, inPlace spot) identity {
	name, ok := g.component(n)
	if ok {
		return identity{g.unique(extend("", escape(g.qualified(n, name)))), name}
	}
	given := g.given(n)
	switch {
	case given != "":
		return identity{id: g.unique(extend("", given))}
	case used && inPlace != nowhere:
		return identity{id: g.unique(inPlace.id())}
	}
	id, shared := g.located(n)
	return identity{g.unique(id), shared}
}

// component returns the name of a schema in a container of named schemas, or
// of a file that is one schema as a whole.
func (g *Graph) component(n *source.Node) (string, bool) {
	if n.Parent == nil {
		if n.File == nil || n.File == g.refs.Files()[0] || isDocument(n) || strings.Contains(n.File.Name, "://") {
			return "", false
		}
		return stem(n.File), true
	}
	if !isContainer(n.Parent) {
		return "", false
	}
	return lastToken(n), true
}

// isContainer reports whether p is components/schemas, definitions or $defs,
// and not the schema of a property of that name.
func isContainer(p *source.Node) bool {
	up := p.Parent
	if up == nil || p.Kind != source.Object {
		return false
	}
	if up.Get("schemas") == p {
		return up.Parent != nil && up.Parent.Parent == nil && up.Parent.Get("components") == up
	}
	if up.Get("definitions") != p && up.Get("$defs") != p {
		return false
	}
	return up.Parent == nil || up.Parent.Get("properties") != up
}

// located names a schema by its place: the component or root above it and the
// steps from there; without one, by its pointer. What a reference names
// outside of any schema is shared, and its last token is its name.
func (g *Graph) located(n *source.Node) (id, shared string) {
	depth := 0
	for up := n; up != nil; up = up.Parent {
		base := g.given(up)
		ok := base != ""
		if name, named := g.component(up); named {
			base, ok = extend("", escape(g.qualified(up, name))), true
		}
		if ok && depth > 0 {
			return steps(base, up, lastTokens(n, depth)), ""
		}
		depth++
	}
	tokens := lastTokens(n, depth-1)
	if len(tokens) == 0 {
		return "schema", ""
	}
	for i, token := range tokens {
		tokens[i] = escape(token)
	}
	last := tokens[len(tokens)-1]
	if _, err := strconv.Atoi(last); err != nil && last != "schema" && keywords[last].in == inNone {
		shared = last
	}
	id = strings.Join(tokens, "/")
	if home := homeOf(n); home != nil && home != g.refs.Files()[0] {
		id = escape(path.Base(home.Name)) + "#/" + id
	}
	return extend("", id), shared
}

// steps adds to the ID of a schema the way down to another, given in tokens.
func steps(id string, from *source.Node, tokens []string) string {
	n := from
	for i := 0; i < len(tokens); i++ {
		name, token := tokens[i], ""
		next := down(n, name)
		k, ok := keywords[name]
		if ok && next != nil && i+1 < len(tokens) && (k.holds >= holdsMap || next.Kind == source.Array) {
			i++
			token = tokens[i]
			next = down(next, token)
		}
		id = extend(id, step(name, token))
		n = next
	}
	return id
}

// extend adds a step to an ID. IDs are for people: beyond a length a digest
// stands for the rest, or a few long names at a great depth would make every
// ID below them as long.
func extend(id, step string) string {
	const most, kept = 400, 160
	if len(id)+len(step) <= most {
		return id + step
	}
	sum := sha256.Sum256([]byte(id + step))
	return strings.ToValidUTF8(id[:min(kept, len(id))], "") + "~" + hex.EncodeToString(sum[:8])
}

func down(n *source.Node, token string) *source.Node {
	if n == nil {
		return nil
	}
	if n.Kind == source.Array {
		if i, err := strconv.Atoi(token); err == nil && i < len(n.Items) {
			return n.Items[i]
		}
		return nil
	}
	return n.Get(token)
}

// qualified marks a name with its file where the document has another of that
// name, so that the document's own names never depend on other files.
func (g *Graph) qualified(n *source.Node, name string) string {
	document := g.refs.Files()[0]
	home := homeOf(n)
	if home == document || home == nil {
		return name
	}
	for _, c := range [...]*source.Node{
		document.Root.Get("components").Get("schemas"), document.Root.Get("definitions"), document.Root.Get("$defs"),
	} {
		if c.Get(name) != nil {
			return name + "@" + stem(home)
		}
	}
	return name
}

// homeOf returns the file whose tree n is in. A correction puts values of
// another file into the document's tree; they belong to the document.
func homeOf(n *source.Node) *source.File {
	for n.Parent != nil {
		n = n.Parent
	}
	return n.File
}

// stem is a file's name without folder and extension.
func stem(f *source.File) string {
	base := path.Base(f.Name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// unique returns id, with a number behind it when it is taken. The order in
// which schemas are met is the document's, so the number is stable.
func (g *Graph) unique(id string) string {
	name := id
	for g.taken[name] > 0 {
		g.taken[id]++
		name = id + "~" + strconv.Itoa(g.taken[id])
	}
	g.taken[name]++
	return name
}

func lastToken(n *source.Node) string {
	if t := lastTokens(n, 1); len(t) == 1 {
		return t[0]
	}
	return ""
}

func lastTokens(n *source.Node, count int) []string {
	tokens, err := n.Pointer().Tokens()
	if err != nil || count > len(tokens) {
		return nil
	}
	return tokens[len(tokens)-count:]
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

func escape(token string) string {
	if strings.IndexByte(token, '~') < 0 && strings.IndexByte(token, '/') < 0 {
		return token
	}
	return escaper.Replace(token)
}
