// Package render prints a plan as Go source. It decides nothing: a name, a
// type, a file or a comment that is not in the plan is not printed. Words of the
// plan reach Go source only through three doors: the comment writer, ASCII-quoted
// literals and the identifier builder.
//
// It is the home of jennifer, which prints what stands above the declarations.
// They are laid out as gofmt lays them out: formatting them afterwards would cost
// more than all of printing, and so would copying them through a library. A test
// holds every file against go/format.
// Start with Files.
package render

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/dave/jennifer/jen"

	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// ContractName is the file that holds the compiled contract.
const ContractName = "contract.json"

// Contract is the compiled contract as it is embedded.
type Contract struct {
	Data   []byte
	Digest string // "sha256:<hex>" of Data without regard to CR
}

// Files prints the package: its Go files in the order of the plan, formatted,
// and the compiled contract last.
func Files(p *plan.Package, c Contract) ([]output.File, error) {
	return FilesOf(p, func() (Contract, error) { return c, nil }, func(int, []byte) {})
}

// FilesOf is Files for a contract that is still being written: it is asked for
// beside the printing, of which only the file that names its digest waits for it.
// Each Go file, by its place in the plan, is handed to printed as soon as it is
// there, by several goroutines at once; those of types come first.
func FilesOf(p *plan.Package, contract func() (Contract, error), printed func(i int, text []byte)) ([]output.File, error) {
	files := make([]output.File, len(p.Files), len(p.Files)+1)
	errs := make([]error, len(p.Files))
	one := func(i int, digest string) {
		files[i].Name = p.Files[i].Name
		if files[i].Data, errs[i] = file(p, &p.Files[i], digest); errs[i] == nil {
			printed(i, files[i].Data)
		}
	}
	client, order := printOrder(p)
	var wait sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(order)) {
		wait.Go(func() {
			for k := next.Add(1) - 1; k < int64(len(order)); k = next.Add(1) - 1 {
				one(order[k], "")
			}
		})
	}
	c, err := contract()
	if err == nil && client >= 0 {
		one(client, c.Digest)
	}
	wait.Wait()
	for _, err := range append([]error{err}, errs...) {
		if err != nil {
			return nil, err
		}
	}
	return append(files, output.File{Name: ContractName, Data: c.Data}), nil
}

// printOrder finds the file that names the contract's digest, -1 when there is
// none, and lists the others, those of types first.
func printOrder(p *plan.Package) (client int, order []int) {
	client = -1
	var rest []int
	for i := range p.Files {
		switch kind := p.Files[i].Kind; {
		case kind == plan.ClientFile && client < 0:
			client = i
		case kind == plan.TypesFile:
			order = append(order, i)
		default:
			rest = append(rest, i)
		}
	}
	return client, append(order, rest...)
}

// file prints one file. The digest is that of the contract, which the file of
// the client names.
func file(p *plan.Package, f *plan.File, digest string) ([]byte, error) {
	pr := &printer{pkg: p, digest: digest, out: jen.NewFile(p.Name), text: make([]byte, 0, methodSize*len(f.Methods)+typeSize*len(f.Types))}
	pr.out.NoFormat = true
	pr.header(f)
	pr.imports(f)
	switch f.Kind {
	case plan.ClientFile:
		pr.client(f)
	case plan.CallsFile:
		pr.calls(f)
	case plan.TypesFile:
	case plan.ErrorsFile:
		pr.errors()
	case plan.TestsFile:
		pr.tests()
	default:
		pr.fail(fmt.Errorf("render: file %s is of no known kind", f.Name))
	}
	for _, d := range f.Types {
		pr.decl(d)
	}
	return pr.bytes(f.Name)
}

// Sizes that are seldom exceeded by what is printed for a method with its params,
// and for a type.
const (
	methodSize = 800
	typeSize   = 600
)

// printer prints one file, a declaration after the other.
type printer struct {
	pkg    *plan.Package
	digest string
	out    *jen.File // what stands above the declarations
	text   []byte    // of the declarations so far, and of the one at hand
	err    error
}

// print adds to the declaration at hand.
func (p *printer) print(parts ...string) {
	for _, part := range parts {
		p.text = append(p.text, part...)
	}
}

// end ends the declaration at hand with a blank line.
func (p *printer) end() { p.text = append(p.text, "\n\n"...) }

func (p *printer) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// bytes returns the printed file.
func (p *printer) bytes(name string) ([]byte, error) {
	if p.err != nil {
		return nil, p.err
	}
	var head bytes.Buffer
	if err := p.out.Render(&head); err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	above, declarations := bytes.TrimRight(head.Bytes(), "\n"), bytes.TrimRight(p.text, "\n")
	out := make([]byte, 0, len(above)+len(declarations)+3)
	return append(append(append(append(out, above...), "\n\n"...), declarations...), '\n'), nil
}

// header prints the fixed lines above the package clause. Only client.go names
// digests, so that a new document does not touch every file.
func (p *printer) header(f *plan.File) {
	lines := "// Code generated by rpcgen. DO NOT EDIT."
	if f.Kind == plan.ClientFile {
		lines += "\n//\n// Contract  " + p.headerLine(p.pkg.Contract, p.pkg.Header.Version, p.pkg.Header.Document)
		if p.pkg.Header.AmendmentDigest != "" {
			lines += "\n// Amendment " + p.headerLine(p.pkg.Header.Amendment, "", p.pkg.Header.AmendmentDigest)
		}
	}
	p.out.HeaderComment(lines)
	if f.Kind == plan.ClientFile {
		p.out.PackageComment("// Package " + p.pkg.Name + " calls the methods of the " + p.pkg.Contract + " contract.")
	}
}

func (p *printer) headerLine(words ...string) string {
	line := ""
	for _, w := range words {
		if w != "" && line != "" {
			line += " "
		}
		line += w
	}
	return line
}

// imports prints the planned imports, the standard library first.
func (p *printer) imports(f *plan.File) {
	switch len(f.Imports) {
	case 0:
		return
	case 1:
		p.print("import ", importSpec(f.Imports[0]))
		p.end()
		return
	}
	p.print("import (\n")
	for i, spec := range f.Imports {
		if i > 0 && spec.Standard() != f.Imports[i-1].Standard() {
			p.print("\n")
		}
		p.print("\t", importSpec(spec), "\n")
	}
	p.print(")")
	p.end()
}

func importSpec(spec plan.Import) string {
	if spec.Blank {
		return "_ " + quoted(spec.Path)
	}
	return quoted(spec.Path)
}

// doc prints the doc comment of a declaration.
func (p *printer) doc(text plan.Text) {
	if lines := docText(text); lines != "" {
		p.print(lines, "\n")
	}
}
