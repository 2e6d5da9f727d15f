package runtime

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/envelope"
	"github.com/openrpc-go/rpcgen/runtime/policy"
	"github.com/openrpc-go/rpcgen/runtime/transport"
)

// Connections says whether writes may use connections that served other calls.
type Connections string

const (
	// Fresh opens a connection for every write: nothing can be lost on one that
	// the server was about to close. Reads always share connections.
	Fresh Connections = "fresh"
	// Reuse lets writes share connections too; a write on a connection that
	// turns out to be gone ends with unknown delivery.
	Reuse Connections = "reuse"
)

// Binding says where an endpoint is and how the host reaches it. Hosts write
// it; generated code and models never see it. Its zero value binds to the
// default server of the contract, if the contract has one.
type Binding struct {
	URL     string // https://host[:port]/path[?query]; "" takes the contract's default server
	Headers []Header
	// Sign returns further headers computed over the final request; SignName
	// stands for it in digests.
	Sign     SignFunc
	SignName string

	// Development admits loopback, and http to it.
	Development bool
	// Networks are private networks that may be dialled; PlaintextNetworks may
	// be dialled by http as well. Everything else must be public and https.
	Networks, PlaintextNetworks []netip.Prefix
	Addresses                   []netip.Addr // pinned, tried in order while nothing was sent
	// Proxy leads the connections; nil is none, whatever the environment says.
	// It is a trust boundary: see transport.Proxy.
	Proxy *Proxy

	Roots        *x509.CertPool // nil: the system's, which its environment may choose
	Certificates []tls.Certificate
	PublicKeys   []string // "sha256/<base64>" of accepted keys

	Limits      Limits
	Connections Connections // for writes; "" is Fresh
	// Clearance is the most confined information the endpoint may be sent and
	// may return; "" is confidential.
	Clearance effect.Label
	// Rules of the host, asked in order. They can only tighten.
	Rules []Rule
	// Budgets bound what calls of the endpoint may use, beside the amendment's
	// and those of the registry.
	Budgets []Budget
	// Tolerance admits habits of servers that break JSON-RPC 2.0.
	Tolerance envelope.Tolerance

	// JSONOnly refuses answers whose media type is not JSON's. Many servers send
	// JSON as text/plain, so the zero value reads any.
	JSONOnly bool

	// Resolver and Dial replace the resolver and the TCP dialer. Addresses are
	// judged before Dial is asked, whatever it does. Tests set traps here.
	Resolver transport.Resolver
	Dial     transport.DialFunc
}

// endpoint is a registered endpoint: immutable, and complete when built.
type endpoint struct {
	id          string
	contract    *Contract
	transport   *transport.Endpoint // nil: unbound
	limits      transport.Limits
	connections Connections
	clearance   effect.Label
	rules       []Rule
	budgets     []Budget
	tolerance   envelope.Tolerance
	jsonOnly    bool
	authority   string // digest of all of it
	generation  uint64
}

// newEndpoint checks a binding. It contacts nothing and reads no secret.
func newEndpoint(id string, c *Contract, b Binding, now func() time.Time) (*endpoint, error) {
	if err := policy.CheckEndpoint(id); err != nil {
		return nil, err
	}
	if c == nil {
		return nil, fmt.Errorf("endpoint %q: no contract", id)
	}
	if p := c.header.Protocol; p != "jsonrpc" {
		return nil, fmt.Errorf("endpoint %q: calls over the protocol %q are not supported yet", id, p)
	}
	e := &endpoint{
		id: id, contract: c, connections: b.Connections, clearance: b.Clearance,
		rules: append([]Rule(nil), b.Rules...), budgets: append([]Budget(nil), b.Budgets...), tolerance: b.Tolerance, jsonOnly: b.JSONOnly,
	}
	if err := e.bind(b, now); err != nil {
		return nil, fmt.Errorf("endpoint %q: %w", id, err)
	}
	e.authority = e.digest()
	return e, nil
}

func (e *endpoint) bind(b Binding, now func() time.Time) error {
	switch e.connections {
	case "":
		e.connections = Fresh
	case Fresh, Reuse:
	default:
		return fmt.Errorf("connections %q is not fresh or reuse", e.connections)
	}
	if e.clearance == "" {
		e.clearance = effect.Confidential
	}
	if !e.clearance.Valid() {
		return fmt.Errorf("clearance %q is not public, internal, confidential or secret", e.clearance)
	}
	if err := errors.Join(policy.CheckRules(e.rules), checkBudgets(e.budgets)); err != nil {
		return err
	}
	if b.URL == "" {
		b.URL = e.contract.header.DefaultURL
	}
	config := transport.Config{
		URL: b.URL, Headers: b.Headers, Sign: b.Sign, SignName: b.SignName,
		Development: b.Development, Networks: b.Networks, Plaintext: b.PlaintextNetworks, Addresses: b.Addresses,
		Proxy: b.Proxy, Roots: b.Roots, Certificates: b.Certificates, PublicKeys: b.PublicKeys,
		Limits: b.Limits, Resolver: b.Resolver, Dial: b.Dial, Now: now,
	}
	var err error
	if e.limits, err = b.Limits.WithDefaults(); err != nil || b.URL == "" {
		return err // without a URL it is unbound, and calls are refused
	}
	e.transport, err = transport.New(config)
	return err
}

// digest is the authority digest: contract (with its amendment), binding
// without secrets, and rules.
func (e *endpoint) digest() string {
	parts := [][]byte{[]byte(e.contract.digest)}
	add := func(texts ...string) {
		for _, t := range texts {
			parts = append(parts, []byte(t))
		}
	}
	if e.transport != nil {
		add(e.transport.Parts()...)
	}
	add("connections", string(e.connections), "clearance", string(e.clearance), "tolerance", fmt.Sprint(e.tolerance, e.jsonOnly))
	for _, r := range e.rules {
		add("rule", r.Name, r.Version)
	}
	for _, b := range e.budgets {
		add("budget", fmt.Sprint(b))
	}
	return canonical.Digest("registry", parts...)
}

// close gives up idle connections. Calls under way end undisturbed.
func (e *endpoint) close() {
	if e.transport != nil {
		e.transport.Close()
	}
}
