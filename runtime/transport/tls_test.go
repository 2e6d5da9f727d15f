package transport

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func newReader(c net.Conn) *bufio.Reader { return bufio.NewReader(c) }

func testTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	s.EnableHTTP2 = true // must not be taken
	s.StartTLS()
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	sum := sha256.Sum256(s.Certificate().RawSubjectPublicKeyInfo)
	key := "sha256/" + base64.StdEncoding.EncodeToString(sum[:])
	other := "sha256/" + base64.StdEncoding.EncodeToString(make([]byte, 32))

	dial := func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
		return net.Dial("tcp", s.Listener.Addr().String())
	}
	public := []netip.Addr{netip.MustParseAddr("8.8.8.8")}
	rows := []struct {
		name string
		c    Config
		code Code
	}{
		{"right name on a pinned address", Config{URL: "https://example.com/", Roots: roots}, ""},
		{"C1 wrong name", Config{URL: "https://wrong.example/", Roots: roots}, Certificate},
		{"C1 unknown root", Config{URL: "https://example.com/", Roots: x509.NewCertPool()}, Certificate},
		{"right key", Config{URL: "https://example.com/", Roots: roots, PublicKeys: []string{other, key}}, ""},
		{"wrong key", Config{URL: "https://example.com/", Roots: roots, PublicKeys: []string{other}}, Certificate},
	}
	for _, row := range rows {
		row.c.Dial, row.c.Addresses = dial, public
		e, err := New(row.c)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second over the kept connection
			r, err := send(t, e, Request{Body: []byte(`{}`), Reuse: true})
			var f *Failure
			switch errors.As(err, &f); {
			case row.code == "" && (err != nil || string(r.Body) != "HTTP/1.1"):
				t.Errorf("%s: got %s, %v", row.name, r.Body, err)
			case row.code != "" && (f == nil || f.Code != row.code || f.Started):
				t.Errorf("%s: got %v, want %s and not started: a handshake is no request", row.name, err, row.code)
			}
		}
		e.Close()
	}
}

func testTLSVersion(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	s.StartTLS()
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	e, err := New(Config{URL: "https://example.com/", Roots: roots, Addresses: []netip.Addr{netip.MustParseAddr("8.8.8.8")},
		Dial: func(context.Context, netip.AddrPort) (net.Conn, error) {
			return net.Dial("tcp", s.Listener.Addr().String())
		}})
	if err != nil {
		t.Fatal(err)
	}
	var f *Failure
	if _, err := send(t, e, Request{Body: []byte(`{}`)}); !errors.As(err, &f) || f.Code != TLS {
		t.Errorf("C1: got %v from a server of TLS 1.1", err)
	}
}

