package transport

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Proxy is a forward proxy that a host names for one endpoint. It opens a
// tunnel (CONNECT), through which TLS goes from end to end: it sees the name of
// the origin, and no request. Where the binding pins no address, the proxy looks
// the name up and decides what it may reach: it is the trust boundary then.
// None is ever taken from the environment.
type Proxy struct {
	// Name is what people are shown, and what stands for the proxy in digests
	// beside its URL: a-z, 0-9, hyphen.
	Name string
	URL  string // http://host[:port] or https://host[:port] in normal form
	// Credential is the value of Proxy-Authorization, after Prefix, such as
	// "Basic ". It is sent to the proxy alone; the zero Secret sends none.
	Prefix     string
	Credential Secret

	// The rules for the proxy's own address, as they are for an endpoint's.
	Networks, Plaintext []netip.Prefix
	Addresses           []netip.Addr

	Roots *x509.CertPool // of an https proxy; nil: the system's
}

// gateway is a checked Proxy.
type gateway struct {
	config Proxy
	peer   peer
	tls    *tls.Config // nil over http
}

func newGateway(c Config, origin target) (*gateway, error) {
	p := *c.Proxy
	p.Addresses = slices.Clone(p.Addresses)
	if err := checkProxyName(p.Name); err != nil {
		return nil, err
	}
	t, err := parseTarget(p.URL)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the URL of the proxy %s %w", p.Name, err)
	case t.path != "/":
		return nil, fmt.Errorf("the URL of the proxy %s has a path", p.Name)
	case !origin.encrypted:
		return nil, errors.New("the server URL must be https: a proxy would read and could change anything else")
	}
	if p.Prefix != "" && checkValue(strings.TrimRight(p.Prefix, " ")) != nil {
		return nil, fmt.Errorf("the credential of the proxy %s: the prefix is not visible ASCII", p.Name)
	}
	g := &gateway{config: p, peer: peer{
		subject: "proxy address", target: t, pinned: p.Addresses, resolver: c.Resolver,
		networks: networks{c.Development, maskAll(p.Networks), maskAll(p.Plaintext)},
	}}
	if err := g.peer.check(); err != nil {
		return nil, fmt.Errorf("the URL of the proxy %s %w", p.Name, err)
	}
	if t.encrypted {
		// Certificates of the endpoint are for the endpoint.
		g.tls, err = newTLS(t.host, Config{Roots: p.Roots})
	}
	return g, err
}

func checkProxyName(name string) error {
	if name == "" || len(name) > 64 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return errors.New("a proxy needs a name of 1 to 64 bytes, each of a-z, 0-9, hyphen")
	}
	return nil
}

// parts are those of a Proxy in Endpoint.Parts.
func (g *gateway) parts() []string {
	p := g.config
	parts := []string{"proxy", p.Name, p.URL, p.Prefix, p.Credential.reference, fmt.Sprint(p.Roots != nil), "networks"}
	parts = appendAll(parts, g.peer.networks.private)
	parts = appendAll(append(parts, "plaintext"), g.peer.networks.plaintext)
	return appendAll(append(parts, "addresses"), p.Addresses)
}

// heads are the requests for a tunnel, one for each way to the origin: by its
// pinned addresses, or by its name. The secrets of p grow by the credential.
func (g *gateway) heads(ctx context.Context, p *Prepared) ([][]byte, error) {
	credential := ""
	if g.config.Credential.resolve != nil {
		var err error
		if credential, err = g.config.Credential.value(ctx); err != nil {
			return nil, &ConfigError{"credential of the proxy " + g.config.Name, reasonOf(g.config.Credential, err), ctx.Err()}
		}
		p.keep(credential)
	}
	origin := &p.endpoint.origin
	ways := []string{origin.target.host}
	if len(origin.pinned) > 0 {
		ways = ways[:0]
		for _, a := range origin.known {
			ways = append(ways, a.String())
		}
	}
	heads := make([][]byte, len(ways))
	for i, way := range ways {
		heads[i] = g.head(net.JoinHostPort(way, strconv.Itoa(int(origin.target.port))), credential)
	}
	return heads, nil
}

func (g *gateway) head(authority, credential string) []byte {
	b := []byte("CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n" + userAgent + ": rpcgen")
	if credential != "" {
		b = appendHeader(b, "Proxy-Authorization", g.config.Prefix, credential)
	}
	return append(b, "\r\n\r\n"...)
}

var errRefused = errors.New("the proxy opens no tunnel")

// tunnel asks the proxy at the other end of c for a tunnel, and returns what
// leads through it. Nothing of a request has left by then.
func (g *gateway) tunnel(ctx context.Context, c net.Conn, head []byte) (net.Conn, Code, error) {
	deadline, _ := ctx.Deadline()
	c.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(past) })
	defer stop()
	if g.tls != nil {
		encrypted := tls.Client(c, g.tls)
		if err := encrypted.HandshakeContext(ctx); err != nil {
			return nil, ProxyFailed, err
		}
		c = encrypted
	}
	if _, err := c.Write(head); err != nil {
		return nil, ProxyFailed, err
	}
	if err := readTunnel(c); errors.Is(err, errRefused) {
		return nil, ProxyRefused, err
	} else if err != nil {
		return nil, ProxyFailed, err
	}
	c.SetDeadline(time.Time{})
	return c, "", nil
}

var connect = &http.Request{Method: "CONNECT"}

// readTunnel reads the answer to a CONNECT, and not a byte more: the origin
// speaks only after it was spoken to, so whatever else came is the proxy's.
func readTunnel(c io.Reader) error {
	reader := bufio.NewReaderSize(&headerReader{from: c, left: headerLimit}, 4096)
	for range maxInterim + 1 {
		answer, err := http.ReadResponse(reader, connect)
		switch {
		case err != nil:
			return err
		case answer.ProtoMajor != 1 || answer.StatusCode == http.StatusSwitchingProtocols:
			return errors.New("not an answer of HTTP/1")
		case answer.StatusCode < 200:
			continue
		case answer.StatusCode >= 300:
			return errRefused
		case reader.Buffered() > 0:
			return errors.New("bytes after the answer")
		}
		return nil
	}
	return errHeaders
}
