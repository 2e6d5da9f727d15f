package runtime

import (
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/policy"
)

// EndpointStatus is what a principal that may inspect an endpoint is told of
// how it is reached: no address, no header, no name of a secret, no limit.
type EndpointStatus struct {
	ID         string
	Contract   string // id of the contract
	Digest     string // of the compiled contract
	Authority  string // digest of contract, amendment, binding and rules
	Generation uint64
	Bound      bool // to a server
	Clearance  effect.Label
	Proxy      string // name of the proxy that leads the connections; "" is none
	Switches   []Switch
}

// Switch is a setting of a binding that is not the strict one.
type Switch string

const (
	SwitchNullError   Switch = "null_error"  // a null error beside a result is read as none
	SwitchNoVersion   Switch = "no_version"  // a response may lack its jsonrpc member
	SwitchReuse       Switch = "reuse"       // writes share connections: a lost one leaves them unknown
	SwitchDevelopment Switch = "development" // loopback may be dialled, and by http
	SwitchPrivate     Switch = "private"     // some private networks may be dialled
	SwitchPlaintext   Switch = "plaintext"   // some networks may be dialled by http
	SwitchJSONOnly    Switch = "json_only"   // stricter: answers must have the media type of JSON
)

// Inspect tells of the endpoint. A principal that may not inspect it is told
// what it would be told of one that does not exist.
func (c *Caller) Inspect() (EndpointStatus, error) {
	e := c.registry.current.Load().endpoints[c.endpoint]
	if e == nil || !c.grants.Holds(policy.EndpointResource(e.contract.header.Protocol, e.id), effect.RightRead) {
		return EndpointStatus{}, &RefusedError{Reason: ReasonUnknown, Endpoint: c.endpoint, Method: "*"}
	}
	s := EndpointStatus{
		ID: e.id, Contract: e.contract.header.ID, Digest: e.contract.digest, Authority: e.authority, Generation: e.generation,
		Bound: e.transport != nil, Clearance: e.clearance, Switches: e.switches(),
	}
	if e.transport != nil {
		s.Proxy = e.transport.Proxy()
	}
	return s, nil
}

// switches are in the order of their constants.
func (e *endpoint) switches() (list []Switch) {
	add := func(on bool, s Switch) {
		if on {
			list = append(list, s)
		}
	}
	add(e.tolerance.NullError, SwitchNullError)
	add(e.tolerance.NoVersion, SwitchNoVersion)
	add(e.connections == Reuse, SwitchReuse)
	if e.transport != nil {
		development, private, plaintext := e.transport.Admits()
		add(development, SwitchDevelopment)
		add(private, SwitchPrivate)
		add(plaintext, SwitchPlaintext)
	}
	add(e.jsonOnly, SwitchJSONOnly)
	return list
}
