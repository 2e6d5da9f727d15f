package download

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func serve(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/doc.json":
		if r.Header.Get("Cookie") != "" || r.Method != http.MethodGet {
			w.WriteHeader(http.StatusTeapot)
		}
		fmt.Fprint(w, `{"openrpc": "1.3.2"}`)
	case "/elsewhere":
		http.Redirect(w, r, "/doc.json", http.StatusFound)
	case "/compressed":
		w.Header().Set("Content-Encoding", "gzip")
	case "/slow":
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	case "/large":
		fmt.Fprint(w, strings.Repeat("x", 100))
	default:
		http.NotFound(w, r)
	}
}

func TestGet(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(serve))
	t.Cleanup(server.Close)
	near := Options{Loopback: true}
	for _, c := range []struct {
		name, url string
		options   Options
		wrong     string // "" is a document
	}{
		{"a document", server.URL + "/doc.json", near, ""},
		{"loopback unasked", server.URL + "/doc.json", Options{}, "only with --development"},
		{"plain http", "http://93.184.215.14/doc.json", Options{}, "use https"},
		{"a redirect", server.URL + "/elsewhere", near, `sends on to "/doc.json"`},
		{"compressed", server.URL + "/compressed", near, "compressed"},
		{"absent", server.URL + "/absent", near, "status 404"},
		{"as long as the limit", server.URL + "/large", Options{Loopback: true, Bytes: 100}, ""},
		{"longer", server.URL + "/large", Options{Loopback: true, Bytes: 99}, "longer than 99 bytes"},
		{"slow", server.URL + "/slow", Options{Loopback: true, Timeout: 50 * time.Millisecond}, "deadline"},
		{"a private address", "https://10.0.0.1/doc.json", near, "private"},
		{"metadata", "https://169.254.169.254/doc.json", near, "metadata"},
		{"a user", "https://a@example.com/", Options{}, "user"},
		{"a file", "file:///etc/passwd", near, "https://"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := Get(t.Context(), c.url, c.options)
			switch {
			case c.wrong == "" && (err != nil || len(text) == 0):
				t.Errorf("got %q, %v", text, err)
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("got %v, want %q", err, c.wrong)
			}
		})
	}
}

func TestGetEncrypted(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(serve))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // one handshake is meant to fail
	server.StartTLS()
	t.Cleanup(server.Close)
	if _, err := Get(t.Context(), server.URL+"/doc.json", Options{Loopback: true}); err == nil {
		t.Error("a certificate of nobody was taken")
	}
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	text, err := Get(t.Context(), server.URL+"/doc.json", Options{Loopback: true, TLS: &tls.Config{RootCAs: roots}})
	if err != nil || len(text) == 0 {
		t.Errorf("got %q, %v", text, err)
	}
}
