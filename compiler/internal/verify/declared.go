package verify

import (
	"go/ast"
	"strconv"
	"strings"
)

// declared describes every top-level declaration of a file but its imports,
// one line each, in order.
func declared(f *ast.File) []string {
	var out []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			out = append(out, describeFunc(d))
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				out = append(out, describeSpec(d, spec)...)
			}
		default:
			out = append(out, "something unreadable")
		}
	}
	return out
}

func describeFunc(d *ast.FuncDecl) string {
	name := "func " + d.Name.Name
	if d.Recv != nil && len(d.Recv.List) == 1 {
		name = "func (" + receiver(d.Recv.List[0].Type) + ") " + d.Name.Name
	}
	if d.Body == nil {
		return name + " without body"
	}
	return name + " {" + strconv.Itoa(len(d.Body.List)) + "}"
}

func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return "*" + receiver(t.X)
	case *ast.Ident:
		return t.Name
	default:
		return "?"
	}
}

func describeSpec(d *ast.GenDecl, spec ast.Spec) []string {
	switch spec := spec.(type) {
	case *ast.ImportSpec:
		return nil
	case *ast.TypeSpec:
		return []string{describeType(spec)}
	case *ast.ValueSpec:
		var out []string
		for _, name := range spec.Names {
			out = append(out, d.Tok.String()+" "+name.Name)
		}
		return out
	default:
		return []string{"something unreadable"}
	}
}

// describeType names a type with the fields of a struct or the methods of an
// interface.
func describeType(spec *ast.TypeSpec) string {
	line := "type " + spec.Name.Name
	if spec.TypeParams != nil {
		line += " [parameters]"
	}
	if spec.Assign.IsValid() {
		line += " ="
	}
	switch t := spec.Type.(type) {
	case *ast.StructType:
		return line + " struct {" + fieldNames(t.Fields) + "}"
	case *ast.InterfaceType:
		return line + " interface {" + fieldNames(t.Methods) + "}"
	default:
		return line
	}
}

func fieldNames(list *ast.FieldList) string {
	var names []string
	for _, f := range list.List {
		if len(f.Names) == 0 {
			names = append(names, "embedded")
		}
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
	}
	return strings.Join(names, " ")
}
