package compiler

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/openrpc-go/rpcgen/compiler/internal/lock"
	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// record is what the lock says about one compilation and its printed files.
// Names are relative to the lock's folder where that can be said.
func (p *Project) record(pkg printed) lock.Contract {
	c := pkg.Compilation
	entry := lock.Contract{
		ID:            c.Target.ID,
		Digest:        c.Sealed.Digest,
		Package:       p.named(c.Target.Output),
		DefaultServer: c.Server.kept(),
		Authority:     c.Joined.Counts.String(),
		Inputs:        p.inputs(c),
	}
	for i, f := range pkg.files {
		entry.Outputs = append(entry.Outputs, lock.Output{File: f.Name, Digest: pkg.digests[i]})
	}
	for _, m := range c.Sealed.Methods {
		entry.Methods = append(entry.Methods, lock.Method{
			Name: m.Name, Class: lock.ClassOf(m.Authority), ClosedTo: m.Authority.ClosedTo, Digests: m.Digests,
		})
	}
	return entry
}

// inputs lists every file that the compilation read.
func (p *Project) inputs(c *Compilation) []lock.Input {
	var inputs []lock.Input
	role := lock.Document
	for _, f := range c.Files {
		inputs = append(inputs, p.input(f, role))
		role = lock.Reference
	}
	if c.Amendment != nil {
		inputs = append(inputs, p.input(c.Amendment.Source, lock.Amendment))
	}
	return inputs
}

func (p *Project) input(f *source.File, role lock.Role) lock.Input {
	return lock.Input{File: p.named(f.Name), Role: role, Digest: f.Digest}
}

// named is a path as the lock writes it: relative to the lock's folder, with
// slashes, so that two checkouts write the same lock.
func (p *Project) named(name string) string {
	from, err := filepath.Abs(filepath.Dir(p.Lock))
	if err != nil {
		return filepath.ToSlash(name)
	}
	to, err := filepath.Abs(p.path(name))
	if err != nil {
		return filepath.ToSlash(name)
	}
	relative, err := filepath.Rel(from, to)
	if err != nil {
		return filepath.ToSlash(name)
	}
	return filepath.ToSlash(relative)
}

// digests hashes the files.
func digests(files []output.File) []string {
	out := make([]string, len(files))
	for i, f := range files {
		sum := sha256.Sum256(f.Data)
		out[i] = "sha256:" + hex.EncodeToString(sum[:])
	}
	return out
}
