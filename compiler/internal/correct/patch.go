package correct

import (
	"path"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Patch holds the corrections of one contract while its files are read. It is
// not safe for concurrent use.
type Patch struct {
	corrections []*Correction
	folder      string
	done        map[*Correction]bool
	faults      diag.List
}

// New returns a Patch. folder is that of the document, with slashes, inside
// the folder that references may reach.
func New(corrections []*Correction, folder string) *Patch {
	return &Patch{corrections: corrections, folder: folder, done: map[*Correction]bool{}}
}

// Document returns f with the corrections of the document made, or f itself
// when there are none. With a fault the result must not be used.
func (p *Patch) Document(f *source.File) (*source.File, diag.List) {
	mended := p.mend(f, true, func(c *Correction) bool { return c.File == "" })
	return mended, p.faults
}

// File does the same for a file that the document refers to; where is its path
// inside the folder that references may reach. Faults are kept for Rest.
func (p *Patch) File(where string, f *source.File) *source.File {
	return p.mend(f, false, func(c *Correction) bool {
		return c.File != "" && path.Join(p.folder, c.File) == where
	})
}

// Rest reports, when all files have been read, what went wrong in them and the
// corrections of files that nothing referred to.
func (p *Patch) Rest() diag.List {
	for _, c := range p.corrections {
		if c.File != "" && !p.done[c] {
			p.faults.Add(diag.At(c.place, Missed, "no reference leads to a file %q, so there is nothing to correct", c.File).
				WithAdvice("name the file by its path from the document's folder"))
		}
	}
	return p.faults
}

func (p *Patch) mend(f *source.File, document bool, concerns func(*Correction) bool) *source.File {
	var e *editor
	for _, c := range p.corrections {
		if p.done[c] || !concerns(c) {
			continue
		}
		p.done[c] = true
		if e == nil {
			e = newEditor(f, document)
		}
		if d, ok := e.make(c); !ok {
			p.faults.Add(d)
		}
	}
	if e == nil {
		return f
	}
	e.file.Settle()
	return e.file
}
