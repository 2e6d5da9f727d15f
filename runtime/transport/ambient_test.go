package transport

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain is also the process that testAmbient starts.
func TestMain(m *testing.M) {
	if target := os.Getenv("RPCGEN_TEST_TARGET"); target != "" {
		if err := ambientChild(target, os.Getenv("RPCGEN_TEST_TLS_TARGET"), os.Getenv("RPCGEN_TEST_ROOT")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// testAmbient starts a process whose environment names a proxy, roots, a file
// for keys and another resolver. None of them must count.
func testAmbient(t *testing.T) {
	trap := serve(t, func(c net.Conn, _ int64) bool { return answer(c, ok("x")) })
	target := serve(t, func(c net.Conn, _ int64) bool { return answer(c, ok("x")) })
	o := startOrigin(t, fine)
	dir := t.TempDir()
	root, keys := filepath.Join(dir, "root.pem"), filepath.Join(dir, "keys")
	if err := os.WriteFile(root, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: o.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "RPCGEN_TEST_TARGET="+target.url, "RPCGEN_TEST_TLS_TARGET="+o.address(), "RPCGEN_TEST_ROOT="+root)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		cmd.Env = append(cmd.Env, name+"="+strings.TrimSuffix(trap.url, "/rpc"))
	}
	cmd.Env = append(cmd.Env, "NO_PROXY=", "no_proxy=", "REQUEST_METHOD=",
		"SSL_CERT_FILE="+root, "SSL_CERT_DIR="+dir, "SSLKEYLOGFILE="+keys, "GODEBUG=netdns=cgo")
	out, err := cmd.CombinedOutput()
	if err != nil || target.requests.Load() != 1 || trap.connections.Load() != 0 {
		t.Errorf("%v, %d requests at the target, %d connections at the proxy\n%s", err, target.requests.Load(), trap.connections.Load(), out)
	}
	if _, err := os.Stat(keys); err == nil {
		t.Error("the keys of a connection were written down")
	}
}

// ambientChild reaches a plain and an encrypted server, and wants roots that the
// host gave to be the only ones.
func ambientChild(target, encrypted, root string) error {
	_, port, _ := net.SplitHostPort(encrypted)
	text, err := os.ReadFile(root)
	if err != nil {
		return err
	}
	good := x509.NewCertPool()
	good.AppendCertsFromPEM(text)
	call := func(c Config) error {
		c.Development = true
		e, err := New(c)
		if err != nil {
			return err
		}
		p, err := e.Prepare(context.Background(), Request{Body: []byte(`{}`)})
		if err != nil {
			return err
		}
		_, err = p.Send(context.Background())
		return err
	}
	if err := call(Config{URL: target}); err != nil {
		return fmt.Errorf("plain: %w", err)
	}
	c := Config{URL: "https://example.com:" + port + "/", Addresses: []netip.Addr{netip.MustParseAddr("127.0.0.1")}, Roots: good}
	if err := call(c); err != nil {
		return fmt.Errorf("encrypted: %w", err)
	}
	c.Roots = x509.NewCertPool()
	var f *Failure
	if err := call(c); !errors.As(err, &f) || f.Code != Certificate {
		return fmt.Errorf("roots of the environment count: %v", err)
	}
	return nil
}
