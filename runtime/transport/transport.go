// Package transport carries bytes to one endpoint and back within bounds: one
// HTTP/1.1 exchange over a connection whose address was judged before it was
// dialled. It follows no redirect, reads no proxy from the environment, keeps
// no cookies, asks for no compression and never sends a body twice. It knows
// nothing of JSON, methods or authority. Start with New, then Prepare and Send.
//
// It stands on net/http's message reader, not on its client: that one repeats
// requests by itself on conditions of its own.
package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Config says how to reach one endpoint. Only hosts write it.
type Config struct {
	URL     string // https://host[:port]/path[?query] in normal form
	Headers []Header
	// Sign sees the final request and returns further headers. It must not
	// keep or change the body. Nothing may change the request after it.
	Sign SignFunc
	// SignName stands for Sign in digests; needed with Sign.
	SignName string

	Development bool           // loopback may be dialled, and by http too
	Networks    []netip.Prefix // further networks that may be dialled
	Plaintext   []netip.Prefix // networks that may be dialled by http
	Addresses   []netip.Addr   // dial these, in order, instead of asking a resolver

	Roots        *x509.CertPool    // nil: the system's
	Certificates []tls.Certificate // client certificates
	PublicKeys   []string          // accepted keys, "sha256/<base64 of SHA-256 of the SPKI>"; any in the chain

	Proxy *Proxy // nil: none, whatever the environment says

	Limits Limits

	// Resolver answers for host names; nil is the Go resolver without search
	// domains. Every answer is judged, and one denied answer refuses the name.
	Resolver Resolver
	// Dial opens a TCP connection to an address that was judged; nil is
	// net.Dialer. It must dial exactly that address. Tests inject traps here.
	Dial DialFunc
	// Now is the clock for idle connections; nil is time.Now.
	Now func() time.Time
}

// SignFunc signs a request.
type SignFunc func(ctx context.Context, r Outgoing) ([]Field, error)

// Outgoing is what a SignFunc sees.
type Outgoing struct {
	Method, Authority, Path string
	Body                    []byte
}

// DialFunc opens a TCP connection to address.
type DialFunc func(ctx context.Context, address netip.AddrPort) (net.Conn, error)

// Resolver looks up the addresses of a host name.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Limits bound every exchange. Zero is the default, never "none".
type Limits struct {
	Request  int64         // body bytes; 64 KiB, at most 1 MiB
	Response int64         // body bytes; 1 MiB, at most 8 MiB
	Timeout  time.Duration // for a whole call; 10 s, at most 10 min
	InFlight int           // exchanges at a time; 128, at most 4096
	Idle     time.Duration // life of an unused connection; 30 s, at most 10 min
}

const (
	defaultRequest  = 64 << 10
	maxRequest      = 1 << 20
	defaultResponse = 1 << 20
	maxResponse     = 8 << 20
	headerLimit     = 64 << 10 // of a response, interim ones included
	maxInterim      = 5        // 1xx responses before the real one
	maxAnswers      = 32       // addresses of one name
	maxIdle         = 64       // connections kept
)

// WithDefaults fills in what is zero and refuses what is out of bounds.
func (l Limits) WithDefaults() (Limits, error) {
	err := errors.Join(
		bound("request", &l.Request, defaultRequest, maxRequest),
		bound("response", &l.Response, defaultResponse, maxResponse),
		bound("timeout", &l.Timeout, 10*time.Second, 10*time.Minute),
		bound("in flight", &l.InFlight, 128, 4096),
		bound("idle", &l.Idle, 30*time.Second, 10*time.Minute),
	)
	return l, err
}

func bound[N ~int | ~int64](name string, n *N, usual, most N) error {
	if *n == 0 {
		*n = usual
	}
	if *n < 0 || *n > most {
		return fmt.Errorf("limit %s: %v is not within 1 and %v", name, *n, most)
	}
	return nil
}

// Endpoint is a checked Config with its connections. It may be used by any
// number of goroutines.
type Endpoint struct {
	config  Config
	origin  peer
	gateway *gateway    // nil: none
	named   bool        // the headers of the configuration say who calls
	tls     *tls.Config // nil over http
	slots   chan struct{}
	idle    pool
	needles atomic.Pointer[needles]
}

