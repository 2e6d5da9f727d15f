package runtime

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/internal/governance"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// showErrors shows what an error says, and what it never does.
func showErrors(show governance.Show) {
	show("C2", "what a certificate says", testHostileCertificate)
	show("C5 C6", "a server that sends everything back", testEchoingServer)
	show("C5", "no part of a URL", testNoURL)
	show("C6 C7", "secrets of a binding", testSecretsStayOut)
	show("C6", "a result that holds a secret is flagged", testReflectedResult)
	show("C8", "data of declared errors", testSilentData)
	show("C7", "every print of a binding", testBindingPrints)
	show("C8", "one line of a log for one error", testLogLines)
	show("C9", "unknown and forbidden look the same", testUnknownAndForbidden)
}

// prints are all the ways in which people let an error be seen.
func prints(err error) string {
	var b strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		fmt.Fprintf(&b, verb+"\n", err)
		fmt.Fprintf(&b, verb+"\n", struct{ Err error }{err})
	}
	for _, v := range []any{err, fmt.Errorf("wrapped: %w", err), struct{ Err error }{err}} {
		if text, e := json.Marshal(v); e == nil {
			b.Write(text)
		}
		slog.New(slog.NewTextHandler(&b, nil)).Error("failed", "err", v)
		slog.New(slog.NewJSONHandler(&b, nil)).Error("failed", "err", v)
	}
	return b.String()
}

// chain is an error and all that it wraps.
func chain(err error) (list []error) {
	for e := err; e != nil; e = errors.Unwrap(e) {
		list = append(list, e)
	}
	return list
}

const (
	echoToken    = `hunter2/"hunter2"<&`
	echoPassword = "correct horse battery"
)

// echoSpellings are what must be in no print of an error.
func echoSpellings() []string {
	pair := base64.StdEncoding.EncodeToString([]byte("me:" + echoPassword))
	quoted, _ := json.Marshal(echoToken)
	return []string{
		echoToken, string(quoted[1 : len(quoted)-1]), url.QueryEscape(echoToken), hex.EncodeToString([]byte(echoToken)),
		base64.StdEncoding.EncodeToString([]byte(echoToken)), pair, echoPassword, url.QueryEscape(echoPassword), "sign-1234567",
	}
}

// echoes are answers that hold ECHO in every place where an answer holds text.
// JSON is ECHO as it stands within a string of JSON.
var echoes = []string{
	"HTTP/1.1 500 ECHO\r\nContent-Length: 0\r\n\r\n",
	"HTTP/1.1 200 ECHO\r\nContent-Length: 4\r\n\r\nECHO",
	"HTTP/1.1 307 Go\r\nLocation: https://trap.example/ECHO\r\nContent-Length: 4\r\n\r\nECHO",
	"HTTP/1.1 401 No\r\nWWW-Authenticate: ECHO\r\nContent-Type: ECHO\r\nX-ECHO: ECHO\r\nContent-Length: 4\r\n\r\nECHO",
	"HTTP/1.1 200 OK\r\nContent-Type: application/ECHO\r\n\r\nECHO",
	"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + strings.Repeat("x", maxExcerpt-9) + "ECHO",
	"HTTP/1.1 502 Bad\r\n\r\n<html>ECHO</html>",
	"HTTP/1.1 200 OK\r\nContent-Encoding: ECHO\r\n\r\nECHO",
	"HTTP/1.1 103 ECHO\r\nX: ECHO\r\n\r\nHTTP/1.1 500 ECHO\r\n\r\nECHO",
	"HTTP/1.1 ECHO\r\n\r\n",
	"ECHO\r\n\r\n",
	"HTTP/1.1 200 OK\r\nECHO\r\n\r\n",
	"HTTP/1.1 200 OK\r\nContent-Length: ECHO\r\n\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nECHO\r\n",
	"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;ECHO\r\nJUNK\r\n0\r\nX-Trailer: ECHO\r\n\r\n",
	"HTTP/1.1 200 OK\r\n\r\n" + `{"jsonrpc":"2.0","id":"ID","error":{"code":1,"message":"JSON","data":{"JSON":"JSON"}}}`,
	"HTTP/1.1 200 OK\r\n\r\n" + `{"jsonrpc":"2.0","id":"ID","error":{"code":1,"message":"` + strings.Repeat("x", 4085) + `JSON"}}`,
	"HTTP/1.1 403 ECHO\r\n\r\n" + `{"jsonrpc":"2.0","id":"ID","error":{"code":-32001,"message":"JSON","data":["JSON"]}}`,
	"HTTP/1.1 200 OK\r\n\r\n" + `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"JSON","data":"JSON"}}`,
	"HTTP/1.1 200 OK\r\n\r\n" + `{"jsonrpc":"JSON","id":"JSON","result":"JSON","JSON":"JSON"}`,
	"HTTP/1.1 200 OK\r\n\r\n" + `{"jsonrpc":"2.0","id":"JSON","result":{"JSON":1}}`,
	"HTTP/1.1 200 OK\r\n\r\n" + `{"jsonrpc":"2.0","id":"ID","result":{"JSON":"JSON","id":1,"total":"JSON"}}`,
	"HTTP/1.1 200 OK\r\n\r\n" + `{"jsonrpc":"2.0","id":"ID","result":["JSON",{"JSON":[]}]}`,
	"HTTP/1.1 200 OK\r\n\r\n" + `{"jsonrpc":"2.0","id":"ID","result":"JSON"}`,
	"HTTP/1.1 200 OK\r\n\r\n" + `{"jsonrpc":"2.0","id":"ID","result":{"id":"JSON","total":9223372036854775808}}`,
	"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{", /* and ends */
}

