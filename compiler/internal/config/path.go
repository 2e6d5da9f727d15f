package config

import (
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
)

// path reads a path that stays below the folder of the config on every system:
// relative, with slashes, without a step up.
func (r *reader) path(o fields.Object, name string) string {
	s := o.Text(name)
	if s == "" {
		return ""
	}
	if why := leaves(s); why != "" {
		r.Report(o.Get(name), BadPath, "%q is %q, %s", name, s, why).
			Advice = "name a path relative to the folder of the config, with slashes, as in contracts/billing.json"
		return ""
	}
	return path.Clean(s)
}

// leaves says why a path may not stay below the folder; "" when it does.
func leaves(s string) string {
	switch {
	case strings.ContainsAny(s, "\r\n\t\x00"):
		return "which holds a control character"
	case strings.Contains(s, `\`):
		return "which holds a backslash"
	case strings.Contains(s, ":"):
		return "which holds a colon, as a drive or a URL does"
	case path.IsAbs(s):
		return "which is absolute"
	case slices.Contains(strings.Split(s, "/"), ".."):
		return "which steps up"
	case s != strings.TrimSpace(s):
		return "which starts or ends with a space"
	}
	return ""
}

// packagePath reads the folder of a package. Its last element is the name of
// the package, so it has to be one that Go code can be written with.
func (r *reader) packagePath(o fields.Object) string {
	s := r.path(o, "package")
	if s == "" {
		return ""
	}
	if why := PackageFault(s); why != "" {
		r.Report(o.Get("package"), BadPackage, "package %q %s", s, why).
			Advice = "name a folder such as internal/billing; its last element is the name of the package"
		return ""
	}
	return s
}

// PackageFault says why the last element of a folder cannot name a generated
// package; "" when it can.
func PackageFault(folder string) string {
	name := path.Base(folder)
	switch {
	case slices.ContainsFunc(strings.Split(folder, "/"), ignored):
		return "has an element that the go command does not build"
	case !plainName(name):
		return "does not end in a Go name of ASCII letters, digits and underscores"
	case token.IsKeyword(name):
		return "ends in a Go keyword"
	case types.Universe.Lookup(name) != nil:
		return "ends in a name that Go predeclares"
	case name == "main" || name == "init":
		return "ends in a name that cannot be imported"
	case strings.HasSuffix(name, "_test"):
		return "ends in a name of test packages"
	case slices.Contains(standard, name):
		return "ends in the name of a package of the standard library"
	}
	return ""
}

func ignored(element string) bool {
	return element == "vendor" || strings.HasPrefix(element, "_") || strings.HasPrefix(element, ".") && element != "."
}

func plainName(name string) bool {
	for i, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '_') {
			return false
		}
	}
	return name != ""
}
