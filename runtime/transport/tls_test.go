package transport

import (
	"bufio"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func newReader(c net.Conn) *bufio.Reader { return bufio.NewReader(c) }

func TestTLS(t *testing.T) {
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

func TestTLSVersion(t *testing.T) {
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
