// Package download gets a document from the URL that a person named, once, so
// that it can be stored beside the code. It follows the runtime's rules about
// where connections may go, and is the only room of the compiler with a way
// out. Nothing inside a document ever leads here. Start with Get.
package download

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	neturl "net/url"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/transport"
)

// Options say how far a download may go. The zero value is the safe default.
type Options struct {
	Loopback bool          // this machine may be asked, and by http too
	Bytes    int64         // of the document; 32 MiB
	Timeout  time.Duration // for all of it; 60 s
	TLS      *tls.Config   // nil is the system's; tests set roots
}

const (
	defaultBytes   = 32 << 20
	defaultTimeout = time.Minute
	headerLimit    = 64 << 10
)

func (o Options) withDefaults() Options {
	if o.Bytes <= 0 {
		o.Bytes = defaultBytes
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	return o
}

// Get returns the bytes behind url. No proxy, cookie or redirect is used, and
// every address that the host's name leads to must be one that may be dialled.
func Get(ctx context.Context, url string, o Options) ([]byte, error) {
	o = o.withDefaults()
	// The endpoint is never used: it holds the URL against the runtime's rules.
	if _, err := transport.New(transport.Config{URL: url, Development: o.Loopback}); err != nil {
		return nil, refused(url, o, err)
	}
	ctx, stop := context.WithTimeout(ctx, o.Timeout)
	defer stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, fmt.Errorf("download: %w", err)
	}
	request.Header.Set("Accept", "application/json, application/yaml;q=0.9, */*;q=0.1")
	request.Header.Set("Accept-Encoding", "identity")
	response, err := client(o).Do(request)
	if err != nil {
		return nil, fmt.Errorf("download: %w", err)
	}
	defer response.Body.Close()
	return read(response, o.Bytes)
}

// refused says what a person can do about a URL that is not asked.
func refused(url string, o Options, err error) error {
	u, fault := neturl.Parse(url)
	switch {
	case fault != nil:
	case !o.Loopback && isLoopback(u.Hostname()):
		return fmt.Errorf("%.200q leads to this machine, which is asked only with --development", url)
	case u.Scheme == "http":
		return fmt.Errorf("%.200q is plain http, where anybody on the way could write the document: use https, or save the document yourself and name the file", url)
	}
	return fmt.Errorf("download: %w", err)
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

func read(response *http.Response, limit int64) ([]byte, error) {
	switch {
	case response.StatusCode >= 300 && response.StatusCode < 400:
		return nil, fmt.Errorf("download: the server sends on to %.200q: name that URL yourself if it is the right one", response.Header.Get("Location"))
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("download: the server answered with status %d", response.StatusCode)
	case response.Header.Get("Content-Encoding") != "":
		return nil, errors.New("download: the server sent it compressed, though nobody asked for that")
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return nil, fmt.Errorf("download: %w", err)
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("download: longer than %d bytes", limit)
	}
	return text, nil
}

func client(o Options) *http.Client {
	settings := &tls.Config{}
	if o.TLS != nil {
		settings = o.TLS.Clone()
	}
	settings.MinVersion = tls.VersionTLS12
	return &http.Client{
		Transport: &http.Transport{
			DialContext:            dialer(o.Loopback),
			TLSClientConfig:        settings,
			DisableCompression:     true,
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: headerLimit,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// dialer judges the addresses and dials one of those that it judged, so that a
// name cannot lead elsewhere in between.
func dialer(loopback bool) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		addresses, err := lookup(ctx, host)
		if err != nil {
			return nil, err
		}
		for _, a := range addresses {
			if reason := judge(a, loopback); reason != "" {
				return nil, fmt.Errorf("%s must not be dialled: %s", a, reason)
			}
		}
		var failures []error
		for _, a := range addresses {
			connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", net.JoinHostPort(a.String(), port))
			if err == nil {
				return connection, nil
			}
			failures = append(failures, err)
		}
		return nil, errors.Join(failures...)
	}
}

func judge(a netip.Addr, loopback bool) transport.Denied {
	if loopback && a.Zone() == "" {
		if a.Unmap().IsLoopback() {
			return ""
		}
	}
	return transport.Classify(a)
}

func lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	addresses, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(addresses) == 0 {
		err = fmt.Errorf("%q has no address", host)
	}
	return addresses, err
}
