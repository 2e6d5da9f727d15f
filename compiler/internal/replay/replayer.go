package replay

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler/internal/traffic"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// Replayer judges exchanges by one contract. It is for one goroutine.
type Replayer struct {
	methods map[string]*method
}

// method is a method with its checkers, made at the first use.
type method struct {
	*compiled.Method
	either   bool
	params   *schema.Checker
	result   *schema.Checker
	failures map[*schema.Node]*schema.Checker // of error data
}

// Options are the facts that the compiled contract does not hold.
type Options struct {
	// Either has the methods whose params may travel by name or by position.
	Either map[string]bool
}

// New returns a Replayer for a contract of JSON-RPC methods.
func New(c *compiled.Contract, o Options) (*Replayer, error) {
	if c.Protocol != "jsonrpc" {
		return nil, fmt.Errorf("contract %s is of protocol %s: only JSON-RPC traffic can be replayed", c.ID, c.Protocol)
	}
	r := &Replayer{methods: make(map[string]*method, len(c.Methods))}
	for _, m := range c.Methods {
		r.methods[m.Name] = &method{Method: m, either: o.Either[m.Name]}
	}
	return r, nil
}

// Judge says how an exchange stands to the contract.
func (r *Replayer) Judge(x traffic.Exchange) *Verdict {
	j := &judge{replayer: r, exchange: x}
	j.verdict.Place = x.Request.At(0)
	j.verdict.Request = j.request()
	j.verdict.Response = j.response()
	return &j.verdict
}

// judge is the work on one exchange.
type judge struct {
	replayer *Replayer
	exchange traffic.Exchange
	verdict  Verdict

	method       *method // nil: unknown, or the request could not be read
	batch        bool
	notification bool
	id           []byte // nil: the request could not be read, or has none
	read         bool   // the request could be read
}

// check holds a value against a node, by a checker that is kept in *kept.
func check(kept **schema.Checker, n *schema.Node, value []byte) error {
	if *kept == nil {
		c, err := schema.NewChecker(n)
		if err != nil {
			return err
		}
		*kept = c
	}
	return (*kept).Check(value)
}

func (m *method) checkFailure(n *schema.Node, data []byte) error {
	if m.failures == nil {
		m.failures = map[*schema.Node]*schema.Checker{}
	}
	kept := m.failures[n]
	defer func() { m.failures[n] = kept }()
	return check(&kept, n, data)
}
