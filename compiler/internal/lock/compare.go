package lock

import (
	"cmp"
	"slices"
	"strings"
)

// Kind says what a change is about.
type Kind string

const (
	ToolChanged     Kind = "tool"      // another release wrote the outputs
	ContractChanged Kind = "contract"  // a contract came, went, or moved to another package
	ServerChanged   Kind = "server"    // the default server is another one
	InputChanged    Kind = "input"     // a file that is read
	OutputChanged   Kind = "output"    // a file that is written
	ClassChanged    Kind = "class"     // who may call a method
	ClosedToChanged Kind = "closed-to" // kinds of caller that lost a method which stays open
	WireChanged     Kind = "wire"      // how a method is called
	ResultChanged   Kind = "result"    // what a method answers
	TextChanged     Kind = "text"      // a method's words
	DocChanged      Kind = "doc"       // a method's tags and extensions
)

// Change is one difference between two locks. Was or Now is "" where the
// thing did not exist.
type Change struct {
	Contract string // "" for the tool
	Kind     Kind
	Name     string // file or wire name; "" where the contract itself is meant
	Was, Now string
}

// Closes reports whether the change takes from everybody a method that
// somebody could call, although the owner decided nothing: it became stale or
// uncompilable.
func (c Change) Closes() bool {
	now := Class(c.Now)
	return c.Kind == ClassChanged && Class(c.Was).Open() && (now == ClassStale || now == ClassUncompiled)
}

// Compare lists what differs, in the order contract, kind, name, was, now. A nil
// lock is one without contracts.
func Compare(was, now *Lock) []Change {
	d := &differ{}
	d.tool(was, now)
	pair(contracts(was), contracts(now), func(c Contract) string { return c.ID }, d.contract)
	slices.SortFunc(d.changes, inOrder)
	return d.changes
}

// inOrder leaves no two different changes equal, so that the order does not
// depend on how they are sorted.
func inOrder(a, b Change) int {
	switch {
	case a.Contract != b.Contract:
		return cmp.Compare(a.Contract, b.Contract)
	case a.Kind != b.Kind:
		return cmp.Compare(a.Kind, b.Kind)
	case a.Name != b.Name:
		return cmp.Compare(a.Name, b.Name)
	default:
		return cmp.Or(cmp.Compare(a.Was, b.Was), cmp.Compare(a.Now, b.Now))
	}
}

func contracts(l *Lock) []Contract {
	if l == nil {
		return nil
	}
	return l.Contracts
}

type differ struct {
	id      string
	changes []Change
}

func (d *differ) add(kind Kind, name, was, now string) {
	if was != now {
		d.changes = append(d.changes, Change{d.id, kind, name, was, now})
	}
}

func (d *differ) tool(was, now *Lock) {
	if was != nil && now != nil {
		d.add(ToolChanged, "", was.Tool, now.Tool)
	}
}

func (d *differ) contract(id string, was, now Contract) {
	d.id = id
	d.add(ContractChanged, "", was.Package, now.Package)
	d.add(ServerChanged, "", was.DefaultServer, now.DefaultServer)
	pair(was.Inputs, now.Inputs, func(i Input) string { return i.File }, func(name string, was, now Input) {
		d.add(InputChanged, name, was.Digest, now.Digest)
	})
	pair(was.Outputs, now.Outputs, func(o Output) string { return o.File }, func(name string, was, now Output) {
		d.add(OutputChanged, name, was.Digest, now.Digest)
	})
	pair(was.Methods, now.Methods, func(m Method) string { return m.Name }, d.method)
}

func (d *differ) method(name string, was, now Method) {
	d.add(ClassChanged, name, string(was.Class), string(now.Class))
	d.add(ClosedToChanged, name, strings.Join(was.ClosedTo, " "), strings.Join(now.ClosedTo, " "))
	d.add(WireChanged, name, was.Digests.Wire, now.Digests.Wire)
	d.add(ResultChanged, name, was.Digests.Result, now.Digests.Result)
	d.add(TextChanged, name, was.Digests.Text, now.Digests.Text)
	d.add(DocChanged, name, was.Digests.Doc, now.Digests.Doc)
}

// pair calls f for each key of either list, with the zero value for what one
// of them lacks.
func pair[T any](was, now []T, key func(T) string, f func(key string, was, now T)) {
	before := make(map[string]T, len(was))
	for _, v := range was {
		before[key(v)] = v
	}
	for _, v := range now {
		k := key(v)
		f(k, before[k], v)
		delete(before, k)
	}
	for _, v := range was {
		if _, gone := before[key(v)]; gone {
			var none T
			f(key(v), v, none)
		}
	}
}
