// Package config reads rpcgen.yaml: which documents become which packages,
// where their amendments lie, and which server the owner trusts. It opens no
// method and reads no other file. Start with Read.
package config

import (
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Name is the name of the file.
const Name = "rpcgen.yaml"

// Version is the version of the format that Read knows.
const Version = "1"

// Codes of the diagnostics of this package, beside those of package fields.
const (
	UnsupportedVersion = "unsupported-version" // a format that this release does not know
	BadID              = "bad-endpoint-id"     // a name under contracts that is no id
	BadPath            = "bad-path"            // a path that could leave the config's folder
	BadPackage         = "bad-package"         // a folder whose name cannot be a Go package
	BadURL             = "bad-url"             // a URL that nothing could be bound to
	BadPattern         = "bad-pattern"         // a pattern that selects nothing
	Conflict           = "conflict"            // two members that contradict each other
)

// Config is a file without faults. It is a finished value.
type Config struct {
	Contracts []*Contract // in file order
	Source    *source.File
}

// Contract is what the config says about one contract. Paths use slashes, are
// clean, and lie below the folder of the config.
type Contract struct {
	ID        string // endpoint id
	Document  string
	Amendment string // "": every method is unclassified
	Kind      Kind   // "": whatever the document is
	Package   string // folder of the package; its last element is the package name
	Server    string // trusted default; "": none
	Origin    string // where the document comes from; "": nowhere known
	Include   []string
	Exclude   []string
	Root      string // folder that file references may reach; by default the document's folder

	Undecided Level // a method that nobody decided about
	Refused   Level // a method that could not be compiled
	Text      Level // a method whose words alone have changed

	Node *source.Node
}

// Kind is a kind of document.
type Kind string

const (
	OpenRPC Kind = "openrpc"
	OpenAPI Kind = "openapi"
	Swagger Kind = "swagger"
)

// Level says how much a finding matters to check.
type Level string

const (
	Allow Level = "allow"
	Warn  Level = "warn"
	Fail  Level = "fail"
)

// PackageName is the name of the generated package.
func (c *Contract) PackageName() string {
	return c.Package[strings.LastIndexByte(c.Package, '/')+1:]
}

// Selects reports whether include and exclude leave the method in. Without
// include every method is in; what exclude names is out, whatever include says.
func (c *Contract) Selects(method string) bool {
	matches := func(pattern string) bool { return match(pattern, method) }
	in := len(c.Include) == 0 || slices.ContainsFunc(c.Include, matches)
	return in && !slices.ContainsFunc(c.Exclude, matches)
}

// match reports whether name is what pattern says, in which * stands for any
// text, also for none.
func match(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok || len(parts) == 1 {
		return ok && rest == ""
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		if _, rest, ok = strings.Cut(rest, part); !ok {
			return false
		}
	}
	return strings.HasSuffix(rest, parts[last])
}