// New checks a Config and returns its Endpoint. It contacts nothing and reads
// no secret.
func New(c Config) (*Endpoint, error) {
	t, err := parseTarget(c.URL)
	if err != nil {
		// The URL is not quoted: it may hold what was never meant to be shown.
		return nil, fmt.Errorf("the server URL %w", err)
	}
	if c.Limits, err = c.Limits.WithDefaults(); err != nil {
		return nil, err
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	// What was judged stays what it was, whatever the host does to its slices.
	c.Headers, c.Addresses = slices.Clone(c.Headers), slices.Clone(c.Addresses)
	c.Certificates, c.PublicKeys = slices.Clone(c.Certificates), slices.Clone(c.PublicKeys)
	e := &Endpoint{config: c, slots: make(chan struct{}, c.Limits.InFlight)}
	e.named = slices.ContainsFunc(c.Headers, func(h Header) bool { return strings.EqualFold(h.Name, userAgent) })
	e.origin = peer{
		subject: "address", target: t, pinned: c.Addresses, resolver: c.Resolver,
		networks: networks{c.Development, maskAll(c.Networks), maskAll(c.Plaintext)},
	}
	e.idle.now, e.idle.life = c.Now, c.Limits.Idle
	if err := e.origin.check(); err != nil {
		return nil, fmt.Errorf("the server URL %w", err)
	}
	if err := checkHeaders(c); err != nil {
		return nil, err
	}
	if t.encrypted {
		if e.tls, err = newTLS(t.host, c); err != nil {
			return nil, err
		}
	}
	if c.Proxy != nil {
		e.gateway, err = newGateway(c, t)
	}
	return e, err
}

const userAgent = "User-Agent"

func maskAll(list []netip.Prefix) []netip.Prefix {
	masked := make([]netip.Prefix, len(list))
	for i, p := range list {
		masked[i] = p.Masked()
	}
	return masked
}

func checkHeaders(c Config) error {
	seen := map[string]bool{}
	for _, h := range c.Headers {
		if err := checkHeaderName(h.Name); err != nil {
			return err
		}
		lower := strings.ToLower(h.Name)
		if seen[lower] {
			return fmt.Errorf("header %q: given twice", h.Name)
		}
		seen[lower] = true
		if h.Value.resolve == nil {
			return fmt.Errorf("header %q: no source is given", h.Name)
		}
		if h.Prefix != "" && checkValue(strings.TrimRight(h.Prefix, " ")) != nil {
			return fmt.Errorf("header %q: the prefix is not visible ASCII", h.Name)
		}
	}
	if c.Sign != nil && c.SignName == "" {
		return errors.New("a Sign hook needs a SignName")
	}
	return nil
}

// Limits returns the limits in force, defaults filled in.
func (e *Endpoint) Limits() Limits { return e.config.Limits }

// Proxy returns the name of the proxy, "" without one.
func (e *Endpoint) Proxy() string {
	if e.gateway == nil {
		return ""
	}
	return e.gateway.config.Name
}

// Admits reports what the host lets the endpoint do beyond reaching public
// addresses by https: loopback, private networks, networks by http.
func (e *Endpoint) Admits() (development, private, plaintext bool) {
	n := e.origin.networks
	return n.development, len(n.private) > 0, len(n.plaintext) > 0
}

// Close closes the connections nobody uses and keeps none from now on.
// Exchanges under way end undisturbed.
func (e *Endpoint) Close() { e.idle.close() }

// Parts lists what makes this endpoint the one it is, for an authority
// digest: the URL, networks, headers and sources by name, never a value.
// Certificates and roots count by their presence only.
func (e *Endpoint) Parts() []string {
	c := e.config
	parts := []string{"url", c.URL, "sign", c.SignName}
	for _, h := range c.Headers {
		parts = append(parts, "header", strings.ToLower(h.Name), h.Prefix, h.Value.reference)
	}
	parts = append(parts, "development", fmt.Sprint(c.Development), "networks")
	parts = appendAll(parts, e.origin.networks.private)
	parts = appendAll(append(parts, "plaintext"), e.origin.networks.plaintext)
	parts = appendAll(append(parts, "addresses"), c.Addresses)
	parts = append(append(parts, "keys"), c.PublicKeys...)
	parts = append(parts, "tls", fmt.Sprint(c.Roots != nil, len(c.Certificates)), "limits", fmt.Sprint(c.Limits))
	if e.gateway != nil {
		parts = append(parts, e.gateway.parts()...)
	}
	return parts
}

func appendAll[S fmt.Stringer](parts []string, list []S) []string {
	for _, s := range list {
		parts = append(parts, s.String())
	}
	return parts
}
