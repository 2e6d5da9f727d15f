package pin

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// uncounted are the fields of a node that are no part of its shape, with reasons.
var uncounted = map[string]string{
	".ID":                               "names never count",
	".Sensitive":                        "says how errors are told, not what is sent",
	".String.Pattern.RE2":               "follows from the source",
	".Object.Patterns.Pattern.RE2":      "follows from the source",
	".Object.DependentSchemas.Required": "says nothing there",
	".Annotations.Name":                 "counted as the document writes them",
	".Annotations.Value":                "counted as the document writes them",
}

// filler fills a node field by field. The field at place gets another value
// than it has with every other place.
type filler struct {
	place, count int
	path         string // of the field at place
}

func (f *filler) node() *rt.Node {
	n := new(rt.Node)
	f.fill(reflect.ValueOf(n).Elem(), "")
	return n
}

func (f *filler) fill(v reflect.Value, path string) {
	switch v.Interface().(type) {
	case *rt.Node:
		leaf := &rt.Node{Types: rt.TypeString}
		if f.here(path) {
			leaf.Types = rt.TypeBoolean
		}
		v.Set(reflect.ValueOf(leaf))
		return
	case []string:
		v.Set(reflect.ValueOf([]string{map[bool]string{false: `"a"`, true: `"b"`}[f.here(path)]}))
		return
	case rt.Types:
		v.SetUint(uint64(map[bool]rt.Types{false: rt.TypeString, true: rt.TypeObject}[f.here(path)]))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(f.here(path))
	case reflect.String:
		v.SetString(map[bool]string{false: "1", true: "2"}[f.here(path)])
	case reflect.Uint64:
		v.SetUint(map[bool]uint64{false: 1, true: 2}[f.here(path)])
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0), path)
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i), path+"."+v.Type().Field(i).Name)
		}
	default:
		panic(fmt.Sprintf("no value for %s of type %v: teach the test", path, v.Type()))
	}
}

func (f *filler) here(path string) bool {
	f.count++
	if f.count == f.place {
		f.path = path
	}
	return f.count == f.place
}

// TestEveryFieldCounts fails when a field of a node moves no digest and is not
// listed with a reason.
func TestEveryFieldCounts(t *testing.T) {
	_, g := read(t, asParam(`true`, ""))
	digest := func(f *filler) string {
		s := newShapes(g, request)
		n := f.node()
		s.add(n)
		s.settle()
		return s.sum(n)
	}
	all := &filler{}
	base := digest(all)
	if all.count < 50 {
		t.Fatalf("only %d fields", all.count)
	}
	for place := 1; place <= all.count; place++ {
		f := &filler{place: place}
		got := digest(f)
		_, skip := uncounted[f.path]
		if (got == base) != skip {
			t.Errorf("field %s: moves the digest: %v", strings.TrimPrefix(f.path, "."), got != base)
		}
	}
}
