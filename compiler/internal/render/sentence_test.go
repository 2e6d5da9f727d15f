package render

import (
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// TestSentencesAreNoHeadings: what a document writes without a full stop is no
// heading for that; what it marks as one is.
func TestSentencesAreNoHeadings(t *testing.T) {
	ours := plan.Paragraph{Words: "Method m, effect read.", Ours: true}
	tests := []struct {
		name string
		text plan.Text
		want string
	}{
		{"a description below a summary", plan.Text{{Words: "M: Get a room"}, {Words: "Finds one room"}, ours},
			"// M: Get a room\n//\n// Finds one room.\n//\n// Method m, effect read."},
		{"one that ends as it should", plan.Text{{Words: "M: Get a room"}, {Words: "Finds one room."}, ours},
			"// M: Get a room\n//\n// Finds one room.\n//\n// Method m, effect read."},
		{"letters of any alphabet", plan.Text{{Words: "M: x"}, {Words: "Öffnet die Tür"}, ours},
			"// M: x\n//\n// Öffnet die Tür.\n//\n// Method m, effect read."},
		{"two in a row", plan.Text{{Words: "M: x"}, {Words: "One room\n\nTwo rooms"}, ours},
			"// M: x\n//\n// One room.\n//\n// Two rooms.\n//\n// Method m, effect read."},
		{"a marked heading", plan.Text{{Words: "M: x\n\n# Limits\n\nfew"}, ours},
			"// M: x\n//\n// # Limits\n//\n// few\n//\n// Method m, effect read."},
		{"the last paragraph", plan.Text{{Words: "M: x\n\nFinds one room"}},
			"// M: x\n//\n// Finds one room"},
	}
	for _, test := range tests {
		if got := docText(test.text); got != test.want {
			t.Errorf("%s is\n%s\nwant\n%s", test.name, got, test.want)
		}
		checkFormatted(t, "x\n\n"+test.text[0].Words+"\n\nend")
	}
}
