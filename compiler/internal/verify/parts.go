package verify

import (
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// clientName is the type that all calls are methods of.
const clientName = "Client"

// parts are a large package cut up for the type-checker, which looks for the
// methods of a type one after the other and uses one processor: the types come
// first, by themselves, and then the calls in groups, each checked as if the
// client had no other calls.
//
// Parts are for saying yes. What is not right in its part leaves the verdict to
// a check of the whole, and so does what could be right in its part and wrong in
// the package. A group sees the types, the client and its own declarations; all
// that another group could change for it is what a name means, and which methods
// the client has. So no name may be declared twice, or be one that Go or an
// import gives already, and no group may speak of the client but as the receiver
// of its calls: loose looks for the contrary.
type parts struct {
	name   string
	world  world
	set    *token.FileSet
	types  []*ast.File   // of the package, which refer to each other alone
	client *ast.File     // declares the client; it belongs to every group
	groups [][]*ast.File // of calls, and of errors
}

// groupSize is how many methods a group has at least, the last one apart.
const groupSize = 1000

// cut says which files of a plan make which part, by their places.
type cut struct {
	types  []int
	client int
	groups [][]int
}

// cutUp cuts a package up; nil when it is better checked as a whole.
func cutUp(p *plan.Package) *cut {
	c := &cut{client: -1}
	var group []int
	methods := 0
	for i := range p.Files {
		switch f := &p.Files[i]; {
		case f.Kind == plan.TypesFile:
			c.types = append(c.types, i)
		case f.Kind == plan.ClientFile && c.client < 0:
			c.client = i
		case f.Kind == plan.CallsFile:
			group = append(group, i)
			if methods += len(f.Methods); methods >= groupSize {
				c.groups = append(c.groups, group)
				group, methods = nil, 0
			}
		case f.Kind == plan.ErrorsFile:
			c.groups = append(c.groups, []int{i})
		default: // tests call any method
			return nil
		}
	}
	if len(group) > 0 {
		c.groups = append(c.groups, group)
	}
	if c.client < 0 || len(c.groups) < 3 {
		return nil
	}
	return c
}

// of are the parts of a package whose files are all parsed.
func (c *cut) of(name string, w world, set *token.FileSet, parsed []*ast.File) *parts {
	s := &parts{name: name, world: w, set: set, types: pick(parsed, c.types), client: parsed[c.client]}
	for _, group := range c.groups {
		s.groups = append(s.groups, pick(parsed, group))
	}
	return s
}

func pick(files []*ast.File, at []int) []*ast.File {
	out := make([]*ast.File, len(at))
	for k, i := range at {
		out[k] = files[i]
	}
	return out
}

// types are those of the package by themselves, nil when they are not right.
func (w world) types(name string, set *token.FileSet, files []*ast.File) *types.Package {
	base := types.NewPackage(name, name)
	if w.check(base, set, files) != nil {
		return nil
	}
	return base
}

// check reports whether every part is right, and so the package. The types are
// checked by what is handed in, which may have begun already.
func (s *parts) check(known func() *types.Package) bool {
	if s.loose() {
		return false
	}
	base := known()
	if base == nil {
		return false
	}
	var wait sync.WaitGroup
	var next atomic.Int64
	var failed atomic.Bool
	for range min(runtime.GOMAXPROCS(0), len(s.groups)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(s.groups) && !failed.Load(); i = int(next.Add(1)) - 1 {
				if !s.group(base, s.groups[i]) {
					failed.Store(true)
				}
			}
		})
	}
	wait.Wait()
	return !failed.Load()
}

// group checks one group in a package that knows the types of base that the
// group speaks of: what a file does not name, it does not look up.
func (s *parts) group(base *types.Package, files []*ast.File) bool {
	files = append([]*ast.File{s.client}, files...)
	pkg := types.NewPackage(s.name, s.name)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if known := base.Scope().Lookup(id.Name); known != nil {
					pkg.Scope().Insert(known) // again does nothing
				}
			}
			return true
		})
	}
	return s.world.check(pkg, s.set, files) == nil
}

// loose reports whether the parts might be right and the package wrong.
func (s *parts) loose() bool {
	n := names{said: map[string]bool{}, calls: map[string]bool{}}
	for _, f := range s.types {
		if !n.declare(f) {
			return true
		}
	}
	if !n.declare(s.client) || !n.onlyCalls(s.client) {
		return true
	}
	for _, group := range s.groups {
		for _, f := range group {
			if !n.declare(f) || !n.onlyCalls(f) || mentionsClient(f) {
				return true
			}
		}
	}
	return s.shadowed(n.said)
}

// shadowed reports whether a file declares what another one imports.
func (s *parts) shadowed(said map[string]bool) bool {
	files := append([]*ast.File{s.client}, s.types...)
	for _, group := range s.groups {
		files = append(files, group...)
	}
	for _, f := range files {
		for _, spec := range f.Imports {
			if name := s.world.called(spec); name == "" || name == "." || said[name] {
				return true
			}
		}
	}
	return false
}

// called is the name that an import has in its file, "" when it is not known.
func (w world) called(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	if path, err := strconv.Unquote(spec.Path.Value); err == nil && w[path] != nil {
		return w[path].Name()
	}
	return ""
}

// names are what the files of a package declare: names of the package, and
// calls, which are methods of the client.
type names struct{ said, calls map[string]bool }

// declare adds what a file declares, and reports whether all of it was new and
// is nothing that Go itself says.
func (n names) declare(f *ast.File) bool {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && !take(n.said, d.Name) {
				return false
			}
		case *ast.GenDecl:
			if !n.general(d) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func (n names) general(d *ast.GenDecl) bool {
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.ImportSpec:
		case *ast.TypeSpec:
			if !take(n.said, spec.Name) {
				return false
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if !take(n.said, name) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// onlyCalls adds the methods of a file, and reports whether all are calls and
// new.
func (n names) onlyCalls(f *ast.File) bool {
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Recv == nil {
			continue
		}
		if len(d.Recv.List) != 1 || receiver(d.Recv.List[0].Type) != "*"+clientName || !take(n.calls, d.Name) {
			return false
		}
	}
	return true
}

// take adds a name and reports whether it is new and none that Go declares; the
// blank one always is.
func take(taken map[string]bool, name *ast.Ident) bool {
	if name.Name == "_" {
		return true
	}
	if taken[name.Name] || types.Universe.Lookup(name.Name) != nil {
		return false
	}
	taken[name.Name] = true
	return true
}

// mentionsClient reports whether a file names the client other than as the
// receiver of its methods: then calls of other groups could matter to it.
func mentionsClient(f *ast.File) bool {
	found := false
	look := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == clientName {
			found = true
		}
		return !found
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			ast.Inspect(d.Type, look)
			if d.Body != nil {
				ast.Inspect(d.Body, look)
			}
			continue
		}
		ast.Inspect(d, look)
	}
	return found
}
