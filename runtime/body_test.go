package runtime

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// Results stay what they are while later calls use the same room for their
// bodies: strings, raw JSON and everything else is copied out.
func TestResultsOutliveTheirBodies(t *testing.T) {
	type item struct {
		Text  string                `json:"text"`
		Bytes []byte                `json:"bytes"`
		Any   schema.Raw            `json:"any"`
		Big   schema.Integer        `json:"big"`
		Extra map[string]schema.Raw `json:",inline"`
	}
	node := &schema.Node{ID: "Item", Types: schema.TypeObject, Object: &schema.ObjectRules{Properties: []schema.Property{
		need("text", text("Item/text")),
		need("bytes", &schema.Node{ID: "Item/bytes", Types: schema.TypeString, String: &schema.StringRules{ContentEncoding: "base64"}}),
		need("any", &schema.Node{ID: "Item/any"}),
		need("big", integer("Item/big")),
	}}}
	src := source(func(m map[string]*compiled.Method) { m["ping"].ResultNode = node })
	s := serve(t, nil)
	var n int
	var mu sync.Mutex
	s.answer = func(w http.ResponseWriter, r request) {
		mu.Lock()
		n++
		k := n
		mu.Unlock()
		result(fmt.Sprintf(`{"text":"t%[1]d","bytes":"YWJj","any":["t%[1]d",%[1]d],"big":%[1]d,"more":%[1]d}`, k))(w, r)
	}
	_, c := setup(t, src, s.binding(), code("x"), Options{})
	ping := src.Method("ping")
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			kept := map[int]item{}
			for i := range 20 {
				v, err := Call[item](context.Background(), c, ping, NoParams{})
				if err != nil {
					t.Error(err)
					return
				}
				kept[worker*20+i] = v
			}
			for _, v := range kept {
				if want := fmt.Sprintf(`["%s",%s]`, v.Text, v.Extra["more"]); string(v.Any) != want || string(v.Bytes) != "abc" || string(v.Big) != string(v.Extra["more"]) {
					t.Errorf("a result has changed: %+v, want any %s", v, want)
				}
			}
		})
	}
	all.Wait()
}
