package openrpc

import (
	"fmt"
	"testing"
)

func TestLabel(t *testing.T) {
	example := label{kind: "example", number: 3, method: `a"b`}
	for want, l := range map[string]label{
		"method 7":                                 {kind: "method", number: 7},
		`the result of "invoice.get"`:              {kind: "the result", method: "invoice.get"},
		`param 2 of "invoice.get"`:                 {kind: "param", number: 2, method: "invoice.get"},
		`param 1 of example 3 of "a\"b"`:           {kind: "param", number: 1, whole: &example},
		`the result of example 3 of "a\"b"`:        {kind: "the result", whole: &example},
		`alternative 2 of the result of "a\u2028"`: {kind: "alternative", number: 2, whole: &label{kind: "the result", method: "a\u2028"}},
	} {
		if got := fmt.Sprintf("%s", l); got != want {
			t.Errorf("%+v is %s, want %s", l, got, want)
		}
	}
}
