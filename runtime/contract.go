package runtime

import (
	"fmt"
	"sync"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// Contract is an opened contract.json. Its methods are read when they are
// first used. It is immutable and may be shared by registries and goroutines.
type Contract struct {
	file   *compiled.File
	header compiled.Header
	digest string
	names  []string // in document order
	byName map[string]*method
	ids    func() map[string]string // logical id -> wire name
}

// Open reads the bytes of a contract.json, which must not change afterwards.
// Generated packages do it through Embedded.
func Open(b []byte) (*Contract, error) {
	file, err := compiled.Read(b)
	if err != nil {
		return nil, err
	}
	c := &Contract{
		file: file, header: file.Header(), digest: compiled.Digest(b),
		names: file.MethodNames(), byName: map[string]*method{},
	}
	if p := c.header.Protocol; p != "jsonrpc" && p != "http" {
		return nil, fmt.Errorf("contract %q: the protocol %q is not known", c.header.ID, p)
	}
	for _, name := range c.names {
		c.byName[name] = &method{contract: c, name: name, prefix: envelope.Prefix(name)}
	}
	c.ids = sync.OnceValue(c.readIDs)
	return c, nil
}

// Header returns what the contract says of itself. Title and Version are the
// document's words and untrusted.
func (c *Contract) Header() compiled.Header { return c.header }

// Digest returns the digest of the compiled contract's bytes: document,
// amendment and all that was decided from them.
func (c *Contract) Digest() string { return c.digest }

// MethodNames returns the wire names of all methods, closed ones included, in
// document order.
func (c *Contract) MethodNames() []string { return append([]string(nil), c.names...) }

// Method returns what the contract holds about a method. Do not change it.
func (c *Contract) Method(name string) (*compiled.Method, error) { return c.file.Method(name) }

// WireName returns the wire name of the method with a logical id.
func (c *Contract) WireName(id string) (name string, ok bool) {
	name, ok = c.ids()[id]
	return name, ok
}

func (c *Contract) readIDs() map[string]string {
	ids := map[string]string{}
	for _, name := range c.names {
		if m, err := c.file.Method(name); err == nil {
			ids[m.ID] = name
		}
	}
	return ids
}

// method is a method of a contract, read once.
type method struct {
	contract *Contract
	name     string
	prefix   []byte // of its requests

	once   sync.Once
	m      *compiled.Method
	err    error
	until  time.Time // first moment at which the entry has expired; zero: never
	params *schema.Checker
	result *schema.Checker
	check  sync.Once
	broken error // why there are no checkers
	rule   sync.Once
	admits *schema.Checker // of allow_if
	unruly error           // why there is none
}

// load reads the method.
func (m *method) load() (*compiled.Method, error) {
	m.once.Do(func() {
		if m.m, m.err = m.contract.file.Method(m.name); m.err == nil {
			m.until, m.err = readUntil(m.m.Authority.Until)
		}
	})
	return m.m, m.err
}

// readUntil returns the end of the last valid day, in UTC.
func readUntil(day string) (time.Time, error) {
	if day == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return t, fmt.Errorf("the entry's last day %.20q is not a date", day)
	}
	return t.AddDate(0, 0, 1), nil
}

// checkers returns the checkers of params and result for untyped callers; a
// nil one means that there is nothing to check.
func (m *method) checkers() (params, result *schema.Checker, err error) {
	m.check.Do(func() {
		if m.m.ParamsNode != nil {
			m.params, m.broken = schema.NewChecker(m.m.ParamsNode)
		}
		if m.m.ResultNode != nil && m.broken == nil {
			m.result, m.broken = schema.NewChecker(m.m.ResultNode)
		}
	})
	return m.params, m.result, m.broken
}
