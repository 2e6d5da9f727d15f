// Package calltest is what tests of durable stores call: a small contract and a
// server that counts what was done. Start with Contract and Serve.
package calltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// Contract has a read, ping, and a write, pay, for which agents are asked.
func Contract() (*runtime.Contract, error) {
	flow := effect.Flow{Sends: effect.Internal, Returns: effect.Internal}
	ping := &compiled.Method{Name: "ping", ID: "ping", ResultNode: &schema.Node{ID: "ping/result", Types: schema.TypeBoolean}, Authority: compiled.Authority{
		State: compiled.Open, Effect: effect.Read, Right: effect.RightRead, Code: effect.Allow, Agents: effect.Allow,
		Flow: flow, Rollback: effect.Rollback{Class: effect.RollbackNotRequired},
	}}
	pay := &compiled.Method{Name: "pay", ID: "pay", ResultNode: &schema.Node{ID: "pay/result", Types: schema.TypeBoolean}, Authority: compiled.Authority{
		State: compiled.Open, Effect: effect.Write, Right: effect.RightWrite, Code: effect.Allow, Agents: effect.Ask,
		Flow: flow, Rollback: effect.Rollback{Class: effect.RollbackUnknown},
	}}
	pay.Params = []compiled.Param{{Name: "id", Required: true}}
	pay.ParamsNode = &schema.Node{ID: "pay/params", Types: schema.TypeObject, Object: &schema.ObjectRules{
		Properties: []schema.Property{{Name: "id", Required: true, Node: &schema.Node{ID: "pay/id", Types: schema.TypeString}}},
		Additional: &schema.Node{ID: "pay/more", Never: true},
	}}
	b, err := compiled.Marshal(&compiled.Contract{
		Header:  compiled.Header{ID: "billing", Protocol: "jsonrpc", Document: compiled.Source{Kind: "openrpc", Version: "1.3.2"}},
		Methods: []*compiled.Method{ping, pay},
	})
	if err != nil {
		return nil, err
	}
	return runtime.Open(b)
}

// Server counts what it was asked to pay.
type Server struct {
	*httptest.Server

	mu      sync.Mutex
	paid    map[string]int
	arrived func()
}

// Serve starts a Server that ends with the test.
func Serve(t *testing.T) *Server {
	s := &Server{paid: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(s.answer))
	t.Cleanup(s.Close)
	return s
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	var q struct {
		ID     json.RawMessage
		Method string
		Params struct{ ID string }
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, "", http.StatusBadRequest)
		return
	}
	if q.Method == "pay" {
		s.mu.Lock()
		s.paid[q.Params.ID]++
		arrived := s.arrived
		s.mu.Unlock()
		if arrived != nil {
			arrived()
		}
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":true}`, q.ID)
}

// OnArrival makes the server call f for every pay that arrived, before it is
// answered; nil ends that.
func (s *Server) OnArrival(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrived = f
}

// Paid returns how often id was paid.
func (s *Server) Paid(id string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.paid[id]
}

// Bot is an agent with every right on an endpoint.
func Bot(endpoint string) runtime.Principal {
	return runtime.Principal{Name: "bot", Kind: runtime.Agent, Grants: runtime.Full(endpoint)}
}

// Params are the params of a payment.
func Params(id string) []byte { return fmt.Appendf(nil, `{"id":%q}`, id) }
