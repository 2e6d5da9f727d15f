package compiler_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler"
)

// refusals is why methods of published documents are refused: a document, a
// code, how many methods, and what is wrong with the document, a row each.
const refusals = "testdata/corpus/refusals.txt"

// TestRefusals holds what is refused of the real documents against the
// explained list, both ways: a refusal that nobody explained fails it, and so
// does an explanation that is no longer needed.
func TestRefusals(t *testing.T) {
	dir, want := corpus(t, "openrpc"), explanations(t)
	for _, name := range documents(t, dir) {
		for code, methods := range refusedBy(dryRun(t, dir, name).Report()) {
			key := name + "\t" + code
			if got := fmt.Sprint(methods); want[key] != got {
				t.Errorf("%s refuses %s methods for %s; the list says %q", name, got, code, want[key])
			}
			delete(want, key)
		}
	}
	for key, methods := range want {
		t.Errorf("the list explains %s (%s methods), which is no longer refused", key, methods)
	}
}

// refusedBy counts the methods refused for each code; a method refused for two
// is counted twice.
func refusedBy(r compiler.ContractReport) map[string]int {
	seen, counts := map[string]bool{}, map[string]int{}
	for _, row := range r.Refused {
		if key := row.Method + "\t" + row.Code; !seen[key] {
			seen[key] = true
			counts[row.Code]++
		}
	}
	return counts
}

func explanations(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open(refusals)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		cells := strings.SplitN(lines.Text(), " | ", 4)
		if len(cells) != 4 || cells[3] == "" {
			t.Fatalf("%s: %q is not: document | code | methods | why", refusals, lines.Text())
		}
		rows[cells[0]+"\t"+cells[1]] = cells[2]
	}
	return rows
}
