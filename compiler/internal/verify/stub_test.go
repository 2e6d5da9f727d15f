package verify

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestStubs holds the stubs against the real packages: every name that a stub
// declares exists there with the same kind and signature, so that a package
// that checks against the stubs checks against the real ones.
func TestStubs(t *testing.T) {
	stubbed, err := stubWorld()
	if err != nil {
		t.Fatal(err)
	}
	real := importer.ForCompiler(token.NewFileSet(), "gc", exports(t))
	for _, s := range stubFiles {
		r, err := real.Import(s.path)
		if err != nil {
			t.Fatal(err)
		}
		compareScopes(t, stubbed[s.path], r)
	}
}

// exports finds the compiled packages by their import paths.
func exports(t *testing.T) func(path string) (io.ReadCloser, error) {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}"}
	for _, s := range stubFiles {
		args = append(args, s.path)
	}
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[path] = file
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

func compareScopes(t *testing.T, stub, real *types.Package) {
	t.Helper()
	if stub.Name() != real.Name() {
		t.Errorf("package %s is called %s in the stub", real.Name(), stub.Name())
	}
	for _, name := range stub.Scope().Names() {
		s, r := stub.Scope().Lookup(name), real.Scope().Lookup(name)
		if !s.Exported() {
			continue
		}
		if r == nil {
			t.Errorf("%s has no %s any more", real.Path(), name)
			continue
		}
		if got, want := describe(s), describe(r); got != want {
			t.Errorf("%s.%s is stubbed as\n\t%s\nand is\n\t%s", real.Path(), name, got, want)
		}
		compareMethods(t, s, r)
	}
}

// describe shows what generated code can see of an object: a struct's fields
// and an interface's methods are none of its business.
func describe(o types.Object) string {
	full := func(p *types.Package) string { return p.Path() }
	named, ok := o.Type().(*types.Named)
	if _, isType := o.(*types.TypeName); !isType || !ok {
		return types.ObjectString(o, full)
	}
	line := o.Name()
	for i := range named.TypeParams().Len() {
		line += " " + named.TypeParams().At(i).Constraint().String()
	}
	switch u := named.Underlying().(type) {
	case *types.Struct:
		return line + " struct"
	case *types.Interface:
		return line + " interface"
	case *types.Signature:
		return line + " func"
	default:
		return line + " " + types.TypeString(u, full)
	}
}

// compareMethods compares the methods that the stub declares.
func compareMethods(t *testing.T, stub, real types.Object) {
	t.Helper()
	s, ok := stub.Type().(*types.Named)
	if !ok {
		return
	}
	if _, face := s.Underlying().(*types.Interface); face {
		return
	}
	full := func(p *types.Package) string { return p.Path() }
	for i := range s.NumMethods() {
		m := s.Method(i)
		r, _, _ := types.LookupFieldOrMethod(types.NewPointer(real.Type()), true, real.Pkg(), m.Name())
		if r == nil {
			t.Errorf("%s.%s has no method %s any more", real.Pkg().Path(), real.Name(), m.Name())
			continue
		}
		if got, want := types.TypeString(m.Type(), full), types.TypeString(r.Type(), full); got != want {
			t.Errorf("%s.%s.%s is stubbed as %s and is %s", real.Pkg().Path(), real.Name(), m.Name(), got, want)
		}
	}
}
