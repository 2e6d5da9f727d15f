package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
)

// Request is one POST of a JSON body.
type Request struct {
	Body []byte // must not change until Send has returned
	// Reuse lets the exchange use a connection that served another one
	// before, and leave its own to the next.
	Reuse bool
	// Room may be given for the body of the response: where it is large enough
	// Response.Body lies in it.
	Room []byte
	// Response tightens the endpoint's limit of response bytes; 0 leaves it.
	Response int64
}

// Prepared is a request with its secrets and addresses, ready to be sent once.
// It prints as [redacted]. Send or Release it.
type Prepared struct {
	endpoint  *Endpoint
	request   Request
	payload   []byte // head and body
	head      int
	addresses []netip.Addr
	secrets   []string // long enough to be looked for in answers
	spent     bool
}

// Format redacts: the head holds secrets.
func (p Prepared) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) }

// Prepare waits for a free slot, finds and judges the addresses, resolves the
// secrets and builds the final bytes. No request byte is sent. Its errors are
// *ConfigError.
func (e *Endpoint) Prepare(ctx context.Context, r Request) (*Prepared, error) {
	if int64(len(r.Body)) > e.config.Limits.Request {
		return nil, &ConfigError{"request", fmt.Sprintf("longer than %d bytes", e.config.Limits.Request), nil}
	}
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, &ConfigError{"request", "no free slot before the deadline", ctx.Err()}
	}
	p := &Prepared{endpoint: e, request: r}
	if err := p.fill(ctx); err != nil {
		p.Release()
		return nil, err
	}
	return p, nil
}

// Release gives the slot back. Only the first call of Release or Send counts.
func (p *Prepared) Release() {
	if !p.spent {
		p.spent = true
		<-p.endpoint.slots
	}
}

func (p *Prepared) fill(ctx context.Context) error {
	var err error
	if p.addresses, err = p.endpoint.resolve(ctx); err != nil {
		return err
	}
	return p.build(ctx)
}

// build writes the head and the body into one buffer.
func (p *Prepared) build(ctx context.Context) error {
	e, r := p.endpoint, p.request
	b := make([]byte, 0, 512+len(r.Body))
	b = append(b, "POST "...)
	b = append(b, e.target.path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, e.target.authority...)
	b = append(b, "\r\nUser-Agent: rpcgen\r\nAccept: application/json\r\nAccept-Encoding: identity\r\n"+
		"Content-Type: application/json\r\nContent-Length: "...)
	b = strconv.AppendInt(b, int64(len(r.Body)), 10)
	if !r.Reuse {
		b = append(b, "\r\nConnection: close"...)
	}
	for _, h := range e.config.Headers {
		value, err := h.Value.value(ctx)
		if err != nil {
			return &ConfigError{"header " + h.Name, reasonOf(h.Value, err), ctx.Err()}
		}
		if len(value) >= minRedacted {
			p.secrets = append(p.secrets, value)
		}
		b = appendHeader(b, h.Name, h.Prefix, value)
	}
	if e.config.Sign != nil {
		var err error
		if b, err = p.sign(ctx, b); err != nil {
			return err
		}
	}
	b = append(b, "\r\n\r\n"...)
	p.head = len(b)
	p.payload = append(b, r.Body...)
	return nil
}

// reasonOf keeps the words of a host's function to itself: they may hold what
// the function was about to return.
func reasonOf(s Secret, err error) string {
	if len(s.reference) > 5 && s.reference[:5] == "func:" {
		return "the source gave no usable value"
	}
	return err.Error()
}

func appendHeader(b []byte, name, prefix, value string) []byte {
	b = append(b, "\r\n"...)
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, prefix...)
	return append(b, value...)
}

func (p *Prepared) sign(ctx context.Context, b []byte) ([]byte, error) {
	e := p.endpoint
	// The hook gets a copy, so that what was approved stays what is sent.
	fields, err := e.config.Sign(ctx, Outgoing{"POST", e.target.authority, e.target.path, slices.Clone(p.request.Body)})
	if err != nil {
		return nil, &ConfigError{"signature", "the Sign hook failed", ctx.Err()}
	}
	headers := slices.Clone(e.config.Headers)
	for _, f := range fields {
		headers = append(headers, Header{Name: f.Name, Value: Text("-")})
		if err := checkHeaders(Config{Headers: headers}); err != nil {
			return nil, &ConfigError{"signature", err.Error(), nil}
		}
		if err := checkValue(f.Value); err != nil {
			return nil, &ConfigError{"signature", err.Error(), nil}
		}
		b = appendHeader(b, f.Name, "", f.Value)
	}
	return b, nil
}

var loopback = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}

// resolve returns the addresses to dial, each of them judged. One denied
// answer refuses the name: filtering would hide an attack.
func (e *Endpoint) resolve(ctx context.Context) ([]netip.Addr, error) {
	switch {
	case e.target.address.IsValid():
		return []netip.Addr{e.target.address}, nil // judged by New
	case len(e.config.Addresses) > 0:
		return e.config.Addresses, nil // judged by New
	case e.loopbackName():
		return loopback, nil
	}
	answers, err := e.lookup(ctx)
	if err != nil {
		return nil, &ConfigError{"address", "the host name has no address", ctx.Err()}
	}
	if len(answers) == 0 || len(answers) > maxAnswers {
		return nil, &ConfigError{"address", fmt.Sprintf("the host name has none or more than %d addresses", maxAnswers), nil}
	}
	for i, a := range answers {
		if reason := e.networks.judge(a, e.target.encrypted); reason != "" {
			return nil, &ConfigError{"address", "the host name leads to an address that must not be dialled: " + string(reason), nil}
		}
		answers[i] = a.Unmap()
	}
	return answers, nil
}

func (e *Endpoint) lookup(ctx context.Context) ([]netip.Addr, error) {
	if e.config.Resolver != nil {
		answers, err := e.config.Resolver.LookupNetIP(ctx, "ip", e.target.host)
		return slices.Clone(answers), err
	}
	// The Go resolver, because the system's takes 0x7f.1 for an address; the
	// dot at the end, so that no search domain is tried.
	r := net.Resolver{PreferGo: true}
	answers, err := r.LookupNetIP(ctx, "ip", e.target.host+".")
	var missing *net.DNSError
	if errors.As(err, &missing) && ctx.Err() != nil {
		err = ctx.Err()
	}
	return answers, err
}