// A server that sends secrets, and words of its own, back in every place gets
// none of them into any print of any error; what of its words is kept is kept
// in the fields for them, without the secrets.
func testEchoingServer(t *testing.T) {
	src := source(func(m map[string]*compiled.Method) {
		m["invoice.pay"].Authority.Report = true
		m["ping"].ResultNode = &schema.Node{ID: "ping/result", Enum: []string{`"pong"`}}
	})
	pair := base64.StdEncoding.EncodeToString([]byte("me:" + echoPassword))
	fixed := func(value string) Secret {
		return FromFunc("f", func(context.Context) (string, error) { return value, nil })
	}
	for _, template := range echoes {
		for _, spelling := range append(echoSpellings(), "REMOTEWORDS") {
			quoted, _ := json.Marshal(spelling)
			text := strings.NewReplacer("ECHO", spelling, "JSON", string(quoted[1:len(quoted)-1])).Replace(template)
			s := serveRaw(t, func(c net.Conn, q request) bool { write(c, replaceID(text, q)); return false })
			b := s.binding()
			b.URL += "-urlpart?key=urlpart"
			b.Headers = []Header{{Name: "X-Key", Value: fixed(echoToken)}, {Name: "Authorization", Prefix: "Basic ", Value: fixed(pair)}}
			b.SignName, b.Sign = "s", func(context.Context, Outgoing) ([]Field, error) {
				return []Field{{Name: "X-Sign", Value: "sign-1234567"}}, nil
			}
			r, c := setup(t, src, b, code("x"), Options{})
			bot := caller(t, r, agent("bot"))
			var errs []error
			collect := func(_ []byte, err error) { errs = append(errs, err) }
			collect(c.Do(t.Context(), "ping", nil))
			collect(bot.Do(t.Context(), "ping", nil))
			collect(c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`)))
			errs = append(errs, callError[Invoice](c, src.Method("invoice.get"), GetParams{ID: "a"}))
			for _, err := range errs {
				if err == nil {
					continue
				}
				checkSilent(t, template, err)
			}
			r.Close()
			if t.Failed() {
				return
			}
		}
	}
}

// checkSilent wants an error of a call to say none of the server's words.
func checkSilent(t *testing.T, template string, err error) {
	t.Helper()
	var failed *CallError
	if !errors.As(err, &failed) {
		t.Errorf("%.60q: %T %v", template, err, err)
		return
	}
	seen := prints(err)
	for _, word := range []string{"REMOTEWORDS", "urlpart", "127.0.0.1", "trap.example"} {
		if strings.Contains(seen, word) {
			t.Errorf("%.60q: the error says %q: %s", template, word, seen)
		}
	}
	kept := failed.MediaType + string(failed.Excerpt)
	if failed.Remote != nil {
		kept += failed.Remote.Message + string(failed.Remote.Data)
	}
	for _, e := range chain(err) {
		kept += prints(e)
	}
	for _, spelling := range echoSpellings() {
		if strings.Contains(kept, spelling) {
			t.Errorf("%.60q: a secret is kept as %q in %+q", template, spelling, kept)
		}
	}
	// No part of one at a place where something was cut.
	for _, part := range []string{"hunter2", "correct"} {
		if strings.Contains(kept, part) {
			t.Errorf("%.60q: a part of a secret is kept: %+q", template, kept)
		}
	}
}

// A certificate that was not accepted gets none of its words into an error.
func testHostileCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"REMOTEWORDS.example", "urlpart.example"}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "REMOTEWORDS\r\n\x1b[2J", Organization: []string{"REMOTEWORDS"}},
		DNSNames: names, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
	s.StartTLS()
	defer s.Close()
	known := x509.NewCertPool()
	known.AddCert(parsed)
	for name, roots := range map[string]*x509.CertPool{"unknown": x509.NewCertPool(), "wrong name": known} {
		b := Binding{URL: "https://localhost:1/urlpart", Development: true, Roots: roots}
		b.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) {
			return net.Dial("tcp", s.Listener.Addr().String())
		}
		_, c := setup(t, source(nil), b, code("x"), Options{})
		var end outcome.Outcome
		_, err := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`), Into(&end))
		if end.Status != outcome.TransportError || end.Code != "tls_certificate" || end.Delivery != outcome.NotStarted {
			t.Errorf("%s: %+v, %v", name, end, err)
		}
		for _, e := range chain(err) {
			if seen := prints(e); strings.Contains(seen, "REMOTEWORDS") || strings.Contains(seen, "urlpart") || strings.Contains(seen, "x509") {
				t.Errorf("%s: the error says %s", name, seen)
			}
		}
	}
}

