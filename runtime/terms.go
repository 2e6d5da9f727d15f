package runtime

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/policy"
	"github.com/openrpc-go/rpcgen/runtime/schema"
	"github.com/openrpc-go/rpcgen/runtime/transport"
)

// amends is the amendment's voice about a call whose params are known: its word
// for the kind of caller, or for an agent what allow_if makes of the params.
func (a *attempt) amends() policy.Verdict {
	rule := a.compiled.Authority.AllowIf
	if rule == nil || a.caller.kind != policy.Agent {
		return policy.Verdict{Decision: a.word(), Reason: "for " + string(a.caller.kind)}
	}
	checker, err := a.method.allowIf()
	if err != nil {
		return policy.Verdict{Decision: effect.Deny, Reason: "allow_if cannot be checked"}
	}
	params := a.named
	if len(params) == 0 {
		params = []byte("{}")
	}
	if checker.Check(params) != nil {
		return policy.Verdict{Decision: a.word(), Reason: "for agents with params that allow_if does not admit"}
	}
	return policy.Verdict{Decision: effect.Allow, Reason: "for agents with params that allow_if admits"}
}

// allowIf returns the checker of the amendment's rule.
func (m *method) allowIf() (*schema.Checker, error) {
	m.rule.Do(func() { m.admits, m.unruly = schema.NewChecker(m.m.Authority.AllowIf) })
	return m.admits, m.unruly
}

// limits are those of the binding, tightened by the method's own.
func limits(e *endpoint, m *compiled.Method) transport.Limits {
	l := e.limits
	own := m.Authority.Limits
	if own == nil {
		return l
	}
	l.Request = tighter(l.Request, own.RequestBytes)
	l.Response = tighter(l.Response, own.ResponseBytes)
	l.Timeout = tighter(l.Timeout, time.Duration(own.Milliseconds)*time.Millisecond)
	return l
}

func tighter[N int64 | time.Duration](limit, own N) N {
	if own > 0 && own < limit {
		return own
	}
	return limit
}

// readBack returns the read that shows what a write did, ready to be called,
// or nil where it needs a part of a result that did not come.
func (a *attempt) readBack(result []byte) *outcome.ReadBack {
	declared := a.compiled.Authority.ReadBack
	if declared == nil {
		return nil
	}
	object := []byte{'{'}
	for i, carried := range declared.Params {
		value, ok := a.carried(carried.From, result)
		if !ok {
			return nil
		}
		if i > 0 {
			object = append(object, ',')
		}
		object = append(append(scan.AppendQuote(object, carried.Name), ':'), value...)
	}
	params, err := canonical.JSON(nil, append(object, '}'))
	if err != nil {
		return nil
	}
	return &outcome.ReadBack{Method: declared.Method, Params: string(params)}
}

// carried finds the value that a read-back takes from the params or the result.
func (a *attempt) carried(from string, result []byte) ([]byte, bool) {
	if rest, ok := strings.CutPrefix(from, "/params"); ok {
		return at(a.named, rest)
	}
	if rest, ok := strings.CutPrefix(from, "/result"); ok {
		return at(result, rest)
	}
	return nil, false
}

// at follows a JSON Pointer in a JSON value that was checked before.
func at(value []byte, pointer string) ([]byte, bool) {
	tokens := strings.Split(pointer, "/")
	if tokens[0] != "" || len(value) == 0 {
		return nil, false
	}
	for _, token := range tokens[1:] {
		var ok bool
		if value, ok = child(value, strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")); !ok {
			return nil, false
		}
	}
	return value, true
}

func child(value []byte, token string) (found []byte, ok bool) {
	start := scan.Space(value, 0)
	switch {
	case start == len(value):
	case value[start] == '{':
		scan.Members(value, start, func(name []byte, from, to int) error {
			if string(scan.Unquote(nil, name)) == token {
				found, ok = value[from:to], true
			}
			return nil
		})
	case value[start] == '[':
		n := 0
		scan.Elements(value, start, func(from, to int) error {
			if strconv.Itoa(n) == token {
				found, ok = value[from:to], true
			}
			n++
			return nil
		})
	}
	return found, ok
}

// keyless refuses params without the text by which the service recognises a
// repeated call: a write that cannot be told from its repetition is not what
// the owner let through. The key is the caller's: whatever is sent was given.
func (a *attempt) keyless() error {
	pointer := a.compiled.Authority.IdempotencyKey
	if pointer == "" {
		return nil
	}
	if key, ok := at(a.named, pointer); ok && len(key) > len(`""`) && key[0] == '"' {
		return nil
	}
	return a.refuse(ReasonInvalidParams, fmt.Sprintf("the amendment wants a text at %q by which the service recognises a repeated call", pointer), nil)
}

// tooLarge says which limit the params break, if any.
func (a *attempt) tooLarge() error {
	limit := limits(a.endpoint, a.compiled).Request
	if a.requestSize() > limit {
		return a.refuse(ReasonInvalidParams, fmt.Sprintf("they make the request larger than %d bytes", limit), nil)
	}
	return nil
}
