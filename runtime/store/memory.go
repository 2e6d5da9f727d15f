package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// Memory is a Store for one process. What it knows ends with the process, and
// so does every approval. It may be used by any number of goroutines.
type Memory struct {
	mu          sync.Mutex
	epoch       string
	approvals   map[string]*Approval
	current     map[Tuple]string // id of the latest approval of a call
	intents     map[string]*Intent
	generations map[string]generation
	freezes     []Freeze
}

type generation struct {
	digest string
	number uint64
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{
		epoch:       rand.Text(),
		approvals:   map[string]*Approval{},
		current:     map[Tuple]string{},
		intents:     map[string]*Intent{},
		generations: map[string]generation{},
	}
}

// Request implements Store.
func (m *Memory) Request(_ context.Context, now time.Time, q Question) (Approval, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(now)
	if a := m.approvals[m.current[q.Tuple]]; a != nil && a.State != Consumed && now.Before(a.Expires) {
		return *a, nil
	}
	pending := 0
	for _, a := range m.approvals {
		if a.Tuple.Principal == q.Tuple.Principal && a.State == Requested && now.Before(a.Expires) {
			pending++
		}
	}
	if pending >= MaxPending {
		return Approval{}, ErrTooMany
	}
	a := &Approval{
		ID: rand.Text(), Tuple: q.Tuple, View: q.View, ViewDigest: q.ViewDigest,
		Requested: now, Expires: q.Expires, Epoch: m.epoch, State: Requested,
	}
	m.approvals[a.ID], m.current[a.Tuple] = a, a.ID
	return *a, nil
}

// forget drops approvals that have expired. A spent one stays until then, so
// that its second use has the right name.
func (m *Memory) forget(now time.Time) {
	for id, a := range m.approvals {
		if now.After(a.Expires.Add(time.Hour)) {
			delete(m.approvals, id)
			if m.current[a.Tuple] == id {
				delete(m.current, a.Tuple)
			}
		}
	}
}

// Decide implements Store.
func (m *Memory) Decide(_ context.Context, now time.Time, d Decision) (Approval, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.approvals[d.ID]
	switch {
	case a == nil:
		return Approval{}, ErrNotFound
	case a.State != Requested:
		return *a, ErrDecided
	case !now.Before(a.Expires):
		return *a, ErrExpired
	case a.ViewDigest != d.ViewDigest:
		return *a, ErrView
	case d.By == "" || d.By == a.Tuple.Principal:
		return *a, ErrSelfApproval
	}
	a.State, a.DecidedBy = Denied, d.By
	if d.Approve {
		a.State = Approved
	}
	return *a, nil
}

// Check implements Store.
func (m *Memory) Check(_ context.Context, now time.Time, c Consumption) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.check(now, c)
}

// Consume implements Store.
func (m *Memory) Consume(_ context.Context, now time.Time, c Consumption) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.check(now, c); err != nil {
		return err
	}
	if c.ApprovalID != "" {
		m.approvals[c.ApprovalID].State = Consumed
	}
	m.intents[c.RequestID] = &Intent{RequestID: c.RequestID, ApprovalID: c.ApprovalID, Tuple: c.Tuple, At: now}
	return nil
}

func (m *Memory) check(now time.Time, c Consumption) error {
	if m.intents[c.RequestID] != nil {
		return ErrExists
	}
	for _, f := range m.freezes {
		if f.Covers(c.Tuple.Endpoint, c.Tuple.Method) {
			return ErrFrozen
		}
	}
	if c.ApprovalID == "" {
		return nil
	}
	return m.usable(m.approvals[c.ApprovalID], now, c.Tuple)
}

func (m *Memory) usable(a *Approval, now time.Time, t Tuple) error {
	switch {
	case a == nil:
		return ErrNotFound
	case a.Epoch != m.epoch:
		return ErrEpoch
	case a.Tuple != t:
		return ErrMismatch
	case a.State == Consumed:
		return ErrConsumed
	case a.State == Denied:
		return ErrDenied
	case a.State != Approved:
		return ErrUndecided
	case !now.Before(a.Expires):
		return ErrExpired
	default:
		return nil
	}
}

// Outcome implements Store. An intent that ended and is known is dropped:
// memory keeps no audit.
func (m *Memory) Outcome(_ context.Context, requestID string, o outcome.Outcome) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.intents[requestID]
	switch {
	case i == nil:
		return ErrNotFound
	case i.Outcome != nil:
		return ErrDecided
	case o.Delivery != outcome.Unknown:
		delete(m.intents, requestID)
		return nil
	}
	i.Outcome = &o
	return nil
}

// Pending implements Store.
func (m *Memory) Pending(_ context.Context, now time.Time) ([]Approval, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Approval
	for _, a := range m.approvals {
		if a.State == Requested && now.Before(a.Expires) {
			list = append(list, *a)
		}
	}
	slices.SortFunc(list, func(a, b Approval) int {
		return cmp.Or(a.Requested.Compare(b.Requested), strings.Compare(a.ID, b.ID))
	})
	return list, nil
}

// Unknown implements Store.
func (m *Memory) Unknown(context.Context) ([]Intent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Intent
	for _, i := range m.intents {
		list = append(list, *i)
	}
	slices.SortFunc(list, func(a, b Intent) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.RequestID, b.RequestID))
	})
	return list, nil
}

// Resolve implements Store.
func (m *Memory) Resolve(_ context.Context, _ time.Time, requestID, by, _ string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.intents[requestID] == nil || by == "" {
		return ErrNotFound
	}
	delete(m.intents, requestID)
	return nil
}

// Epoch implements Store.
func (m *Memory) Epoch(context.Context) (string, error) { return m.epoch, nil }

// Generation implements Store.
func (m *Memory) Generation(_ context.Context, endpoint, digest string, renew bool) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	g := m.generations[endpoint]
	if g.number == 0 || g.digest != digest || renew {
		g = generation{digest, g.number + 1}
		m.generations[endpoint] = g
	}
	return g.number, nil
}

// Freeze implements Store.
func (m *Memory) Freeze(_ context.Context, f Freeze) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.thaw(f.Endpoint, f.Method)
	m.freezes = append(m.freezes, f)
	slices.SortFunc(m.freezes, func(a, b Freeze) int {
		return cmp.Or(strings.Compare(a.Endpoint, b.Endpoint), strings.Compare(a.Method, b.Method))
	})
	return nil
}

// Thaw implements Store.
func (m *Memory) Thaw(_ context.Context, endpoint, method string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.thaw(endpoint, method) {
		return ErrNotFound
	}
	return nil
}

func (m *Memory) thaw(endpoint, method string) bool {
	before := len(m.freezes)
	m.freezes = slices.DeleteFunc(m.freezes, func(f Freeze) bool { return f.Endpoint == endpoint && f.Method == method })
	return len(m.freezes) < before
}

// Freezes implements Store.
func (m *Memory) Freezes(context.Context) ([]Freeze, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.freezes), nil
}
