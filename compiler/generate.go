package compiler

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"sync"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/lock"
	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/render"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/internal/verify"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// GenerateOptions choose how Generate works. The zero value of every switch is
// the safe one.
type GenerateOptions struct {
	Now           func() time.Time // must be set
	Tool          string           // version of rpcgen that the lock records; must be set
	SkipTypeCheck bool             // the closed-world check is never skipped
	DryRun        bool             // write nothing
	AllowClosing  bool             // write although a method that was open closes
	Tests         *bool            // whether packages test themselves; nil: those that did
}

// Generated is what Generate did or, when it wrote nothing, why.
type Generated struct {
	Contracts []GeneratedContract // in the order of the config
	Closing   []Closing           // methods that were open and close
	Stopped   bool                // nothing was written because of Closing
	Lock      string              // path of the lock, when it was written
	Written   bool                // false: nothing was written, or DryRun
}

// GeneratedContract is one contract of a run.
type GeneratedContract struct {
	*Compilation
	Files   output.Report // zero when nothing was written
	Changes []Change      // why entries no longer fit, by cause
	Changed string        // what happened to its authority since the last lock, "+2 write, -1 read"; "" for nothing
	Lost    []string      // methods with such an entry of which nobody knows what changed
}

// Closing is a method that callers could use and no longer may.
type Closing struct {
	Contract, Method string
	Was, Now         string // class
}

// printed is a compilation with its files, ready to be written.
type printed struct {
	*Compilation
	files   []output.File
	digests []string // of the files
}

// Generate compiles every target, prints and verifies all of them, and only
// then writes. When one contract fails, or an open method would close and that
// was not allowed, nothing at all is written.
func (p *Project) Generate(o GenerateOptions) (*Generated, error) {
	result := &Generated{}
	old, unreadable := p.readLock()
	packages, err := p.prepare(o, old, result)
	if err != nil || len(packages) < len(p.Targets) {
		return result, err
	}
	if unreadable != nil {
		return result, unreadable
	}
	record := &lock.Lock{Tool: o.Tool}
	for i, pkg := range packages {
		contract, err := p.recorded(pkg, old, &result.Contracts[i])
		if err != nil {
			return result, err
		}
		record.Contracts = append(record.Contracts, contract)
	}
	record.Contracts = append(record.Contracts, p.others(old)...)
	for i, c := range result.Contracts {
		result.Contracts[i].Changed = lock.Changed(old, record, c.Target.ID)
	}
	if result.Closing = closing(lock.Compare(old, record), packages); len(result.Closing) > 0 && !o.AllowClosing {
		result.Stopped = true
		return result, nil
	}
	return result, p.write(o, packages, record, result)
}

// prepare compiles, prints and verifies every target.
func (p *Project) prepare(o GenerateOptions, old *lock.Lock, result *Generated) ([]printed, error) {
	var packages []printed
	for _, t := range p.Targets {
		c, err := p.compile(t, o.Now, true)
		if err != nil {
			return nil, err
		}
		result.Contracts = append(result.Contracts, GeneratedContract{Compilation: c})
		if c.Failed() {
			continue
		}
		pkg, err := c.print(o, tested(o, old, t.ID))
		if err != nil {
			return nil, fmt.Errorf("contract %s: %w", c.Target.ID, err)
		}
		packages = append(packages, pkg)
	}
	return packages, nil
}

// print renders the package, with its tests or without, and holds the text
// against the plan, each file as soon as it is there. The compiled contract is
// written beside the code, of which only one file names its digest, and files are
// hashed beside their check.
func (c *Compilation) print(o GenerateOptions, tests bool) (printed, error) {
	laps := clock{now: o.Now, began: o.Now()}
	defer func() { c.Stages = append(c.Stages, laps.stages...) }()
	contract := begin(func() (render.Contract, error) {
		data, err := c.marshal()
		return render.Contract{Data: data, Digest: compiled.Digest(data)}, err
	})
	planned := c.Package
	if tests {
		planned = planned.WithTests(c.tests())
	}
	check := verify.Begin(planned, verify.Options{SkipTypes: o.SkipTypeCheck})
	files, err := render.FilesOf(planned, contract, check.File)
	if err != nil {
		return printed{}, err
	}
	laps.lap("print")
	sums := begin(func() ([]string, error) { return digests(files), nil })
	if err := check.End(files); err != nil {
		return printed{}, err
	}
	laps.lap("verify")
	hashed, err := sums()
	return printed{c, files, hashed}, err
}

