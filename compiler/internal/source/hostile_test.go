package source_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// bomb returns a document of a few lines that means ten to the power of n values.
func bomb(n int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return b.String()
}

// slow tells what grows out of hand from what shares its machine: every case
// takes about a second, and would take minutes if it were quadratic.
const slow = 30 * time.Second

// TestHostile refuses text that is small to write and large to read, quickly.
func TestHostile(t *testing.T) {
	const deep = 20_000
	tests := []struct {
		name, in string
		limits   source.Limits
		code     string
	}{
		{name: "deep arrays", in: strings.Repeat("[", deep) + strings.Repeat("]", deep), code: source.CodeTooDeep},
		{name: "deep objects", in: strings.Repeat(`{"a":`, deep) + "1" + strings.Repeat("}", deep), code: source.CodeTooDeep},
		{name: "deep and cut", in: strings.Repeat("[", deep), code: source.CodeTooDeep},
		{name: "deep flow", in: "a: " + strings.Repeat("[", deep) + strings.Repeat("]", deep), code: source.CodeTooDeep},
		{name: "deep flow maps", in: "a: " + strings.Repeat("{a: ", deep), code: source.CodeTooDeep},
		{name: "deep dashes", in: strings.Repeat("- ", deep) + "x", code: source.CodeTooDeep},
		{name: "deep questions", in: strings.Repeat("? ", deep) + "x", code: source.CodeTooDeep},
		{name: "deep block", in: staircase(1000), code: source.CodeTooDeep},
		{name: "deep through aliases", in: chain(100), limits: source.Limits{Depth: 50}, code: source.CodeTooDeep},
		{name: "alias bomb", in: bomb(9), code: source.CodeTooManyNodes},
		{name: "alias bomb of millions", in: bomb(6), code: source.CodeTooManyNodes},
		{name: "alias bomb beyond numbers", in: bomb(200), code: source.CodeTooManyNodes},
		{name: "many values", in: "[" + strings.Repeat("0,", 5_000_000) + "0]", code: source.CodeTooManyNodes},
		{name: "many yaml values", in: "a: [" + strings.Repeat("0,", 9_000_000) + "0]", code: source.CodeTooManyNodes},
		{name: "few values allowed", in: "[1,2,3]", limits: source.Limits{Nodes: 3}, code: source.CodeTooManyNodes},
		{name: "few yaml values allowed", in: "- 1\n- 2\n- 3\n", limits: source.Limits{Nodes: 3}, code: source.CodeTooManyNodes},
		{name: "few levels allowed", in: "[[[]]]", limits: source.Limits{Depth: 2}, code: source.CodeTooDeep},
		{name: "few bytes allowed", in: "[   ]", limits: source.Limits{Bytes: 4}, code: source.CodeTooLarge},
		{name: "hundred mebibytes", in: strings.Repeat(" ", 100<<20), code: source.CodeTooLarge},
		{name: "alias storm", in: "a: &a x\nb: [" + strings.Repeat("*a,", 100_000) + "*b]", code: source.CodeSyntaxYAML},
		{name: "dollar", in: strings.Repeat("\"", 100_001), code: source.CodeSyntaxYAML},
		{name: "one long line", in: "a: [" + strings.Repeat("ä, ", 300_000) + "}", code: source.CodeSyntaxYAML},
		{name: "comments", in: strings.Repeat("#\n", 500_000), code: source.CodeEmpty},
		{name: "comments before values", in: "a:\n" + strings.Repeat("  # x\n  - 1\n", 50_000) + "}", code: source.CodeSyntaxYAML},
		{name: "anchors", in: strings.Repeat("&a ", 100_000), code: source.CodeSyntaxYAML},
		{name: "tags", in: strings.Repeat("!a ", 100_000), code: source.CodeSyntaxYAML},
		{name: "keys without end", in: strings.Repeat("a: ", 100_000), code: source.CodeSyntaxYAML},
		{name: "documents", in: strings.Repeat("---\n", 200_000), code: source.CodeSecondDocument},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			_, err := source.Read("doc", []byte(tt.in), tt.limits)
			if took := time.Since(start); took > slow {
				t.Errorf("took %v", took)
			}
			e, ok := err.(*source.Error)
			if !ok || e.Code != tt.code {
				t.Errorf("got %v, want %s", err, tt.code)
			}
		})
	}
}

func staircase(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// chain is nested one level deeper with each alias and never in the text.
func chain(n int) string {
	var b strings.Builder
	b.WriteString("- &a0 [x]\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "- &a%d [*a%d]\n", i, i-1)
	}
	return b.String()
}

func TestLimitsAreExact(t *testing.T) {
	tests := []struct {
		in     string
		limits source.Limits
	}{
		{"[1,2,3]", source.Limits{Nodes: 4}},
		{"- 1\n- 2\n- 3\n", source.Limits{Nodes: 4}},
		{"a: &a [1]\nb: *a\n", source.Limits{Nodes: 5}},
		{"[[]]", source.Limits{Depth: 2}},
		{"- - x\n", source.Limits{Depth: 2}},
		{"a:\n- b:\n  - c\n", source.Limits{Depth: 4}},
		{"[   ]", source.Limits{Bytes: 5}},
		{strings.Repeat("[", 200) + strings.Repeat("]", 200), source.Limits{}},
		{strings.Repeat("- ", 200) + "x", source.Limits{}},
	}
	for _, tt := range tests {
		if _, err := source.Read("doc", []byte(tt.in), tt.limits); err != nil {
			t.Errorf("Read(%.20q, %+v) = %v", tt.in, tt.limits, err)
		}
	}
}

// TestReturnsErrorType keeps a nil *Error from becoming a non-nil error.
func TestReturnsErrorType(t *testing.T) {
	for _, in := range []string{"{}", "a: 1", "[", "a: ["} {
		f, err := source.Read("doc", []byte(in), source.Limits{})
		if (f == nil) == (err == nil) {
			t.Errorf("Read(%q) = %v, %v", in, f, err)
		}
	}
}
