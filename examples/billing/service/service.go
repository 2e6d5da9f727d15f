// Package service is the remote side of the example: a small billing service
// that answers JSON-RPC 2.0 over HTTP from memory. It stands for somebody
// else's API, so it knows nothing of rpcgen. Start with New.
package service

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// Service is an http.Handler. It is safe for concurrent use.
type Service struct {
	mu    sync.Mutex
	calls []string
	paid  map[string]bool // by request_id
}

// New returns a service that knows one customer with two invoices.
func New() *Service { return &Service{paid: map[string]bool{}} }

// Calls returns the names of the methods that reached the service, in order.
func (s *Service) Calls() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.calls...)
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// ServeHTTP answers one request; a notification is answered with 204.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, "not a request", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.calls = append(s.calls, req.Method)
	s.mu.Unlock()
	if req.ID == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	reply := map[string]any{"jsonrpc": "2.0", "id": req.ID}
	if result, err := s.call(req.Method, req.Params); err != nil {
		reply["error"] = err
	} else {
		reply["result"] = result
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(reply)
}

func (s *Service) call(method string, params json.RawMessage) (any, *fault) {
	switch method {
	case "invoice.get":
		return getInvoice(params)
	case "invoice.list":
		return []any{invoice("inv_0002", "open"), invoice("inv_0001", "paid")}, nil
	case "invoice.pay":
		return s.pay(params)
	case "catalog.tree":
		return category("shop", category("books", category("maps")), category("tea")), nil
	default:
		return nil, &fault{-32601, fmt.Sprintf("no method %q", method)}
	}
}

func getInvoice(params json.RawMessage) (any, *fault) {
	var p struct {
		ID string `json:"invoice_id"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &fault{-32602, "invalid params"}
	}
	switch p.ID {
	case "inv_0001":
		return invoice(p.ID, "paid"), nil
	case "inv_0002":
		return invoice(p.ID, "open"), nil
	default:
		return nil, &fault{-32001, "Invoice not found"}
	}
}

func (s *Service) pay(params json.RawMessage) (any, *fault) {
	var p struct {
		ID      string          `json:"invoice_id"`
		Request string          `json:"request_id"`
		Method  json.RawMessage `json:"method"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, &fault{-32602, "invalid params"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paid[p.Request] = true
	return map[string]any{
		"id":      fmt.Sprintf("pay_%04d", len(s.paid)),
		"invoice": invoice(p.ID, "paid"),
		"method":  p.Method,
	}, nil
}

func invoice(id, status string) map[string]any {
	return map[string]any{
		"id": id, "customer_id": "cus_7", "status": status,
		"total":     map[string]any{"currency": "EUR", "cents": 1250},
		"lines":     []any{map[string]any{"text": "Tea, 200 g", "price": map[string]any{"currency": "EUR", "cents": 1250}}},
		"issued_at": "2026-11-01T09:00:00Z", "note": nil,
	}
}

func category(name string, children ...any) any {
	if children == nil {
		children = []any{}
	}
	return map[string]any{"name": name, "children": children}
}
