// Package example holds the examples of a contract against its schemas, with
// the engine that calls go through. It changes nothing: an example that does
// not fit is a warning, and no reason to refuse a method. Start with Check.
package example

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// Codes of what Check finds.
const (
	CodeMismatch  = "example-mismatch"  // a value breaks its schema
	CodeDefault   = "default-mismatch"  // a default breaks its schema
	CodeParams    = "example-params"    // the params are not those of the method
	CodeUndecided = "example-undecided" // a value that the engine could not judge
	CodeUnchecked = "example-unchecked" // examples beyond the bounds
)

// Pairing is one example pairing of a method, its params put in the places
// that the method declares for them.
type Pairing struct {
	Method  int // index in the contract's methods
	Example *contract.Example
	Params  []*source.Node // index-aligned with the method's params; nil is absent
	// Fits says that everything was checked and holds. A pairing that was not
	// checked does not fit.
	Fits bool
}

// Bounds of one run. The zero value means the defaults.
type Bounds struct {
	Bytes int64 // of values together; 64 MiB
	Stuck int   // values that the engine gives up on before nothing more is checked; 3
}

// Check holds the example pairings of all methods that are not refused against
// their schemas, in document order. What the list says is no error. A value
// that several pairings share is checked once for each schema.
func Check(c *contract.Contract, g *schema.Graph, refused func(index int) bool, b Bounds) ([]Pairing, diag.List) {
	k := newChecking(g, b)
	var pairings []Pairing
	for i, m := range c.Methods {
		if m.Faults.HasErrors() || refused(i) {
			continue
		}
		for e := range m.Examples {
			pairings = append(pairings, k.pairing(i, m, &m.Examples[e]))
		}
	}
	if k.unchecked > 0 {
		k.found.Add(diag.Noted(k.first, CodeUnchecked, "%d example pairings, of which this is the first, were not checked: together they are too much", k.unchecked))
	}
	return pairings, k.found.Sort()
}

func newChecking(g *schema.Graph, b Bounds) *checking {
	unions, err := rt.NewUnions() // shared, so that a graph of nodes is prepared once
	if err != nil {
		panic(err)
	}
	if b.Bytes == 0 {
		b.Bytes = 64 << 20
	}
	if b.Stuck == 0 {
		b.Stuck = 3
	}
	return &checking{graph: g, unions: unions, left: b, code: CodeMismatch, checkers: map[*rt.Node]*rt.Checker{}, known: map[use]result{}}
}

// checking is one run.
type checking struct {
	graph    *schema.Graph
	unions   *rt.Unions
	left     Bounds
	checkers map[*rt.Node]*rt.Checker
	known    map[use]result
	found    diag.List
	code     string          // of what does not fit
	broken   map[string]bool // ids of schemas that admit nothing because of a fault

	unchecked int
	first     *source.Node // the first pairing that was not checked
}

// use is a value held against a schema.
type use struct {
	schema *rt.Node
	value  *source.Node
}

type result uint8

const (
	fits result = iota + 1
	breaks
	unchecked
)

// pairing checks one pairing.
func (k *checking) pairing(i int, m *contract.Method, e *contract.Example) Pairing {
	what := fmt.Sprintf("of example %q of %q", clip(e.Name), clip(m.Name))
	params, ok := k.place(m, e, what)
	p := Pairing{Method: i, Example: e, Params: params}
	all := result(fits)
	for n, value := range params {
		if value != nil {
			id := m.Name + "/params/" + m.Params[n].Name
			all = max(all, k.value(k.graph.Node(m.Params[n].Schema, id), value, fmt.Sprintf("param %q %s", clip(m.Params[n].Name), what)))
		}
	}
	if m.Result != nil && e.Result != nil {
		all = max(all, k.value(k.graph.Node(m.Result.Schema, m.Name+"/result"), e.Result, "the result "+what))
	}
	if all == unchecked {
		if k.unchecked == 0 {
			k.first = e.Node
		}
		k.unchecked++
	}
	p.Fits = ok && all == fits
	return p
}

// value holds one value against a node and reports why it does not fit.
func (k *checking) value(n *rt.Node, value *source.Node, what string) result {
	at := use{n, value}
	if r := k.known[at]; r != 0 {
		return r
	}
	r := k.judge(n, value, what)
	k.known[at] = r
	return r
}

func (k *checking) judge(n *rt.Node, value *source.Node, what string) result {
	if k.left.Bytes <= 0 || k.left.Stuck == 0 {
		return unchecked
	}
	text := value.JSON()
	k.left.Bytes -= int64(len(text)) + 64
	checker, err := k.checker(n)
	if err == nil {
		err = checker.Check(text)
	}
	if err == nil {
		return fits
	}
	k.report(value, err, what)
	return breaks
}

func (k *checking) checker(n *rt.Node) (*rt.Checker, error) {
	if c := k.checkers[n]; c != nil {
		return c, nil
	}
	codec, err := rt.Bind[rt.Raw](n, k.unions)
	if err != nil {
		return nil, err
	}
	k.checkers[n] = codec.Checker()
	return k.checkers[n], nil
}