// authority is a certificate authority for tests.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(24 * time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	a := &authority{certificate: template, key: newKey(t)}
	made := a.issue(t, func(c *x509.Certificate) { *c = *template })
	parsed, err := x509.ParseCertificate(made.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	a.certificate = parsed
	return a
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// issue signs a certificate for example.com with edit applied to it.
func (a *authority) issue(t *testing.T, edit func(*x509.Certificate)) tls.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "example.com"}, DNSNames: []string{"example.com"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	edit(template)
	key := a.key
	if !template.IsCA {
		key = newKey(t)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// tlsServer answers 200 to whoever gets through the handshake.
func tlsServer(t *testing.T, settings *tls.Config) DialFunc {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(fine))
	s.Config.ErrorLog, s.TLS = discardLog, settings
	s.StartTLS()
	t.Cleanup(s.Close)
	return func(context.Context, netip.AddrPort) (net.Conn, error) {
		return net.Dial("tcp", s.Listener.Addr().String())
	}
}

// Only a certificate that is valid now, for the name of the URL, and issued by
// one of the roots is accepted, and what it says never gets into an error.
func testCertificates(t *testing.T) {
	ca, stranger := newAuthority(t), newAuthority(t)
	const hostile = "SECRET\r\n\x1b[2J.example"
	rows := []struct {
		name, url string
		issuer    *authority
		edit      func(*x509.Certificate)
		code      Code
	}{
		{"good", "https://example.com/", ca, func(*x509.Certificate) {}, ""},
		{"address", "https://8.8.8.8/", ca, func(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(8, 8, 8, 8)} }, ""},
		{"address as a name", "https://8.8.8.8/", ca, func(c *x509.Certificate) { c.DNSNames = []string{"8.8.8.8"} }, Certificate},
		{"wildcard", "https://a.example.com/", ca, func(c *x509.Certificate) { c.DNSNames = []string{"*.example.com"} }, ""},
		{"wildcard too deep", "https://a.b.example.com/", ca, func(c *x509.Certificate) { c.DNSNames = []string{"*.example.com"} }, Certificate},
		{"other name", "https://example.com/", ca, func(c *x509.Certificate) { c.DNSNames = []string{"SECRET.example"} }, Certificate},
		{"name in the subject only", "https://example.com/", ca, func(c *x509.Certificate) { c.DNSNames = nil }, Certificate},
		{"hostile subject", "https://example.com/", ca, func(c *x509.Certificate) {
			c.Subject.CommonName, c.DNSNames, c.Subject.Organization = hostile, []string{"SECRET.example"}, []string{hostile}
		}, Certificate},
		{"expired", "https://example.com/", ca, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }, Certificate},
		{"not yet valid", "https://example.com/", ca, func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) }, Certificate},
		{"for clients only", "https://example.com/", ca, func(c *x509.Certificate) { c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }, Certificate},
		{"issued by a stranger", "https://example.com/", stranger, func(*x509.Certificate) {}, Certificate},
	}
	for _, row := range rows {
		c := Config{URL: row.url, Roots: ca.pool(), Dial: tlsServer(t, &tls.Config{Certificates: []tls.Certificate{row.issuer.issue(t, row.edit)}})}
		if strings.Contains(row.url, "example") {
			c.Addresses = addresses("8.8.8.8")
		}
		_, err := send(t, open(t, c), Request{Body: []byte(`{}`)})
		var f *Failure
		if row.code == "" && err != nil || row.code != "" && (!errors.As(err, &f) || f.Code != row.code || f.Started) {
			t.Errorf("%s: got %v, want %q and not started", row.name, err, row.code)
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if text := fmt.Sprintf("%v %+v %#v", e, e, e); strings.Contains(text, "SECRET") || strings.Contains(text, "example") {
				t.Errorf("%s: the error says %s", row.name, text)
			}
		}
	}
	alone := &authority{certificate: &x509.Certificate{Subject: pkix.Name{CommonName: "example.com"}}, key: newKey(t)}
	self := alone.issue(t, func(c *x509.Certificate) { c.IsCA, c.BasicConstraintsValid = true, true })
	var f *Failure
	c := Config{URL: "https://example.com/", Addresses: addresses("8.8.8.8"), Roots: ca.pool(), Dial: tlsServer(t, &tls.Config{Certificates: []tls.Certificate{self}})}
	if _, err := send(t, open(t, c), Request{}); !errors.As(err, &f) || f.Code != Certificate {
		t.Errorf("self-signed: %v", err)
	}
}

// A client certificate is shown to the origin that asks for one, and to no proxy.
func testClientCertificates(t *testing.T) {
	ca := newAuthority(t)
	server := ca.issue(t, func(*x509.Certificate) {})
	client := ca.issue(t, func(c *x509.Certificate) { c.Subject.CommonName = "client" })
	shown := make(chan int, 10)
	settings := &tls.Config{Certificates: []tls.Certificate{server}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: ca.pool()}
	c := Config{URL: "https://example.com/", Addresses: addresses("8.8.8.8"), Roots: ca.pool(), Dial: tlsServer(t, settings)}
	var f *Failure
	if _, err := send(t, open(t, c), Request{Body: []byte(`{}`)}); !errors.As(err, &f) {
		t.Errorf("without a certificate: %v", err)
	}
	c.Certificates = []tls.Certificate{client}
	if r, err := send(t, open(t, c), Request{Body: []byte(`{}`)}); err != nil || r.Status != 200 {
		t.Errorf("with a certificate: %+v, %v", r, err)
	}
	o := startOrigin(t, fine)
	proxy := tunnels(t, o.address(), &tls.Config{
		Certificates: []tls.Certificate{server}, ClientAuth: tls.RequestClientCert,
		VerifyConnection: func(s tls.ConnectionState) error { shown <- len(s.PeerCertificates); return nil },
	}, always(""))
	c = through(t, o, proxy)
	c.Certificates, c.Proxy.Roots = []tls.Certificate{client}, ca.pool()
	c.Proxy.URL, c.Proxy.Addresses = "https://example.com:3128", addresses("8.8.8.8")
	c.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) {
		return net.Dial("tcp", strings.TrimPrefix(proxy.url, "https://"))
	}
	if _, err := send(t, open(t, c), Request{Body: []byte(`{}`)}); err != nil || <-shown != 0 {
		t.Errorf("the proxy saw the client's certificate, or %v", err)
	}
}
