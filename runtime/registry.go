package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/store"
)

// Options of a Registry. The zero value is a registry with a store of its own
// in memory.
type Options struct {
	// Store keeps approvals, intents, generations and freezes. Registries that
	// share one agree about all of them.
	Store store.Store
	// Budgets bound what calls of all endpoints together may use.
	Budgets []Budget
	// Observers are told of every call, in this order, before its first byte and
	// when it ended.
	Observers []Observer
	// Notifier is told of every new approval that waits for a person.
	Notifier Notifier
	// Key is the installation's key for digests of params, at least 16 bytes:
	// without it nobody can tell from a digest which params it may be of.
	// Registries that share a store share it. Without one, approvals hold plain
	// digests, and observers get digests under a key of this registry.
	Key []byte
	// ApprovalLife is how long an approval may be pending and then unused;
	// zero is 15 minutes.
	ApprovalLife time.Duration
	// Now is the clock; nil is time.Now. Only tests and commands set it.
	Now func() time.Time
}

// Registry holds endpoints. Reading it takes no lock: every call works on one
// immutable snapshot, and looks at the current one again before it sends.
type Registry struct {
	store store.Store
	life  time.Duration
	now   func() time.Time

	budgets   []Budget
	observers []Observer
	notifier  Notifier
	keys      keys

	current atomic.Pointer[snapshot]
	fresh   atomic.Int64 // when the freezes were read, Unix nanoseconds
	asking  atomic.Bool  // somebody reads them

	mu sync.Mutex // held while a snapshot is replaced
}

// snapshot is one state of a registry. It never changes.
type snapshot struct {
	endpoints map[string]*endpoint
	freezes   []store.Freeze
}

// NewRegistry returns an empty registry.
func NewRegistry(o Options) *Registry {
	r := &Registry{
		store: o.Store, life: o.ApprovalLife, now: o.Now,
		budgets: slices.Clone(o.Budgets), observers: slices.Clone(o.Observers), notifier: o.Notifier, keys: newKeys(o.Key),
	}
	if r.store == nil {
		r.store = store.NewMemory()
	}
	if r.life <= 0 {
		r.life = 15 * time.Minute
	}
	if r.now == nil {
		r.now = time.Now
	}
	r.current.Store(&snapshot{endpoints: map[string]*endpoint{}})
	return r
}

// storeTime bounds what a change of the registry waits for its store.
const storeTime = 10 * time.Second

// Register adds an endpoint. Several endpoints may share a contract. It is an
// error when the id is taken.
func (r *Registry) Register(id string, c *Contract, b Binding) error {
	return r.put(id, c, b, false)
}

// Replace changes an endpoint. Whatever was approved for it before is void,
// even when nothing about it differs.
func (r *Registry) Replace(id string, c *Contract, b Binding) error {
	return r.put(id, c, b, true)
}