// Nothing that fails, at registration, before a call or in it, says the URL.
func testNoURL(t *testing.T) {
	silent := func(what string, err error) {
		t.Helper()
		if err == nil {
			t.Errorf("%s is accepted", what)
			return
		}
		for _, e := range chain(err) {
			if seen := prints(e); strings.Contains(seen, "urlpart") {
				t.Errorf("%s: the error says %s", what, seen)
			}
		}
	}
	for _, bad := range []string{"ftp://urlpart/", "https://urlpart:urlpart@a.example/", "https://a.example/?urlpart#x", "http://a.example/urlpart", "https://10.0.0.1/urlpart", "urlpart"} {
		silent(bad, NewRegistry(Options{}).Register("billing", load(t, source(nil)), Binding{URL: bad}))
	}
	missing := Binding{URL: "https://urlpart.example/urlpart?urlpart", Resolver: &turning{}}
	inner := missing
	inner.Resolver = &turning{first: netip.MustParseAddr("10.0.0.1")}
	lost := missing
	lost.Resolver = &turning{first: netip.MustParseAddr("8.8.8.8"), second: netip.MustParseAddr("8.8.8.8")}
	lost.Dial = func(context.Context, netip.AddrPort) (net.Conn, error) { return nil, errors.New("urlpart") }
	for name, b := range map[string]Binding{"no address": missing, "an inner address": inner, "no connection": lost} {
		r, c := setup(t, source(nil), b, code("x"), Options{})
		_, err := c.Do(t.Context(), "ping", nil)
		silent(name, err)
		_, err = caller(t, r, agent("bot")).Do(t.Context(), "ping", nil)
		silent(name, err)
	}
}

