package compiler

import (
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/openrpc"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/seal"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/schema"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// Compile runs every stage up to the plan for one target. An error is about
// the machine; everything about the user's files is in Diagnostics.
func (p *Project) Compile(t Target, now func() time.Time) (*Compilation, error) {
	return p.compile(t, now, false)
}

// compile is Compile for those who are going to print the package: with
// printing, what needs no plan of it is done beside the planning.
func (p *Project) compile(t Target, now func() time.Time, printing bool) (*Compilation, error) {
	run := &compilation{
		project:  p,
		value:    &Compilation{Target: t},
		clock:    clock{now: now, began: now()},
		printing: printing,
	}
	err := run.stages()
	run.value.Diagnostics.Sort()
	run.value.Stages = run.clock.stages
	return run.value, err
}

// compilation carries the value through its stages.
type compilation struct {
	project  *Project
	value    *Compilation
	clock    clock
	printing bool
}

func (r *compilation) stages() error {
	if ok, err := r.amendment(); !ok || err != nil {
		return err
	}
	document, refs, err := r.read()
	if document == nil || err != nil {
		return err
	}
	defer refs.Close()
	if !r.contract(document, refs) {
		return nil
	}
	r.schema(refs)
	joined := r.join(refs)
	for _, m := range r.value.Contract.Methods { // some faults depend on param_structure
		r.report(m.Faults)
	}
	if !joined {
		return nil
	}
	if r.value.Server, err = r.project.bind(r.value.Target, r.value.Contract); err != nil {
		return err
	}
	if r.plan() {
		r.examples()
	}
	return nil
}

// report adds what a stage found and tells whether the next one may run.
func (r *compilation) report(found diag.List) bool {
	r.value.Diagnostics = append(r.value.Diagnostics, found...)
	return !found.HasErrors()
}

// amend reports what is wrong with the owner's file. A file with an error is
// not used at all.
func (r *compilation) amend(found diag.List) bool {
	r.value.badAmendment = !r.report(found)
	return !r.value.badAmendment
}

// read reads the document, makes the corrections of the amendment in it, and
// opens the folder its references may reach.
func (r *compilation) read() (*source.File, *references, error) {
	t := r.value.Target
	document, err := source.ReadFile(r.project.path(t.Document), filepath.ToSlash(t.Document), source.Limits{})
	if err != nil {
		return nil, nil, r.fault(err)
	}
	refs, found, err := r.project.references(t, document, r.value.Amendment)
	if err != nil {
		return nil, nil, err
	}
	if !r.amend(found) {
		return nil, nil, refs.Close()
	}
	r.clock.lap("read")
	return refs.document, refs, nil
}

// fault turns an error about a user's file into a diagnostic.
func (r *compilation) fault(err error) error {
	d, ok := diag.From(err)
	if !ok {
		return err
	}
	r.report(diag.List{d})
	return nil
}

// references are a document and the files that it may refer to, corrected.
type references struct {
	*reference.Set
	document *source.File
	patch    *correct.Patch
	root     *os.Root
}

func (r *references) Close() error { return r.root.Close() }

// references confines file references to the target's root, or to the
// document's own folder.
func (p *Project) references(t Target, document *source.File, a *amendment.File) (*references, diag.List, error) {
	folder := filepath.Dir(p.path(t.Document))
	within := "."
	if t.Root != "" {
		declared := p.path(t.Root)
		rel, err := filepath.Rel(declared, folder)
		if err != nil {
			return nil, nil, err
		}
		folder, within = declared, filepath.ToSlash(rel)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	r := &references{patch: correct.New(a.Mends(), within), root: root}
	mended, found := r.patch.Document(document)
	r.document = mended
	r.Set = reference.New(mended, reference.Options{Root: root, Dir: within, Mend: r.patch.File})
	return r, found, nil
}

// contract reads the document as a contract and keeps the methods that the
// target selects.
func (r *compilation) contract(document *source.File, refs *references) bool {
	c, found := openrpc.Read(r.value.Target.ID, document, refs.Set)
	r.report(found) // beside a contract, errors are about methods that have no name
	if c == nil {
		return false
	}
	if keep := r.value.Target.selects; keep != nil {
		c = contract.Select(c, keep)
	}
	r.value.Contract = c
	r.clock.lap("contract")
	return true
}

// schema resolves every schema that a method reaches and gives each method the
// faults of its schemas. The digests are those of the document, whatever the
// amendment says about it.
func (r *compilation) schema(refs *references) {
	c := r.value.Contract
	r.value.Graph = schema.NewGraph(refs.Set, c.Dialect)
	r.value.Contract = contract.Resolve(c, r.value.Graph)
	r.value.Files = refs.Files()
	r.clock.lap("schema")
	r.value.Digests = pin.Digests(r.value.Contract, r.value.Graph)
	r.clock.lap("pin")
}

// amendment reads the owner's file, if there is one.
func (r *compilation) amendment() (bool, error) {
	t := r.value.Target
	if t.Amendment == "" {
		return true, nil
	}
	file, found, err := r.project.amendment(t)
	if err != nil {
		return false, r.fault(err)
	}
	r.value.Amendment = file
	r.clock.lap("amendment")
	return r.amend(found), nil
}

// join lays the owner's word over the contract. Files that references lead to
// have all been read by now, so every correction must have been made.
func (r *compilation) join(refs *references) bool {
	v := r.value
	if !r.amend(refs.patch.Rest()) {
		return false
	}
	joined, found := amendment.Join(v.Contract, v.Graph, v.Digests, v.Amendment)
	v.Contract = joined.Contract
	if !r.amend(found) {
		return false
	}
	v.Joined = joined
	r.clock.lap("join")
	return true
}

// amendment reads a target's amendment below the project's folder; without a
// config, below the amendment's own folder.
func (p *Project) amendment(t Target) (*amendment.File, diag.List, error) {
	folder, name := p.Dir, t.Amendment
	if p.single {
		folder, name = filepath.Dir(t.Amendment), filepath.Base(t.Amendment)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	file, found := amendment.ReadTrusted(root, name, t.Amendment)
	return file, found, nil
}

// plan makes every Go decision and seals the compiled contract. A large one takes
// its time, so it is sealed beside the planning, which may find methods that
// have no Go type: only then it is sealed again.
func (r *compilation) plan() bool {
	v := r.value
	options, sealing := plan.Options{Package: v.Target.Package}, seal.Options{DefaultURL: v.Server.URL}
	if v.Amendment != nil {
		options.Amendment, options.AmendmentDigest = path.Base(v.Amendment.Source.Name), v.Amendment.Source.Digest
		sealing.Amendment = v.Amendment.Source.Digest
	}
	sealed := begin(func() (*compiled.Contract, error) {
		return seal.Contract(v.Contract, v.Graph, v.Digests, v.Joined, sealing), nil
	})
	var schemas func() (*compiled.Schemas, error)
	if r.printing {
		schemas = begin(func() (*compiled.Schemas, error) {
			c, _ := sealed() // it has no error
			return compiled.MarshalSchemas(c.Methods)
		})
	}
	planned, found := plan.Build(v.Contract, v.Graph, v.Joined, options)
	early, _ := sealed()
	if !r.report(found) || planned == nil {
		return false
	}
	v.Package = planned
	for _, m := range planned.Unplanned {
		r.report(m.Diagnostics)
	}
	r.clock.lap("plan")
	if seal.Name(early, planned.GoNames) {
		v.Sealed, v.schemas = early, schemas
	} else {
		sealing.GoNames, sealing.Unplanned = planned.GoNames, unplanned(planned)
		v.Sealed = seal.Contract(v.Contract, v.Graph, v.Digests, v.Joined, sealing)
	}
	r.clock.lap("seal")
	return true
}

// unplanned says by index why methods are not in the client.
func unplanned(p *plan.Package) map[int]diag.List {
	reasons := map[int]diag.List{}
	for _, m := range p.Unplanned {
		reasons[m.Index] = m.Diagnostics
	}
	return reasons
}
