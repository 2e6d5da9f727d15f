package transport

import (
	"context"
	"fmt"
	"io"
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
	tunnels   [][]byte // what to ask a proxy for, in order; nil: no proxy
	secrets   []string // long enough to be looked for in answers
	sending   writing
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
	e := p.endpoint
	nearest := &e.origin
	if e.gateway != nil {
		nearest = &e.gateway.peer
	}
	var err error
	if p.addresses, err = nearest.resolve(ctx); err != nil {
		return err
	}
	if err = p.build(ctx); err != nil || e.gateway == nil {
		return err
	}
	p.tunnels, err = e.gateway.heads(ctx, p)
	return err
}

// keep remembers a secret that an answer may hold.
func (p *Prepared) keep(secret string) {
	if len(secret) >= minRedacted {
		p.secrets = append(p.secrets, secret)
	}
}

// build writes the head and the body into one buffer.
func (p *Prepared) build(ctx context.Context) error {
	e, r := p.endpoint, p.request
	b := make([]byte, 0, 512+len(r.Body))
	b = append(b, "POST "...)
	b = append(b, e.origin.target.path...)
	b = append(b, " HTTP/1.1\r\nHost: "...)
	b = append(b, e.origin.target.authority...)
	b = append(b, "\r\nAccept: application/json\r\nAccept-Encoding: identity\r\n"+
		"Content-Type: application/json\r\nContent-Length: "...)
	b = strconv.AppendInt(b, int64(len(r.Body)), 10)
	if !r.Reuse {
		b = append(b, "\r\nConnection: close"...)
	}
	if !e.named {
		b = appendHeader(b, userAgent, "", "rpcgen")
	}
	for _, h := range e.config.Headers {
		value, err := h.Value.value(ctx)
		if err != nil {
			return &ConfigError{"header " + h.Name, reasonOf(h.Value, err), ctx.Err()}
		}
		p.keep(value)
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
	fields, err := e.config.Sign(ctx, Outgoing{"POST", e.origin.target.authority, e.origin.target.path, slices.Clone(p.request.Body)})
	if err != nil {
		return nil, &ConfigError{"signature", "the Sign hook failed", ctx.Err()}
	}
	headers := slices.Clone(e.config.Headers)
	if !e.named {
		headers = append(headers, Header{Name: userAgent, Value: Text("-")})
	}
	for _, f := range fields {
		headers = append(headers, Header{Name: f.Name, Value: Text("-")})
		if err := checkHeaders(Config{Headers: headers}); err != nil {
			return nil, &ConfigError{"signature", err.Error(), nil}
		}
		if err := checkValue(f.Value); err != nil {
			return nil, &ConfigError{"signature", err.Error(), nil}
		}
		p.keep(f.Value)
		b = appendHeader(b, f.Name, "", f.Value)
	}
	return b, nil
}
