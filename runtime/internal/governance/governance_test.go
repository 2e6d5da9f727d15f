package governance

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ids are the rows of the tables, whatever Rows says.
const ids = "A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15 " +
	"B1 B2 B3 B4 B5 B6 B7 B8 B9 " +
	"C1 C2 C3 C4 C5 C6 C7 C8 C9 " +
	"J1 J2 J3 J4 J5 J6 J7 J8 J9 J10 J11 J12 J13 " +
	"P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P14 " +
	"T10 T14 T20 T21 T22 T23 T24 T25 T26 T27 T28 T29 T30 T31 T32 T33 T34 T35 T36 T37 T38 T39 T40 T41 T42 T43 T44 T45 T46 T47 " +
	"T48 T49 T50 T51 T52"

// Every row of the tables is one of Rows, once, and every package that answers
// for one runs its cases, which fails for a row without.
func TestEveryRowHasAPackage(t *testing.T) {
	var listed []string
	packages := map[string]bool{}
	for _, r := range Rows {
		listed = append(listed, r.ID)
		if r.Packages == "" {
			t.Errorf("nobody answers for %s", r.ID)
		}
		for _, pkg := range strings.Fields(r.Packages) {
			packages[pkg] = true
		}
	}
	if want := strings.Fields(ids); !slices.Equal(listed, want) {
		t.Errorf("rows\n got %v\nwant %v", listed, want)
	}
	for pkg := range packages {
		if !runs(t, pkg) {
			t.Errorf("no test of %s calls governance.Run for it", pkg)
		}
	}
}

// runs reports whether a test of a package runs its cases.
func runs(t *testing.T, pkg string) bool {
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(text), `governance.Run(t, "`+pkg+`", `) &&
			strings.Contains(string(text), "func TestGovernance(t *testing.T)")
	})
}

// The check itself can fail.
func TestFaults(t *testing.T) {
	none := func(*testing.T) {}
	rows := []struct {
		cases []showing
		want  string
	}{
		{[]showing{{"C8", "one", none}}, ``},
		{nil, `row C8 has no case in observe/slog`},
		{[]showing{{"C8", "one", none}, {"A1", "other", none}}, `the case "other" shows "A1", which is no row of observe/slog`},
		{[]showing{{"C8", "one", none}, {"C8 Z9", "two", none}}, `the case "two" shows "Z9", which is no row of observe/slog`},
		{[]showing{{"C8", "", none}}, `the case "" is not complete`},
		{[]showing{{"C8", "one", nil}}, `the case "one" is not complete`},
	}
	for _, row := range rows {
		if got := strings.Join(faults("observe/slog", row.cases), "; "); got != row.want {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
	}
}
