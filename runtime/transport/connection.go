package transport

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// connection is one connection with its reader. It serves one exchange at a time.
type connection struct {
	net.Conn               // encrypted, where the endpoint is
	wire     *countingConn // the TCP connection below
	limited  headerReader
	reader   *bufio.Reader
	expiry   *time.Timer // set while idle
	idled    time.Time
}

// countingConn counts what really left, below TLS.
type countingConn struct {
	net.Conn
	written atomic.Int64
}

func (c *countingConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.written.Add(int64(n))
	return n, err
}

// headerReader bounds the bytes read until the headers have ended. It keeps why
// it could not read on, which a parser of headers may call malformed.
type headerReader struct {
	from   io.Reader
	left   int // negative: unbounded
	failed error
}

func (r *headerReader) Read(b []byte) (int, error) {
	if r.left == 0 {
		r.failed = errHeaders
		return 0, errHeaders
	}
	if r.left > 0 && len(b) > r.left {
		b = b[:r.left]
	}
	n, err := r.from.Read(b)
	if r.left > 0 {
		r.left -= n
	}
	if err != nil {
		r.failed = err
	}
	return n, err
}

// direct is the one way where there is no proxy.
var direct = [][]byte{nil}

// open dials the addresses in order, and through each the tunnels in order,
// until one yields a connection. Nothing of a request has left by then, so going
// on to the next is safe.
func (e *Endpoint) open(ctx context.Context, p *Prepared) (*connection, *Failure) {
	failure, ways := &Failure{Code: Dial}, p.tunnels
	if e.gateway == nil {
		ways = direct
	}
	for _, a := range p.addresses {
		for _, way := range ways {
			c, code, err := e.dial(ctx, a, way)
			if err == nil {
				return c, nil
			}
			failure.Code, failure.cause = diagnose(ctx, err, code)
			if ctx.Err() != nil {
				return nil, failure
			}
			if failure.Code == ProxyFailed {
				break // it is of no use for another way either
			}
		}
	}
	return nil, failure
}

// dial opens a connection to a, through the tunnel that way asks for.
func (e *Endpoint) dial(ctx context.Context, a netip.Addr, way []byte) (*connection, Code, error) {
	nearest, unreached := &e.origin, Dial
	if e.gateway != nil {
		nearest, unreached = &e.gateway.peer, ProxyFailed
	}
	raw, err := e.config.dialer()(ctx, netip.AddrPortFrom(a, nearest.target.port))
	if err != nil {
		return nil, unreached, err
	}
	c := &connection{wire: &countingConn{Conn: raw}}
	code, err := e.reach(ctx, c, way)
	if err != nil {
		raw.Close()
		return nil, code, err
	}
	c.limited.from = c.Conn
	c.reader = bufio.NewReaderSize(&c.limited, 4096)
	return c, "", nil
}

// reach makes of the TCP connection one to the origin.
func (e *Endpoint) reach(ctx context.Context, c *connection, way []byte) (Code, error) {
	c.Conn = c.wire
	if e.gateway != nil {
		tunnel, code, err := e.gateway.tunnel(ctx, c.Conn, way)
		if err != nil {
			return code, err
		}
		c.Conn = tunnel
	}
	if e.tls == nil {
		return "", nil
	}
	encrypted := tls.Client(c.Conn, e.tls)
	c.Conn = encrypted
	return TLS, encrypted.HandshakeContext(ctx)
}

func (c Config) dialer() DialFunc {
	if c.Dial != nil {
		return c.Dial
	}
	return func(ctx context.Context, address netip.AddrPort) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", address.String())
	}
}

// pool keeps idle connections, the youngest on top.
type pool struct {
	now    func() time.Time
	life   time.Duration
	mu     sync.Mutex
	idle   []*connection
	closed bool
}

// take returns an idle connection that the other side has not closed and has
// sent nothing on, or nil.
func (p *pool) take() *connection {
	for {
		c := p.pop()
		if c == nil {
			return nil
		}
		if c.expiry.Stop() && p.now().Sub(c.idled) < p.life && quiet(c.wire.Conn) {
			return c
		}
		c.Close()
	}
}

func (p *pool) pop() *connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return nil
	}
	c := p.idle[len(p.idle)-1]
	p.idle = p.idle[:len(p.idle)-1]
	return c
}

func (p *pool) put(c *connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || len(p.idle) >= maxIdle {
		c.Close()
		return
	}
	c.idled = p.now()
	c.expiry = time.AfterFunc(p.life, func() { p.drop(c) })
	p.idle = append(p.idle, c)
}

func (p *pool) drop(old *connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, c := range p.idle {
		if c == old {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			break
		}
	}
	old.Close()
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, c := range p.idle {
		c.expiry.Stop()
		c.Close()
	}
	p.idle = nil
}
