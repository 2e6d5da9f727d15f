package plan

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
)

// Import paths that generated code may use: the fixed list.
const (
	importContext = "context"
	importEmbed   = "embed"
	importRuntime = "github.com/openrpc-go/rpcgen/runtime"
	importSchema  = "github.com/openrpc-go/rpcgen/runtime/schema"
)

// Sizes from which a package spreads over several files, and over how many.
// A declaration's file follows from a hash of its name alone, so that a new one
// moves no other; only a contract that outgrows a size is laid out anew.
var spreads = []struct{ types, methods, files int }{
	{6000, 6000, 64},
	{400, 500, 16},
}

func spread(count int, limit func(i int) int) int {
	for i, s := range spreads {
		if count > limit(i) {
			return s.files
		}
	}
	return 1
}

// bucket is the file of a name among n.
func bucket(name string, n int) int {
	h := fnv.New64a()
	h.Write([]byte(name))
	return int(h.Sum64() % uint64(n))
}

// files lays the package out. Types are sorted by name; params stand beside
// their method.
func (b *builder) files(decls []*Decl) {
	p := b.pkg
	p.Files = append(p.Files, File{Name: "client.go", Kind: ClientFile})
	b.callFiles()
	beside := map[*Decl]bool{}
	for _, m := range p.Methods {
		beside[m.Params] = true
	}
	var types []*Decl
	for _, d := range decls {
		if !beside[d] {
			types = append(types, d)
		}
	}
	slices.SortFunc(types, func(x, y *Decl) int { return strings.Compare(x.Go, y.Go) })
	p.Files = append(p.Files, typeFiles(types)...)
	if len(p.Errors) > 0 {
		p.Files = append(p.Files, File{Name: "errors.go", Kind: ErrorsFile})
	}
	for i := range p.Files {
		p.Files[i].Imports = p.imports(&p.Files[i])
	}
}

// callFiles gives the methods their files.
func (b *builder) callFiles() {
	p := b.pkg
	n := spread(len(p.Methods), func(i int) int { return spreads[i].methods })
	if n == 1 {
		for i := range p.Methods {
			p.Files[0].Methods = append(p.Files[0].Methods, i)
		}
		return
	}
	files := make([]File, n)
	for i, m := range p.Methods {
		f := &files[bucket(m.Go, n)]
		f.Methods = append(f.Methods, i)
	}
	p.Files = append(p.Files, numbered(files, "calls", CallsFile)...)
}

func typeFiles(types []*Decl) []File {
	n := spread(len(types), func(i int) int { return spreads[i].types })
	if n == 1 {
		if len(types) == 0 {
			return nil
		}
		return []File{{Name: "types.go", Kind: TypesFile, Types: types}}
	}
	files := make([]File, n)
	for _, d := range types {
		f := &files[bucket(d.Go, n)]
		f.Types = append(f.Types, d)
	}
	return numbered(files, "types", TypesFile)
}

// numbered names the files that hold anything.
func numbered(files []File, stem string, kind FileKind) []File {
	var out []File
	for i, f := range files {
		if len(f.Types)+len(f.Methods) > 0 {
			f.Name, f.Kind = fmt.Sprintf("%s_%02d.go", stem, i), kind
			out = append(out, f)
		}
	}
	return out
}

// imports lists what the declarations of a file need, sorted by path.
func (p *Package) imports(f *File) []Import {
	var list []Import
	if len(f.Methods) > 0 {
		list = append(list, Import{Path: importContext})
	}
	if f.Kind == ClientFile {
		list = append(list, Import{Path: importEmbed, Blank: true})
	}
	if f.Kind == ClientFile || f.Kind == CallsFile || f.Kind == ErrorsFile && p.readsData(func(Type) bool { return true }) {
		list = append(list, Import{Path: importRuntime})
	}
	if p.usesSchema(f) {
		list = append(list, Import{Path: importSchema})
	}
	return list
}

func (p *Package) usesSchema(f *File) bool {
	if f.Kind == ClientFile && len(p.Unions) > 0 {
		return true
	}
	if f.Kind == ErrorsFile && p.readsData(mentions) {
		return true
	}
	for _, i := range f.Methods {
		m := &p.Methods[i]
		if mentions(m.Result) || m.Params != nil && declMentions(m.Params) {
			return true
		}
	}
	return slices.ContainsFunc(f.Types, declMentions)
}

// readsData reports whether the data of some error have a type that fits.
func (p *Package) readsData(fits func(Type) bool) bool {
	for _, e := range p.Errors {
		for _, d := range e.Data {
			if fits(d.Type) {
				return true
			}
		}
	}
	return false
}

// declMentions reports whether a declaration names package runtime/schema.
func declMentions(d *Decl) bool {
	if mentions(d.Type) {
		return true
	}
	return slices.ContainsFunc(d.Fields, func(f Field) bool { return mentions(f.Type) })
}

func mentions(t Type) bool {
	switch t := t.(type) {
	case Runtime, Nullable:
		return true
	case Slice:
		return mentions(t.Elem)
	case Map:
		return mentions(t.Elem)
	case Pointer:
		return mentions(t.Elem)
	default:
		return false
	}
}
