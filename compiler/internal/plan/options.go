package plan

import (
	"fmt"
	"go/token"
	"regexp"
)

// Options say where the package goes and what it was made from.
type Options struct {
	Package         string // Go package name; "" is the contract's id
	ImportPath      string // when known
	Amendment       string // name of the amendment file, "" when there is none
	AmendmentDigest string
}

var packageName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// reservedPackages cannot be imported by that name, or not sensibly.
var reservedPackages = map[string]bool{"main": true, "init": true, "unsafe": true, "cgo": true, "internal": true, "vendor": true, "testdata": true}

// checkPackage reports why name cannot be a package name.
func checkPackage(name string) error {
	switch {
	case !packageName.MatchString(name):
		return fmt.Errorf("package name %q: want a lower-case ASCII letter, then letters, digits or underscores", name)
	case token.IsKeyword(name), predeclared[name], reservedPackages[name]:
		return fmt.Errorf("package name %q is reserved", name)
	case len(name) > 5 && name[len(name)-5:] == "_test":
		return fmt.Errorf("package name %q: the suffix _test is for tests", name)
	}
	return nil
}

// predeclared holds the identifiers of the universe scope.
var predeclared = wordSet(`any append bool byte cap clear close comparable complex complex128 complex64 copy delete error
	false float32 float64 imag int int16 int32 int64 int8 iota len make max min new nil panic print println real recover
	rune string true uint uint16 uint32 uint64 uint8 uintptr`)
