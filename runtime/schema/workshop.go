package schema

import (
	"errors"
	"reflect"
	"sync"
)

// workshop is what successive calls of Bind share. What has been handed out
// is never written to again, so only the making is locked.
type workshop struct {
	mu      sync.Mutex
	program *program
	plans   map[planKey]*plan
}

func (u *Unions) workshop() *workshop {
	if u == nil {
		return &workshop{}
	}
	return &u.shop
}

// bind makes the rule of n and the plan by which t holds its values.
func (w *workshop) bind(n *Node, t reflect.Type, u *Unions) (*rule, *plan, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.program == nil {
		w.program, w.plans = newProgram(), map[planKey]*plan{}
	}
	p := w.program
	root, err := p.compile(n)
	if err != nil {
		w.program = nil // it holds what could not be finished
		return nil, nil, err
	}
	b := &binder{program: p, unions: u, plans: w.plans}
	bound := b.plan(n, t, false)
	p.finish()
	if err := errors.Join(b.err, p.err); err != nil {
		w.program = nil
		return nil, nil, err
	}
	return root, bound, nil
}
