package compiler

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/drift"
	"github.com/openrpc-go/rpcgen/compiler/internal/lock"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// pinned is an entry whose pin does not fit today's contract, with the shape
// it was pinned to when that is known. Shapes are for showing: nothing is
// decided by them.
type pinned struct {
	entry *amendment.Entry
	index int // of the method; -1 for an orphan
	was   *compiled.Method
	shape lock.Shape

	uncompiled bool // there is nothing to compare with, but the shape is kept for the day there is
}

// unfit lists the pinned entries that no longer fit, in the order of the
// contract, and then the orphans.
func (c *Compilation) unfit() []*pinned {
	var out []*pinned
	for i, e := range c.Joined.Entries {
		if e == nil || !e.Pinned || e.Refused != "" {
			continue
		}
		if c.Sealed.Methods[i].Authority.State == compiled.Uncompiled {
			out = append(out, &pinned{entry: e, index: i, uncompiled: true})
			continue
		}
		if today := c.Digests[i]; e.Pin != (pin.Pin{Wire: today.Wire, Result: today.Result}) {
			out = append(out, &pinned{entry: e, index: i})
		}
	}
	for _, e := range c.Joined.Orphans {
		if e.Pinned {
			out = append(out, &pinned{entry: e, index: -1})
		}
	}
	return out
}

// recall finds the shapes that entries were pinned to: those that the lock
// kept, or the package that the last generate wrote, when it fits the pin.
// What neither of them knows stays without a shape. A lock is not needed.
func (p *Project) recall(c *Compilation, old *lock.Lock) ([]*pinned, error) {
	entries := c.unfit()
	kept := map[string]lock.Shape{}
	if old != nil {
		for _, contract := range old.Contracts {
			if contract.ID == c.Target.ID {
				for _, s := range contract.Stale {
					kept[s.Method] = s
				}
			}
		}
	}
	var before *compiled.File
	var read bool
	for _, e := range entries {
		if s, ok := kept[e.entry.Method]; ok && s.Pin == e.entry.Pin.String() {
			if m, err := s.Compiled(); err == nil {
				e.was, e.shape = m, s
				continue
			}
		}
		if !read {
			read = true
			var err error
			if before, err = p.lastPackage(c.Target); err != nil {
				return nil, err
			}
		}
		if err := e.from(before); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// comparable reports whether both versions of the method are known.
func (e *pinned) comparable() bool { return e.was != nil && e.index >= 0 && !e.uncompiled }

// from takes the shape out of an earlier package, if it is there.
func (e *pinned) from(before *compiled.File) error {
	if before == nil {
		return nil
	}
	m, err := before.Method(e.entry.Method)
	if err != nil || m.Authority.State == compiled.Uncompiled ||
		m.Digests.Wire != e.entry.Pin.Wire || m.Digests.Result != e.entry.Pin.Result {
		return nil // it does not know this shape
	}
	e.shape, err = lock.NewShape(before.Header(), m, e.entry.Pin.String())
	e.was = m
	return err
}

// packageLimit bounds a contract.json that is read for showing.
const packageLimit = 256 << 20

// lastPackage reads the contract.json that an earlier run wrote; nil when there
// is none, or none that can be read.
func (p *Project) lastPackage(t Target) (*compiled.File, error) {
	name := filepath.Join(p.path(t.Output), "contract.json")
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > packageLimit {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	file, err := compiled.Read(text)
	if err != nil {
		return nil, nil
	}
	return file, nil
}

// shapes are what the lock keeps: the known shapes of entries that do not fit.
// lost names the methods whose shape nobody knows.
func shapes(entries []*pinned) (kept []lock.Shape, lost []string) {
	for _, e := range entries {
		if e.was == nil {
			if !e.uncompiled {
				lost = append(lost, e.entry.Method)
			}
			continue
		}
		kept = append(kept, e.shape)
	}
	return kept, lost
}

// moved compares the shapes that entries were pinned to with today's.
func (c *Compilation) moved(entries []*pinned) []*drift.Cause {
	var pairs []drift.Pair
	for _, e := range entries {
		if !e.comparable() {
			continue
		}
		now := c.Sealed.Methods[e.index]
		pairs = append(pairs, drift.Pair{Name: now.Name, Was: e.was, Now: now, Side: drift.Moved(e.was, now)})
	}
	return drift.Compare(pairs)
}

// recorded is what the lock says about a package: with the shapes of entries
// that do not fit, taken from the package before it is written over.
func (p *Project) recorded(pkg printed, old *lock.Lock, result *GeneratedContract) (lock.Contract, error) {
	entries, err := p.recall(pkg.Compilation, old)
	if err != nil {
		return lock.Contract{}, err
	}
	record := p.record(pkg)
	record.Stale, result.Lost = shapes(entries)
	for _, cause := range pkg.moved(entries) {
		result.Changes = append(result.Changes, told(cause))
	}
	return record, nil
}