func (r *Registry) put(id string, c *Contract, b Binding, replace bool) error {
	if err := errors.Join(checkBudgets(r.budgets), r.keys.check()); err != nil {
		return fmt.Errorf("the options of the registry: %w", err)
	}
	e, err := newEndpoint(id, c, b, r.now)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.current.Load()
	before := old.endpoints[id]
	if replace != (before != nil) {
		e.close()
		if replace {
			return fmt.Errorf("endpoint %q is not registered", id)
		}
		return fmt.Errorf("endpoint %q is registered already", id)
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	if e.generation, err = r.store.Generation(ctx, r.now(), id, e.authority, replace); err != nil {
		return fmt.Errorf("endpoint %q: %w", id, err)
	}
	freezes, err := r.store.Freezes(ctx)
	if err != nil {
		return fmt.Errorf("endpoint %q: %w", id, err)
	}
	next := &snapshot{endpoints: maps.Clone(old.endpoints), freezes: freezes}
	next.endpoints[id] = e
	r.current.Store(next)
	if before != nil {
		before.close()
	}
	return nil
}

// Unregister removes an endpoint. Registering the same again does not revive
// what was approved for it.
func (r *Registry) Unregister(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.current.Load()
	e := old.endpoints[id]
	if e == nil {
		return fmt.Errorf("endpoint %q is not registered", id)
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	if _, err := r.store.Generation(ctx, r.now(), id, "", true); err != nil {
		return fmt.Errorf("endpoint %q: %w", id, err)
	}
	next := &snapshot{endpoints: maps.Clone(old.endpoints), freezes: old.freezes}
	delete(next.endpoints, id)
	r.current.Store(next)
	e.close()
	return nil
}

// Close unregisters nothing but closes every idle connection.
func (r *Registry) Close() {
	for _, e := range r.current.Load().endpoints {
		e.close()
	}
}

// Endpoints returns the ids of all endpoints, sorted. It is the host's view;
// principals see what Caller.Methods shows.
func (r *Registry) Endpoints() []string {
	return slices.Sorted(maps.Keys(r.current.Load().endpoints))
}

// Freeze closes a method at once, or with an empty method the endpoint; for
// every registry that shares the store within a second.
func (r *Registry) Freeze(ctx context.Context, endpoint, method, reason string) error {
	if err := r.store.Freeze(ctx, store.Freeze{Endpoint: endpoint, Method: method, Reason: reason, At: r.now()}); err != nil {
		return err
	}
	return r.readShared(ctx)
}

// Thaw ends a Freeze.
func (r *Registry) Thaw(ctx context.Context, endpoint, method string) error {
	if err := r.store.Thaw(ctx, r.now(), endpoint, method); err != nil {
		return err
	}
	return r.readShared(ctx)
}

// freezeAge is how old the knowledge about freezes and generations may be before somebody reads
// it again, and twice as much is how old it may be at all.
const freezeAge = 500 * time.Millisecond

// refresh reads them again when they are too old. One caller does it;
// the others go on with what is known, for as long as that is not too old.
func (r *Registry) refresh(ctx context.Context, now time.Time) error {
	age := time.Duration(now.UnixNano() - r.fresh.Load())
	switch {
	case 0 <= age && age < freezeAge:
		return nil
	case r.asking.CompareAndSwap(false, true):
		defer r.asking.Store(false)
	case 0 <= age && age < 2*freezeAge:
		return nil
	}
	if err := r.readShared(ctx); err != nil {
		return err
	}
	r.fresh.Store(now.UnixNano())
	return nil
}

// readShared reads what other registries may have changed. It holds the lock
// while it reads, so that what was read later is never replaced by what was
// read before.
func (r *Registry) readShared(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	freezes, err := r.store.Freezes(ctx)
	if err != nil {
		return err
	}
	generations, err := r.store.Generations(ctx)
	if err != nil {
		return err
	}
	old := r.current.Load()
	endpoints, moved := renumber(old.endpoints, generations)
	if moved || !slices.Equal(old.freezes, freezes) {
		r.current.Store(&snapshot{endpoints: endpoints, freezes: freezes})
	}
	return nil
}

// renumber follows a Replace in another registry by the very same: the number
// moved, the authority did not.
func renumber(endpoints map[string]*endpoint, generations []store.Generation) (map[string]*endpoint, bool) {
	moved := false
	for _, g := range generations {
		e := endpoints[g.Endpoint]
		if e == nil || e.authority != g.Digest || e.generation == g.Number {
			continue
		}
		if !moved {
			endpoints, moved = maps.Clone(endpoints), true
		}
		next := *e
		next.generation = g.Number
		endpoints[g.Endpoint] = &next
	}
	return endpoints, moved
}

// Pending lists the approvals that wait for a person.
func (r *Registry) Pending(ctx context.Context) ([]store.Approval, error) {
	return r.store.Pending(ctx, r.now())
}

// Decide answers an approval. d.By must come from the person's own
// authentication; nobody approves their own call.
func (r *Registry) Decide(ctx context.Context, d store.Decision) (store.Approval, error) {
	return r.store.Decide(ctx, r.now(), d)
}

// Unknown lists calls of which nobody knows whether they happened.
func (r *Registry) Unknown(ctx context.Context) ([]store.Intent, error) { return r.store.Unknown(ctx) }

// Resolve settles an unknown call after somebody looked.
func (r *Registry) Resolve(ctx context.Context, requestID, by, note string) error {
	return r.store.Resolve(ctx, r.now(), requestID, by, note)
}