// A result is handed over as it came, and the outcome says that it holds a
// secret; observers and people see that and not the secret.
func testReflectedResult(t *testing.T) {
	const token = "token-1234567"
	s := serve(t, result(`{"id":"`+token+`","total":1}`))
	b := s.binding()
	b.Headers = []Header{{Name: "X-Key", Value: FromFunc("f", func(context.Context) (string, error) { return token, nil })}}
	o := &sink{}
	src := source(nil)
	_, c := setup(t, src, b, code("x"), Options{Observers: []Observer{o}})
	var end outcome.Outcome
	v, err := Call[Invoice](t.Context(), c, src.Method("invoice.get"), GetParams{ID: "a"}, Into(&end))
	if err != nil || v.ID != token || !end.Reflected || end.Status != outcome.OK {
		t.Errorf("got %+v, %+v, %v", v, end, err)
	}
	if strings.Contains(string(o.all), token) || !strings.Contains(string(o.all), `"secret_reflected":true`) {
		t.Errorf("observers are told %s", o.all)
	}
	s.answer = result(`{"id":"other","total":1}`)
	if _, err = c.Do(t.Context(), "invoice.get", []byte(`{"id":"a"}`), Into(&end)); err != nil || end.Reflected {
		t.Errorf("a result without: %+v, %v", end, err)
	}
}

// Data that are not what was declared get none of their words into the error.
func testSilentData(t *testing.T) {
	src := source(nil)
	declared := src.Error(-32001)
	s := serve(t, nil)
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	type data struct {
		ID string `json:"id"`
	}
	for _, text := range []string{`{"id":1,"REMOTEWORDS":2}`, `{"REMOTEWORDS":"REMOTEWORDS"}`, `"REMOTEWORDS"`, `["REMOTEWORDS"]`} {
		s.answer = members(`"error":{"code":-32001,"message":"m","data":` + text + `}`)
		_, err := ErrorData[data](callError[Invoice](c, src.Method("invoice.get"), GetParams{ID: "a"}), declared)
		var broken *schema.Error
		if !errors.As(err, &broken) || strings.Contains(prints(err), "REMOTEWORDS") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func testBindingPrints(t *testing.T) {
	const token = "token-1234567"
	fixed := FromFunc("f", func(context.Context) (string, error) { return token, nil })
	s := serve(t, result(`"pong"`))
	b := s.binding()
	b.Headers = []Header{{Name: "X-Key", Value: fixed}}
	_, c := setup(t, source(nil), b, code("x"), Options{})
	if _, err := c.Do(t.Context(), "ping", nil); err != nil {
		t.Fatal(err)
	}
	withProxy := b
	withProxy.Proxy = &Proxy{Name: "p", URL: "https://proxy.example", Credential: fixed}
	for _, thing := range []any{b, &b, b.Headers, withProxy, *withProxy.Proxy, c, c.registry, c.registry.current.Load(), *c.registry.current.Load().endpoints["billing"]} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			if text := fmt.Sprintf(verb, thing); strings.Contains(text, token) || strings.Contains(text, hex.EncodeToString([]byte(token))) {
				t.Errorf("%s of %T shows a secret", verb, thing)
			}
		}
		if text, err := json.Marshal(thing); err == nil && strings.Contains(string(text), token) {
			t.Errorf("JSON of %T shows a secret", thing)
		}
	}
}

