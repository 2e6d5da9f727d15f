package plan

import "slices"

// TestsName is the file of the tests that play the document's examples.
const TestsName = "client_test.go"

const importHTTPTest, importTesting = "net/http/httptest", "testing"

// Tests are the examples that a package's own test plays.
type Tests struct {
	Examples []Example // in document order
	Left     int       // examples that cannot be played
}

// Example is one example. Every text but Name is JSON.
type Example struct {
	Method int // index into Package.Methods
	Name   string
	Params string // an object by name, "" for none
	Wire   string // the params as they arrive, "" for none at all
	Result string // "" for a notification
	Loose  bool
}

// WithTests returns the package with one file more: its tests.
func (p *Package) WithTests(t Tests) *Package {
	tested := *p
	tested.Tests = &t
	imports := []Import{{Path: importHTTPTest}, {Path: importTesting}, {Path: importRuntime}}
	tested.Files = append(slices.Clone(p.Files), File{Name: TestsName, Kind: TestsFile, Imports: imports})
	return &tested
}