// marshal returns the bytes of contract.json.
func (c *Compilation) marshal() ([]byte, error) {
	if c.schemas == nil {
		return compiled.Marshal(c.Sealed)
	}
	s, err := c.schemas()
	if err != nil {
		return nil, err
	}
	return compiled.MarshalWith(c.Sealed, s)
}

// begin computes a value beside what the caller does; what it returns waits for it.
func begin[T any](compute func() (T, error)) func() (T, error) {
	once := sync.OnceValues(compute)
	go once()
	return once
}

// write writes the packages, then the lock.
func (p *Project) write(o GenerateOptions, packages []printed, record *lock.Lock, result *Generated) error {
	put := output.Write
	if o.DryRun {
		put = output.Compare
	}
	text := begin(func() ([]byte, error) {
		if o.DryRun {
			return nil, nil
		}
		return record.Bytes()
	})
	for i, pkg := range packages {
		report, err := put(p.path(pkg.Target.Output), pkg.files)
		if err != nil {
			return fmt.Errorf("contract %s: %w", pkg.Target.ID, err)
		}
		result.Contracts[i].Files = report
	}
	if o.DryRun {
		return nil
	}
	lines, err := text()
	if err != nil {
		return err
	}
	result.Written, result.Lock = true, p.Lock
	return output.Replace(p.Lock, lines)
}

// readLock reads the lock of an earlier run; nil when there is none.
func (p *Project) readLock() (*lock.Lock, error) {
	file, err := source.ReadFile(p.Lock, filepath.Base(p.Lock), source.Limits{})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w; the lock is written by generate: restore it, or remove it to start anew", err)
	}
	old, found := lock.Read(file)
	if found.HasErrors() {
		return nil, lockError(found)
	}
	return old, nil
}

func lockError(found diag.List) error {
	first := found.Errors()[0]
	return fmt.Errorf("%s:%d: %s; restore the lock, or remove it to start anew", lock.Name, first.Position.Line, first.Message)
}

// others are the contracts of an earlier lock that the config still declares
// and this run leaves out: their record is kept as it was.
func (p *Project) others(old *lock.Lock) []lock.Contract {
	if old == nil {
		return nil
	}
	var kept []lock.Contract
	for _, c := range old.Contracts {
		if p.declared[c.ID] && !p.selected(c.ID) {
			kept = append(kept, c)
		}
	}
	return kept
}

func (p *Project) selected(id string) bool {
	for _, t := range p.Targets {
		if t.ID == id {
			return true
		}
	}
	return false
}

// closing lists the changes that take a method away from its callers without a
// decision of the owner: it closes, or it is gone while the amendment still
// speaks about it.
func closing(changes []lock.Change, packages []printed) []Closing {
	orphaned := map[[2]string]bool{}
	for _, pkg := range packages {
		for _, entry := range pkg.Joined.Orphans {
			orphaned[[2]string{pkg.Target.ID, entry.Method}] = true
		}
	}
	var rows []Closing
	for _, c := range changes {
		row := Closing{Contract: c.Contract, Method: c.Name, Was: c.Was, Now: c.Now}
		switch {
		case c.Closes():
			rows = append(rows, row)
		case c.Kind == lock.ClassChanged && c.Now == "" && lock.Class(c.Was).Open() && orphaned[[2]string{c.Contract, c.Name}]:
			row.Now = "absent"
			rows = append(rows, row)
		}
	}
	return rows
}

// Wrote says, a line a file, what changed in the package's folder.
func (c GeneratedContract) Wrote() []string {
	var lines []string
	for _, name := range c.Files.Written {
		lines = append(lines, "wrote "+path.Join(c.Target.Output, name))
	}
	for _, name := range c.Files.Removed {
		lines = append(lines, "removed "+path.Join(c.Target.Output, name))
	}
	if n := len(c.Files.Unchanged); n > 0 {
		lines = append(lines, fmt.Sprintf("unchanged: %d files of %s", n, c.Target.Output))
	}
	return lines
}