// Names that a document or a caller chose start no line of a log, and paint
// nothing.
func testLogLines(t *testing.T) {
	const hostile = "a\nlevel=ERROR msg=forged\r\x1b[2J\u202e"
	src := source(func(m map[string]*compiled.Method) { m["ping"].Name = hostile })
	s := serve(t, func(w http.ResponseWriter, _ request) { w.WriteHeader(500) })
	r, c := setup(t, src, s.binding(), code(hostile), Options{})
	var errs []error
	_, err := c.Do(t.Context(), hostile, nil)
	errs = append(errs, err)
	_, err = c.Do(t.Context(), hostile+"?", nil)
	errs = append(errs, err)
	_, err = caller(t, r, agent(hostile)).Do(t.Context(), "invoice.pay", []byte(`{"id":"\u001b[2J\n","amount":1}`))
	errs = append(errs, err)
	_, err = c.Do(t.Context(), "invoice.get", []byte(`{"id":"a","\n\u001b[2J":1}`))
	errs = append(errs, err)
	for _, err := range errs {
		if err == nil {
			t.Fatal("a call went through")
		}
		var lines strings.Builder
		slog.New(slog.NewTextHandler(&lines, nil)).Error("failed", "err", err)
		slog.New(slog.NewJSONHandler(&lines, nil)).Error("failed", "err", err)
		if n := strings.Count(lines.String(), "\n"); n != 2 || strings.ContainsAny(lines.String()+err.Error(), "\r\x1b\u202e") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d lines: %q, %q", n, lines.String(), err.Error())
		}
	}
}

// Every kind of error of a call answers errors.Is and errors.As, and Delivery.
func TestErrorKinds(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r request) { w.WriteHeader(500) })
	src := source(nil)
	r, c := setup(t, src, s.binding(), code("x"), Options{})
	over, cancel := context.WithCancel(t.Context())
	cancel()
	_, canceled := c.Do(over, "ping", nil)
	_, invalid := c.Do(t.Context(), "invoice.get", []byte(`{"id":1}`))
	_, unclassified := c.Do(t.Context(), "undecided", nil)
	_, pending := caller(t, r, agent("bot")).Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`))
	_, answered := c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`))
	s.answer = members(`"error":{"code":-32001,"message":"m"}`)
	_, declared := c.Do(t.Context(), "invoice.get", []byte(`{"id":"a"}`))
	s.answer = result(`1`)
	_, broken := c.Do(t.Context(), "ping", nil)
	notFound := src.Error(-32001)
	var refusedKind *RefusedError
	var pendingKind *PendingError
	var callKind *CallError
	var schemaKind *schema.Error
	rows := []struct {
		name     string
		err      error
		is       []error
		as       []any
		delivery outcome.Delivery
	}{
		{"canceled", canceled, []error{ReasonCanceled, context.Canceled}, []any{&refusedKind}, outcome.NotStarted},
		{"invalid", invalid, []error{ReasonInvalidParams}, []any{&refusedKind, &schemaKind}, outcome.NotStarted},
		{"unclassified", unclassified, []error{ReasonUnclassified}, []any{&refusedKind}, outcome.NotStarted},
		{"pending", pending, nil, []any{&pendingKind}, outcome.NotStarted},
		{"http error", answered, nil, []any{&callKind}, outcome.Unknown},
		{"declared", declared, []error{notFound}, []any{&callKind}, outcome.Answered},
		{"broken", broken, nil, []any{&callKind, &schemaKind}, outcome.Completed},
	}
	every := []error{ReasonCanceled, ReasonInvalidParams, ReasonUnclassified, ReasonDenied, context.Canceled, context.DeadlineExceeded, notFound, src.Error(7)}
	for _, row := range rows {
		for _, wrapped := range []error{row.err, fmt.Errorf("wrapped: %w", row.err), errors.Join(io.EOF, row.err)} {
			for _, target := range every {
				if got, want := errors.Is(wrapped, target), slices.Contains(row.is, target); got != want {
					t.Errorf("%s: errors.Is(%v, %v) = %v", row.name, wrapped, target, got)
				}
			}
			for _, target := range []any{&refusedKind, &pendingKind, &callKind, &schemaKind} {
				if got, want := errors.As(wrapped, target), slices.Contains(row.as, target); got != want {
					t.Errorf("%s: errors.As(%v, %T) = %v", row.name, wrapped, target, got)
				}
			}
			if got := Delivery(wrapped); got != row.delivery {
				t.Errorf("%s: delivery %s, want %s", row.name, got, row.delivery)
			}
		}
	}
}
