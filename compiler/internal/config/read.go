package config

import (
	"fmt"
	"path"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

type reader struct{ fields.Reader }

// Read reads a config whole. It reports every fault that it finds, and returns
// no config when there is one.
func Read(f *source.File) (*Config, diag.List) {
	r := &reader{}
	o := r.Object(f.Root, "a config", "version", "contracts")
	o.Require("version", "contracts")
	if v := o.Text("version"); v != "" && v != Version {
		r.Report(o.Get("version"), UnsupportedVersion, "version %q is not known here", v).
			Advice = `this release reads version: "1"`
	}
	contracts := r.contracts(o.Get("contracts"))
	r.Faults.Sort()
	if r.Faults.HasErrors() {
		return nil, r.Faults
	}
	return &Config{Contracts: contracts, Source: f}, r.Faults
}

func (r *reader) contracts(n *source.Node) []*Contract {
	o := r.Map(n, `"contracts"`)
	if o.Node == nil {
		return nil
	}
	contracts := make([]*Contract, 0, len(o.Node.Members))
	for _, m := range o.Node.Members {
		contracts = append(contracts, r.contract(m))
	}
	r.uniquePackages(contracts)
	return contracts
}

func (r *reader) contract(m source.Member) *Contract {
	if !fields.IsID(m.Name) {
		r.ReportName(m, BadID, "%q is no endpoint id", m.Name).Advice = fields.IDAdvice
	}
	o := r.Object(m.Value, fmt.Sprintf("contract %q", m.Name), "document", "amendment", "kind", "package",
		"server", "origin", "include", "exclude", "root", "undecided", "refused", "text")
	o.Require("document", "package")
	c := &Contract{
		ID:        m.Name,
		Document:  r.path(o, "document"),
		Amendment: r.path(o, "amendment"),
		Kind:      fields.Enum(o, "kind", OpenRPC, OpenAPI, Swagger),
		Package:   r.packagePath(o),
		Server:    r.url(o, "server"),
		Origin:    r.url(o, "origin"),
		Include:   r.patterns(o, "include"),
		Exclude:   r.patterns(o, "exclude"),
		Root:      r.path(o, "root"),
		Undecided: level(o, "undecided", Warn, Allow, Warn, Fail),
		Refused:   level(o, "refused", Allow, Allow, Fail),
		Text:      level(o, "text", Warn, Allow, Warn, Fail),
		Node:      m.Value,
	}
	r.distinctFiles(c, o)
	r.rootOf(c, o)
	return c
}

func level(o fields.Object, name string, absent Level, values ...Level) Level {
	if !o.Has(name) {
		return absent
	}
	return fields.Enum(o, name, values...)
}

// patterns reads patterns of wire names, in which * stands for any text.
func (r *reader) patterns(o fields.Object, name string) []string {
	patterns := o.Texts(name)
	if len(patterns) == 0 {
		return nil
	}
	seen := make(map[string]bool, len(patterns))
	for _, item := range o.Get(name).Items {
		switch {
		case item.Kind != source.String:
		case item.Text != strings.TrimSpace(item.Text):
			r.Report(item, BadPattern, "pattern %q starts or ends with a space", item.Text)
		case seen[item.Text]:
			r.Report(item, BadPattern, "pattern %q is here twice", item.Text).Advice = "remove one"
		}
		seen[item.Text] = true
	}
	return patterns
}

// distinctFiles refuses a file that would be read as two things.
func (r *reader) distinctFiles(c *Contract, o fields.Object) {
	if c.Document != "" && c.Document == c.Amendment {
		r.Report(o.Get("amendment"), Conflict, "the amendment of contract %q is its document", c.ID).
			Advice = "an amendment is a file of your own; a document never grants anything"
	}
}

// rootOf fills in the document's folder, and refuses a root beside it.
func (r *reader) rootOf(c *Contract, o fields.Object) {
	switch {
	case c.Document == "":
	case c.Root == "":
		c.Root = path.Dir(c.Document)
	case c.Root != "." && !strings.HasPrefix(c.Document, c.Root+"/"):
		r.Report(o.Get("root"), Conflict, "document %q does not lie below root %q", c.Document, c.Root)
	}
}

// uniquePackages refuses two contracts in one folder, also where only a file
// system that folds case would make them one.
func (r *reader) uniquePackages(contracts []*Contract) {
	first := make(map[string]*Contract, len(contracts))
	for _, c := range contracts {
		if c.Package == "" {
			continue
		}
		folded := strings.ToLower(c.Package)
		if other := first[folded]; other != nil {
			d := diag.At(c.Node.Get("package"), Conflict, "contracts %q and %q share the package folder %q", other.ID, c.ID, c.Package)
			r.Faults.Add(d.WithAdvice("give each contract a folder of its own").
				WithRelated(other.Node.Get("package"), "first used here"))
			continue
		}
		first[folded] = c
	}
}
