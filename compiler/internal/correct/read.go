package correct

import (
	"path/filepath"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Read reads the value of a "corrections" member, in file order; nil for none.
// Faults go to r.
func Read(r *fields.Reader, n *source.Node) []*Correction {
	switch {
	case n == nil:
		return nil
	case n.Kind != source.Array:
		r.Report(n, fields.WrongType, `"corrections" must be a list`)
		return nil
	case len(n.Items) == 0:
		r.Report(n, fields.Empty, `"corrections" is empty`).Advice = "give it items, or remove it"
		return nil
	}
	all := make([]*Correction, len(n.Items))
	for i, item := range n.Items {
		all[i] = read(r, item)
	}
	return all
}

func read(r *fields.Reader, n *source.Node) *Correction {
	o := r.Object(n, "a correction", "at", "was", "now", "shared", "reason")
	o.Require("at", "reason")
	shared, _ := o.Bool("shared")
	c := &Correction{
		Was: o.Get("was"), Now: o.Get("now"), Shared: shared, Reason: o.Text("reason"),
		Node: n, place: o.Get("at"),
	}
	c.readPlace(r, o.Text("at"))
	switch {
	case o.Node == nil:
	case c.Was == nil && c.Now == nil:
		r.Report(n, fields.MissingKey, `a correction needs "was", "now", or both`).
			Advice = `both replace a value, "now" alone adds one, "was" alone removes one`
	case c.Was != nil && c.Now != nil && equal(c.Was, c.Now):
		r.Report(c.Now, Useless, `"was" and "now" say the same: %s and %s`, show(c.Was), show(c.Now)).
			Advice = "remove the correction"
	}
	return c
}

const placeAdvice = `it looks like "#/methods/invoice.get/result/schema", or "types.json#/definitions/Invoice" for a file that the document refers to`

// readPlace reads "FILE#POINTER".
func (c *Correction) readPlace(r *fields.Reader, at string) {
	if at == "" {
		return
	}
	file, pointer, found := strings.Cut(at, "#")
	p, err := source.ParsePointer(pointer)
	switch {
	case !found || p == "":
		r.Report(c.place, BadPlace, `"at" is %q, which names no value`, at).Advice = placeAdvice
		return
	case err != nil:
		r.Report(c.place, BadPlace, `"at": %s`, err).Advice = placeAdvice
		return
	case file != "" && !local(file):
		r.Report(c.place, BadPlace, `"at" names the file %q, which is no path below the document's folder`, file).Advice = placeAdvice
		return
	}
	c.File, c.At = file, p
	c.tokens, _ = p.Tokens()
}

// local reports whether a file may be named: a relative path with slashes. How
// far up it may lead is for the references to say that reach the file.
func local(file string) bool {
	return !strings.ContainsAny(file, "\\:%?") && !filepath.IsAbs(file) && !strings.HasPrefix(file, "/")
}
