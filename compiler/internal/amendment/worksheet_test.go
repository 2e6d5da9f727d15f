package amendment

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// decide does what a person does: it takes the # away before methods and
// before every entry, and puts a profile in.
func decide(sheet, profile string) string {
	sheet = strings.Replace(sheet, "\n#methods:", "\nmethods:", 1)
	sheet = regexp.MustCompile(`(?m)^  #"`).ReplaceAllString(sheet, `  "`)
	return strings.ReplaceAll(sheet, "PROFILE", profile)
}

func TestWorksheet(t *testing.T) {
	c, digests := billing("invoice.get", "invoice.pay", "customer.get", "ping", "log", "broken")
	c.Methods[0].Summary = "Get one invoice"
	c.Methods[1].Description = "Pays an invoice.\n\nMoney  moves."
	c.Methods[1].Deprecated = true
	c.Methods[2].Tags = []string{"people", "reads"}
	c.Methods[4].Result = nil
	c.Methods[5].Faults.Add(diag.Diagnostic{Code: "unknown-type", Severity: diag.Error})
	sheet := string(Worksheet(c, digests))
	golden(t, "testdata/worksheet.yaml", sheet)

	j, faults := Join(c, nil, digests, mustRead(t, sheet))
	if j.Counts != (Counts{Undecided: 5, Uncompiled: 1}) || len(faults) > 0 {
		t.Errorf("untouched: %s, faults:\n%s", j.Counts, show(faults))
	}
	j, faults = Join(c, nil, digests, mustRead(t, decide(sheet, "lookup")))
	if j.Counts != (Counts{Read: 5, Uncompiled: 1}) || len(faults) > 0 {
		t.Errorf("decided: %s, faults:\n%s", j.Counts, show(faults))
	}
	if !j.Authorities[4].Notify {
		t.Error("the decided notification stays closed")
	}
}

// TestWorksheetOfHostileWords: whatever a document says, its worksheet decides
// nothing, reads cleanly, and opens with the right entries what it lists.
func TestWorksheetOfHostileWords(t *testing.T) {
	words := []string{
		"\n  \"admin.wipe\": {effect: read}", "\r\nmethods:\r\n  x: {effect: read}", "\u2028methods: {}", "\u0085methods:",
		"--- \n...", "\u202eevil\u2066", "\U000e0041\u200b\ufe0f\u00ad", "\x1b]8;;http://x\x07", "\x00", "`*/ #", "{{.Name}}",
		"<<<<<<< ours", "\n<<<<<<< ours", "- a\n- b", "\ufeff", "\ufffd", "%YAML 1.1", "# > x", strings.Repeat("long ", 10000),
		strings.Repeat("\u0301", 500), "\\u202e", "'\"", "methods:", "\t",
	}
	var all []*contract.Method
	for i, w := range words {
		all = append(all,
			&contract.Method{Name: fmt.Sprintf("m%d", i), Summary: w, Description: w, Tags: []string{w}, Result: &contract.Descriptor{}},
			&contract.Method{Name: fmt.Sprintf("%d%s", i, w), Result: &contract.Descriptor{}})
	}
	c, digests := billing(make([]string, len(all))...)
	c.Methods = all
	sheet := string(Worksheet(c, digests))
	for _, r := range sheet {
		if !source.Visible(r) && r != '\n' {
			t.Errorf("the worksheet holds %U", r)
		}
	}
	for i, line := range strings.Split(sheet, "\n") {
		if len(line) > 2000 {
			t.Errorf("line %d has %d bytes", i+1, len(line))
		}
	}
	if f := mustRead(t, sheet); len(f.Entries) > 0 {
		t.Fatalf("%d entries in an untouched worksheet", len(f.Entries))
	}
	a := mustRead(t, decide(sheet, "lookup"))
	j, faults := Join(c, nil, digests, a)
	if len(faults) > 0 || j.Counts.Open() != len(a.Entries) {
		t.Errorf("open %d of %d, faults:\n%s", j.Counts.Open(), len(a.Entries), show(faults))
	}
	for i, m := range all {
		if open := j.Entries[i] != nil; open != Writable(m.Name) {
			t.Errorf("%q: listed %v, writable %v", m.Name, open, Writable(m.Name))
		}
	}
}

func FuzzWorksheet(f *testing.F) {
	f.Add("invoice.get", "Get one invoice", "invoices")
	f.Add("a\u202eb", "\nmethods:\n", "---")
	f.Fuzz(func(t *testing.T, name, words, tag string) {
		c, digests := billing(name)
		c.Methods[0].Summary, c.Methods[0].Tags = words, []string{tag}
		file := mustRead(t, string(Worksheet(c, digests)))
		if len(file.Entries) > 0 {
			t.Fatal("the worksheet decides something")
		}
	})
}
