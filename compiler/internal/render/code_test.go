package render

import (
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// TestCodeInComments: code of a document stays code, line by line; what only
// looks like its marks stays prose.
func TestCodeInComments(t *testing.T) {
	tests := []struct{ name, words, want string }{
		{"between marks", "Asks:\n```go\nif x {\n\treturn 1\n}\n```\nand waits.",
			"// Asks:\n//\n//\tif x {\n//\t    return 1\n//\t}\n//\n// and waits."},
		{"behind a name", "Arg: ```go\n[]string\n```", "// Arg:\n//\n//\t[]string"},
		{"with blank lines", "Do\n\n```\n\na\n\nb\n\n```", "// Do\n//\n//\ta\n//\n//\tb"},
		{"indented as a whole", "Do\n  ```\n    a\n      b\n  ```", "// Do\n//\n//\ta\n//\t  b"},
		{"a line of its own", "Do ```x``` now\nand then", "// Do ```x``` now and then"},
		{"not closed", "Do\n```go\nx", "// Do ```go x"},
		{"empty", "Do\n```\n```\nthen", "// Do\n//\n// then"},
		{"directives", "Do\n```\n//go:embed x\n+build x\n```", "// Do\n//\n//\t//go:embed x\n//\t'+build x"},
		{"items, which Go takes for a list", "Do\n```\n- a\n- b\n```", "// Do\n//\n//   - a\n//   - b"},
		{"invisible text", "Do\n```\na\u202eb\n```", "// Do\n//\n//\ta\\u{202E}b"},
	}
	for _, test := range tests {
		if got := docText(plan.Text{{Words: test.words}}); got != test.want {
			t.Errorf("%s is\n%s\nwant\n%s", test.name, got, test.want)
		}
		checkFormatted(t, test.words)
	}
}

// TestCodeBesideFields: code of one line beside a field loses its marks.
func TestCodeBesideFields(t *testing.T) {
	if got, ok := oneLine(plan.Text{{Words: "```go\n*float64\n```"}}, 40); !ok || got != "// *float64" {
		t.Errorf("got %q, %v", got, ok)
	}
	if got, ok := oneLine(plan.Text{{Words: "```\n+build x\n```"}}, 40); ok {
		t.Errorf("got %q", got)
	}
}
