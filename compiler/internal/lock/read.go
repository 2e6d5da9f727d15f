package lock

import (
	"encoding/json"
	"regexp"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// Codes of the diagnostics of this package, beside those of package fields.
const (
	UnsupportedVersion = "unsupported-version" // written by a release that this one does not know
	BadDigest          = "bad-digest"          // not sha256: and 64 hex digits
	Disorder           = "lock-order"          // not in the order that Bytes writes, or twice
)

const regenerate = "delete the file and run rpcgen generate: it holds nothing that cannot be made again but the shapes of stale entries"

type reader struct{ fields.Reader }

// Read reads a lock whole: every fault is reported, and none is mended.
func Read(f *source.File) (*Lock, diag.List) {
	r := &reader{}
	o := r.Object(f.Root, "a lock", "rpcgen_lock", "tool", "contracts")
	o.Require("rpcgen_lock", "tool", "contracts")
	l := &Lock{Version: o.Text("rpcgen_lock"), Tool: o.Text("tool")}
	if l.Version != "" && l.Version != Version {
		r.Report(o.Get("rpcgen_lock"), UnsupportedVersion, "version %q is not known here", l.Version).
			Advice = "use the release of rpcgen that wrote it, or a newer one"
	}
	l.Contracts = list(r, o, "contracts", "contract", r.contract)
	r.Faults.Sort()
	if r.Faults.HasErrors() {
		return nil, r.Faults
	}
	return l, r.Faults
}

func (r *reader) contract(n *source.Node) Contract {
	o := r.Object(n, "a contract", "contract", "digest", "package", "default_server", "authority",
		"inputs", "outputs", "methods", "stale")
	o.Require("contract", "digest", "package", "authority", "inputs", "outputs", "methods")
	return Contract{
		ID:            o.ID("contract"),
		Digest:        r.digest(o, "digest"),
		Package:       o.Text("package"),
		DefaultServer: o.Foreign("default_server"),
		Authority:     o.Text("authority"),
		Inputs:        list(r, o, "inputs", "file", r.input),
		Outputs:       list(r, o, "outputs", "file", r.output),
		Methods:       list(r, o, "methods", "name", r.method),
		Stale:         list(r, o, "stale", "method", r.shape),
	}
}

func (r *reader) input(n *source.Node) Input {
	o := r.Object(n, "an input", "file", "role", "digest")
	o.Require("file", "role", "digest")
	return Input{o.Text("file"), fields.Enum(o, "role", Document, Reference, Amendment), r.digest(o, "digest")}
}

func (r *reader) output(n *source.Node) Output {
	o := r.Object(n, "an output", "file", "digest")
	o.Require("file", "digest")
	return Output{o.Text("file"), r.digest(o, "digest")}
}

func (r *reader) method(n *source.Node) Method {
	o := r.Object(n, "a method", "name", "class", "closed_to", "digests")
	o.Require("name", "class", "digests")
	digests := r.Object(o.Get("digests"), `"digests"`, "wire", "result", "text", "doc")
	digests.Require("wire", "result", "text", "doc")
	return Method{
		Name: o.Foreign("name"),
		Class: fields.Enum(o, "class", ClassRead, ClassWrite, ClassDestructive, ClassRefused,
			ClassUndecided, ClassStale, ClassUncompiled),
		ClosedTo: o.Texts("closed_to"),
		Digests: compiled.Digests{
			Wire:   r.digest(digests, "wire"),
			Result: r.digest(digests, "result"),
			Text:   r.digest(digests, "text"),
			Doc:    r.digest(digests, "doc"),
		},
	}
}

func (r *reader) shape(n *source.Node) Shape {
	o := r.Object(n, "a stale entry", "method", "pin", "shape")
	o.Require("method", "pin", "shape")
	return Shape{o.Foreign("method"), o.Text("pin"), json.RawMessage(o.Get("shape").JSON())}
}

var digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

func (r *reader) digest(o fields.Object, name string) string {
	s := o.Text(name)
	if s != "" && !digestForm.MatchString(s) {
		r.Report(o.Get(name), BadDigest, "%q is no digest", name).Advice = regenerate
	}
	return s
}

// list reads a list whose items have a key of their own, in rising order.
func list[T any](r *reader, o fields.Object, name, key string, read func(*source.Node) T) []T {
	var all []T
	var last *source.Node
	for _, n := range o.Items(name) {
		all = append(all, read(n))
		k := n.Get(key)
		if k == nil || k.Kind != source.String {
			continue
		}
		if last != nil && k.Text <= last.Text {
			r.Report(k, Disorder, "%q of %q is not in its place", key, name).Advice = regenerate
		}
		last = k
	}
	return all
}
