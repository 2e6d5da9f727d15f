package schema

import (
	"fmt"
	"os"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/reference"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// Options are for [Compile]; the zero value is the safe one.
type Options struct {
	// Name is what messages call the schema; "schema.json" when empty.
	Name string
	// Base is the URI the schema was published under, for relative references
	// in a schema without $id. Nothing is fetched from it.
	Base string
	// Root is the folder that file references may reach, relative to which Dir
	// is the schema's own folder. Without it no reference leads to a file.
	Root *os.Root
	Dir  string
	// Remotes are the documents that references may lead to, by URI. The
	// published metaschemas are known without being listed.
	Remotes map[string][]byte
	// AssertFormats makes every format an assertion. Without it format is an
	// annotation, but where the schema's own metaschema says otherwise.
	AssertFormats bool
	// Limits for each document; zero values are defaults of some megabytes.
	Bytes        int64
	Depth, Nodes int
	// Warn is called for each warning, in order, when the schema compiles.
	Warn func(Finding)
}

// Finding is one thing that is wrong or doubtful in a schema.
type Finding struct {
	File         string
	Line, Column int    // from 1; 0 when only the file is known
	Pointer      string // JSON Pointer into the file
	Code         string // stable, such as "bad-keyword"
	Message      string
	Advice       string // "" when the message is enough
}

// String returns the finding on one line. It may hold text of the schema.
func (f Finding) String() string {
	where := f.File
	if f.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Column)
	}
	s := where + ": " + f.Code + ": " + f.Message
	if f.Pointer != "" {
		s += " (" + f.Pointer + ")"
	}
	return s
}

// Error says why a schema does not compile. It has one finding at least.
type Error struct{ Findings []Finding }

func (e *Error) Error() string {
	const most = 10
	lines := make([]string, 0, most+1)
	for i, f := range e.Findings {
		if i == most {
			lines = append(lines, fmt.Sprintf("and %d more", len(e.Findings)-most))
			break
		}
		lines = append(lines, f.String())
	}
	return strings.Join(lines, "\n")
}

// Compile reads one schema, in JSON or YAML, and returns its node, for
// runtime/schema to check, decode and encode by. A $schema inside outranks d.
// The error is an [*Error] when the schema is at fault.
func Compile(d Dialect, b []byte, o Options) (*rt.Node, error) {
	if !d.valid() {
		return nil, fmt.Errorf("schema: %d is not a dialect", d)
	}
	limits := source.Limits{Bytes: o.Bytes, Depth: o.Depth, Nodes: o.Nodes}
	name := o.Name
	if name == "" {
		name = "schema.json"
	}
	f, err := source.Read(name, b, limits)
	if err != nil {
		if finding, ok := diag.From(err); ok {
			return nil, &Error{findings(diag.List{finding})}
		}
		return nil, err
	}
	refs := reference.New(f, reference.Options{
		Root: o.Root, Dir: o.Dir, Limits: limits, Base: o.Base, Remotes: o.Remotes,
	})
	g := newGraph(refs, &rules{Dialect: d, formats: o.AssertFormats})
	n := g.Node(f.Root, "schema")
	faults := g.Faults(n)
	if faults.HasErrors() {
		return nil, &Error{findings(faults.Errors())}
	}
	if o.Warn != nil {
		for _, w := range findings(faults) {
			o.Warn(w)
		}
	}
	return n, nil
}

func findings(list diag.List) []Finding {
	out := make([]Finding, len(list))
	for i, d := range list {
		f := Finding{
			Line: d.Position.Line, Column: d.Position.Column, Pointer: string(d.Pointer),
			Code: d.Code, Message: d.Message, Advice: d.Advice,
		}
		if d.Position.File != nil {
			f.File = d.Position.File.Name
		}
		out[i] = f
	}
	return out
}
