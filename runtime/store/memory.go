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
// so does every approval. It keeps no audit. It may be used by any number of
// goroutines.
type Memory struct {
	mu          sync.Mutex
	epoch       string
	latest      time.Time // never goes back
	approvals   map[string]*Approval
	current     map[Tuple]string // id of the latest approval of a call
	intents     map[string]*intent
	used        map[string]map[int64]Use // by key of budget and slot
	generations map[string]Generation
	freezes     []Freeze
}

// intent is an Intent with what is needed to end it.
type intent struct {
	Intent
	read    bool
	charges []reserved
}

type reserved struct {
	Charge
	slot int64
}

// NewMemory returns an empty store.
func NewMemory() *Memory {
	return &Memory{
		epoch:       rand.Text(),
		approvals:   map[string]*Approval{},
		current:     map[Tuple]string{},
		intents:     map[string]*intent{},
		used:        map[string]map[int64]Use{},
		generations: map[string]Generation{},
	}
}

// forward moves the time of the store. The lock is held.
func (m *Memory) forward(now time.Time) (time.Time, error) {
	now, err := Forward(m.latest, now)
	if err == nil {
		m.latest = now
	}
	return now, err
}

// Request implements Store.
func (m *Memory) Request(_ context.Context, now time.Time, q Question) (Approval, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	life := q.Expires.Sub(now)
	now, err := m.forward(now)
	if err != nil {
		return Approval{}, err
	}
	m.forget(now)
	if m.generations[q.Tuple.Endpoint].Number != q.Tuple.Generation {
		return Approval{}, ErrMoved
	}
	if a := m.approvals[m.current[q.Tuple]]; a != nil && a.Epoch == m.epoch && a.State != Consumed && now.Before(a.Expires) {
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
		Requested: now, Expires: now.Add(life), Epoch: m.epoch, State: Requested,
	}
	m.approvals[a.ID], m.current[a.Tuple] = a, a.ID
	made := *a
	made.New = true
	return made, nil
}

// forget drops approvals that have expired. A spent one stays until then, so
// that its second use has the right name.
func (m *Memory) forget(now time.Time) {
	for id, a := range m.approvals {
		if now.After(a.Expires.Add(Keep)) {
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
	now, err := m.forward(now)
	if err != nil {
		return Approval{}, err
	}
	a := m.approvals[d.ID]
	if a == nil {
		return Approval{}, ErrNotFound
	}
	if err := a.Decidable(now, m.epoch, d); err != nil {
		return *a, err
	}
	a.State, a.DecidedBy = d.State(), d.By
	return *a, nil
}

// Check implements Store.
func (m *Memory) Check(_ context.Context, now time.Time, c Consumption) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, err := m.forward(now)
	if err != nil {
		return err
	}
	return m.check(now, c)
}

// Consume implements Store.
func (m *Memory) Consume(_ context.Context, now time.Time, c Consumption) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, err := m.forward(now)
	if err != nil {
		return err
	}
	if err := m.check(now, c); err != nil {
		return err
	}
	if c.ApprovalID != "" {
		m.approvals[c.ApprovalID].State = Consumed
	}
	i := &intent{Intent: Intent{RequestID: c.RequestID, ApprovalID: c.ApprovalID, Tuple: c.Tuple, At: now}, read: c.Read}
	for _, charge := range c.Charges {
		i.charges = append(i.charges, m.reserve(now, charge))
	}
	m.intents[c.RequestID] = i
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
	if c.ApprovalID != "" {
		a := m.approvals[c.ApprovalID]
		if a == nil {
			return ErrNotFound
		}
		if err := a.Usable(now, m.epoch, m.generations[c.Tuple.Endpoint].Number, c.Tuple); err != nil {
			return err
		}
	}
	for _, charge := range c.Charges {
		if err := charge.Check(); err != nil {
			return err
		}
		if !charge.Fits(m.usage(now, charge)) {
			return &BudgetError{charge.Name, charge.Window}
		}
	}
	return nil
}

// Used implements Store.
func (m *Memory) Used(_ context.Context, now time.Time, charges []Charge) ([]Use, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, err := m.forward(now)
	if err != nil {
		return nil, err
	}
	list := make([]Use, len(charges))
	for i, charge := range charges {
		if err := charge.Check(); err != nil {
			return nil, err
		}
		list[i] = m.usage(now, charge)
	}
	return list, nil
}

// usage sums what counts now, and drops what does not count any more.
func (m *Memory) usage(now time.Time, c Charge) (sum Use) {
	_, oldest := c.Slot(now)
	for slot, use := range m.used[c.Key] {
		if slot < oldest {
			delete(m.used[c.Key], slot)
			continue
		}
		sum = sum.plus(use)
	}
	if len(m.used[c.Key]) == 0 {
		delete(m.used, c.Key)
	}
	return sum
}

func (m *Memory) reserve(now time.Time, c Charge) reserved {
	slots := m.used[c.Key]
	if slots == nil {
		slots = map[int64]Use{}
		m.used[c.Key] = slots
	}
	slot, _ := c.Slot(now)
	slots[slot] = slots[slot].plus(c.Use)
	return reserved{c, slot}
}

// settle gives back what a call did not take, where it still counts.
func (m *Memory) settle(charges []reserved, o outcome.Outcome) {
	for _, r := range charges {
		if use, ok := m.used[r.Key][r.slot]; ok {
			m.used[r.Key][r.slot] = use.Minus(r.Use.Minus(Settle(r.Use, o)))
		}
	}
}

// Outcome implements Store. An intent that ended and is known is dropped:
// memory keeps no audit.
func (m *Memory) Outcome(_ context.Context, _ time.Time, requestID string, o outcome.Outcome) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.intents[requestID]
	switch {
	case i == nil:
		return ErrNotFound
	case i.Outcome != nil:
		return ErrDecided
	}
	m.settle(i.charges, o)
	if o.Delivery != outcome.Unknown || i.read {
		delete(m.intents, requestID)
		return nil
	}
	i.Outcome, i.charges = &o, nil
	return nil
}

// Pending implements Store.
func (m *Memory) Pending(_ context.Context, now time.Time) ([]Approval, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, err := Forward(m.latest, now)
	if err != nil {
		return nil, err
	}
	var list []Approval
	for _, a := range m.approvals {
		if a.Epoch == m.epoch && a.State == Requested && now.Before(a.Expires) {
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
		if !i.read {
			list = append(list, i.Intent)
		}
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
	if i := m.intents[requestID]; i == nil || i.read || by == "" {
		return ErrNotFound
	}
	delete(m.intents, requestID)
	return nil
}

// Epoch implements Store.
func (m *Memory) Epoch(context.Context) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.epoch, nil
}

// NewEpoch implements Store.
func (m *Memory) NewEpoch(_ context.Context, now time.Time) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.epoch, m.latest = rand.Text(), now
	return m.epoch, nil
}

// Generation implements Store.
func (m *Memory) Generation(_ context.Context, _ time.Time, endpoint, digest string, renew bool) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	g := m.generations[endpoint]
	if g.Number == 0 || g.Digest != digest || renew {
		g = Generation{endpoint, digest, g.Number + 1}
		m.generations[endpoint] = g
	}
	return g.Number, nil
}

// Generations implements Store.
func (m *Memory) Generations(context.Context) ([]Generation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Generation
	for _, g := range m.generations {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b Generation) int { return strings.Compare(a.Endpoint, b.Endpoint) })
	return list, nil
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
func (m *Memory) Thaw(_ context.Context, _ time.Time, endpoint, method string) error {
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
