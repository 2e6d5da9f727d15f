// Package governance holds the tests of the runtime to the tables of threats
// that the runtime answers for: each row has a case in the package that can
// show it. It is for tests only; start with Run.
//
// A row is found by its id: go test ./runtime/... -run 'Governance/A6'.
package governance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Row is one threat, or one well-known mistake, and where its cases are.
type Row struct {
	ID       string
	Packages string // folders below runtime, separated by spaces; "." is runtime itself
}

// Rows are all of them. A: where a request may go. B: sizes and times of an
// exchange. C: TLS, secrets, error texts. J: JSON and the envelope. P:
// approvals. T: mistakes that implementations like this one make.
var Rows = []Row{
	{"A1", "transport"}, {"A2", "transport"}, {"A3", "transport"}, {"A4", "transport"}, {"A5", "transport"},
	{"A6", "transport ."}, {"A7", "transport"}, {"A8", "transport"}, {"A9", "transport"}, {"A10", "transport ."},
	{"A11", "transport ."}, {"A12", "transport"}, {"A13", "transport"}, {"A14", "."}, {"A15", "transport"},

	{"B1", "transport ."}, {"B2", "transport ."}, {"B3", "transport ."}, {"B4", "transport ."}, {"B5", "transport ."},
	{"B6", "transport ."}, {"B7", "transport ."}, {"B8", "transport ."}, {"B9", "transport"},

	{"C1", "transport"}, {"C2", "transport ."}, {"C3", "transport"}, {"C4", "transport"}, {"C5", "transport ."},
	{"C6", "transport ."}, {"C7", "transport ."}, {"C8", "observe/slog ."}, {"C9", "."},

	{"J1", "envelope ."}, {"J2", "envelope ."}, {"J3", "envelope ."}, {"J4", "envelope ."}, {"J5", "envelope ."},
	{"J6", "envelope ."}, {"J7", "envelope ."}, {"J8", "envelope ."}, {"J9", "envelope ."}, {"J10", "envelope ."},
	{"J11", "envelope ."}, {"J12", "."}, {"J13", "."},

	{"P1", ". store/sqlite"}, {"P2", "."}, {"P3", "."}, {"P4", "canonical ."}, {"P5", "."}, {"P6", "."}, {"P7", "."},
	{"P8", "."}, {"P9", ". store/sqlite"}, {"P10", ". store/sqlite"}, {"P11", ". store/sqlite"}, {"P12", "."},
	{"P13", "."}, {"P14", "."},

	// Those of 10 to 52 that happen while a program runs; the others concern
	// the reading of documents and of amendments.
	{"T10", "transport ."}, {"T14", "."}, {"T20", "."}, {"T21", "canonical ."}, {"T22", "canonical"}, {"T23", "."},
	{"T24", "."}, {"T25", "."}, {"T26", "."}, {"T27", "."}, {"T28", "."}, {"T29", "."}, {"T30", "."}, {"T31", "."},
	{"T32", "transport"}, {"T33", "transport"}, {"T34", "transport"}, {"T35", "transport"}, {"T36", "transport"},
	{"T37", "transport"}, {"T38", "transport"}, {"T39", "transport"}, {"T40", "transport"}, {"T41", "transport"},
	{"T42", "transport"}, {"T43", "envelope"}, {"T44", "envelope"}, {"T45", "envelope"}, {"T46", "envelope"},
	{"T47", "envelope"}, {"T48", "."}, {"T49", "."}, {"T50", "envelope"}, {"T51", "."}, {"T52", "."},
}

// Show adds a case that shows one or more rows, named by their ids with a space
// between.
type Show func(rows, name string, test func(*testing.T))

// showing is a case.
type showing struct {
	rows, name string
	test       func(*testing.T)
}

// Run runs the cases of a package, each under its rows, as in "B6,T33/one
// effect", and fails for a row of the package that has none.
func Run(t *testing.T, pkg string, cases func(show Show)) {
	var list []showing
	cases(func(rows, name string, test func(*testing.T)) { list = append(list, showing{rows, name, test}) })
	for _, fault := range faults(pkg, list) {
		t.Error(fault)
	}
	for _, c := range list {
		t.Run(strings.ReplaceAll(c.rows, " ", ",")+"/"+c.name, c.test)
	}
}

// faults says which rows have no case, and which cases are none.
func faults(pkg string, cases []showing) (list []string) {
	shown := map[string]bool{}
	for _, c := range cases {
		if c.rows == "" || c.name == "" || c.test == nil {
			list = append(list, fmt.Sprintf("the case %q is not complete", c.name))
		}
		for id := range strings.SplitSeq(c.rows, " ") {
			shown[id] = true
			if !answersFor(pkg, id) {
				list = append(list, fmt.Sprintf("the case %q shows %q, which is no row of %s", c.name, id, pkg))
			}
		}
	}
	for _, r := range Rows {
		if answersFor(pkg, r.ID) && !shown[r.ID] {
			list = append(list, fmt.Sprintf("row %s has no case in %s", r.ID, pkg))
		}
	}
	return list
}

func answersFor(pkg, id string) bool {
	return slices.ContainsFunc(Rows, func(r Row) bool {
		return r.ID == id && slices.Contains(strings.Fields(r.Packages), pkg)
	})
}
