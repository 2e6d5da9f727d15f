package runtime

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// A signature is over the very bytes that arrive, for a read and a write, and
// made once for each of them, after everything was decided.
func TestSignatureIsOfWhatArrives(t *testing.T) {
	key := FromFunc("key", func(context.Context) (string, error) { return "a key of the host", nil })
	mac := func(ctx context.Context, method, authority, path string, body []byte) string {
		k, err := key.Resolve(ctx)
		if err != nil {
			t.Error(err)
		}
		m := hmac.New(sha256.New, []byte(k))
		fmt.Fprintf(m, "%s %s %s\n", method, authority, path)
		m.Write(body)
		return hex.EncodeToString(m.Sum(nil))
	}
	var verified, signed atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Header.Get("X-Signature") != mac(r.Context(), r.Method, r.Host, r.RequestURI, body) {
			t.Errorf("the signature does not fit %s", body)
		}
		verified.Add(1)
		w.WriteHeader(http.StatusTeapot)
	}))
	defer s.Close()
	b := Binding{URL: s.URL + "/rpc?v=1", Development: true, SignName: "hmac", Sign: func(ctx context.Context, o Outgoing) ([]Field, error) {
		signed.Add(1)
		return []Field{{Name: "X-Signature", Value: mac(ctx, o.Method, o.Authority, o.Path, o.Body)}}, nil
	}}
	r, c := setup(t, source(nil), b, code("x"), Options{})
	for _, call := range bothWays {
		var end outcome.Outcome
		if c.Do(t.Context(), call.method, []byte(call.params), Into(&end)); end.HTTPStatus != http.StatusTeapot {
			t.Errorf("%s: %+v", call.method, end)
		}
	}
	caller(t, r, agent("bot")).Do(t.Context(), "invoice.pay", []byte(onePay)) // waits for a person
	c.Do(t.Context(), "undecided", nil)
	c.Do(t.Context(), "invoice.pay", []byte(`{}`))
	if verified.Load() != 2 || signed.Load() != 2 {
		t.Errorf("%d signatures were made and %d arrived, want 2", signed.Load(), verified.Load())
	}
}
