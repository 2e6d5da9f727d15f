package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// BenchmarkCall shows a governed call beside raw net/http with fixed bytes and
// beside net/http with encoding/json.
func BenchmarkCall(b *testing.B) {
	for _, records := range []int{1, 120, 12_000} {
		answer := "[" + strings.TrimSuffix(strings.Repeat(`{"id":"0123456789abcdef0123456789abcdef0123456789abcdef","total":1234567},`, records), ",") + "]"
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			id := body[bytes.LastIndexByte(body, ':')+1 : len(body)-1]
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, answer)
		}))
		list := &schema.Node{ID: "List", Types: schema.TypeArray, Array: &schema.ArrayRules{
			Items: object("Invoice", need("id", text("Invoice/id")), need("total", integer("Invoice/total"))),
		}}
		src := source(func(m map[string]*compiled.Method) {
			m["invoice.get"].ResultNode, m["invoice.pay"].ResultNode = list, list
		})
		for _, reuse := range []Connections{Fresh, Reuse} {
			binding := Binding{URL: server.URL + "/", Development: true, Connections: reuse, Limits: Limits{Response: 8 << 20}}
			_, c := setup(b, src, binding, code("x"), Options{})
			get, pay := src.Method("invoice.get"), src.Method("invoice.pay")
			if reuse == Fresh {
				b.Run(fmt.Sprintf("read/%d", len(answer)), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if v, err := Call[[]Invoice](context.Background(), c, get, GetParams{ID: "a"}); err != nil || len(v) != records {
							b.Fatal(err)
						}
					}
				})
			}
			b.Run(fmt.Sprintf("write-%s/%d", reuse, len(answer)), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if v, err := Call[[]Invoice](context.Background(), c, pay, PayParams{ID: "a", Amount: 1}); err != nil || len(v) != records {
						b.Fatal(err)
					}
				}
			})
		}
		request := []byte(`{"jsonrpc":"2.0","method":"invoice.get","params":{"id":"a"},"id":"0123456789abcdef0123456789abcdef"}`)
		post := func(b *testing.B) io.ReadCloser {
			r, err := http.Post(server.URL, "application/json", bytes.NewReader(request))
			if err != nil {
				b.Fatal(err)
			}
			return r.Body
		}
		b.Run(fmt.Sprintf("nethttp/%d", len(answer)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				body := post(b)
				io.Copy(io.Discard, body)
				body.Close()
			}
		})
		b.Run(fmt.Sprintf("nethttp-json/%d", len(answer)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				body := post(b)
				var envelope struct{ Result []Invoice }
				if err := json.NewDecoder(body).Decode(&envelope); err != nil || len(envelope.Result) != records {
					b.Fatal(err)
				}
				body.Close()
			}
		})
		server.Close()
	}
}
