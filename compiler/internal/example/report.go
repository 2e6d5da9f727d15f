package example

import (
	"errors"
	"fmt"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
)

// report says why a value does not fit: at the innermost place that is wrong.
func (k *checking) report(value *source.Node, err error, what string) {
	misfit, ok := errors.AsType[*rt.Error](err)
	if !ok || len(misfit.Causes) == 0 {
		if _, gaveUp := errors.AsType[*rt.BudgetError](err); gaveUp {
			k.left.Stuck--
		}
		k.found.Add(diag.Warn(value, CodeUndecided, "%s could not be checked: %s", what, clip(err.Error())))
		return
	}
	cause := misfit.Causes[0]
	if k.broken[cause.Schema] {
		return // the fault of the schema is told where it stands
	}
	at, err := value.At(source.Pointer(cause.Pointer))
	if err != nil {
		at = value
	}
	expected := cause.Expected
	if cause.Keyword == "false" && at != value {
		expected = "no such value"
	}
	d := diag.Warn(at, k.code, "%s does not fit its schema: expected %s, found %s (%s of %q)",
		what, expected, found(at, cause), cause.Keyword, clip(cause.Schema))
	if n := len(misfit.Causes) - 1 + misfit.More; n > 0 {
		d.Message += fmt.Sprintf(", and %d more", n)
	}
	k.found.Add(d.WithAdvice(advice[k.code]))
}

// Found reports whether a code is of a value that does not fit.
func Found(code string) bool {
	switch code {
	case CodeMismatch, CodeDefault, CodeParams, CodeUndecided:
		return true
	}
	return false
}

var advice = map[string]string{
	CodeMismatch: "correct the example or the schema; if the schema is wrong, answers of the server will not fit it either",
	CodeDefault:  "correct the default or the schema; a default is never sent, and only told to readers",
}

// found describes the value that is wrong so that a reader recognises it: most
// mismatches are somewhere within a long list of such values.
func found(at *source.Node, cause rt.Cause) string {
	switch {
	case at.Kind == source.String && !strings.HasPrefix(cause.Found, `"`):
		const shown = 20
		return fmt.Sprintf("a string that begins with %q", strings.ToValidUTF8(at.Text[:min(shown, len(at.Text))], ""))
	case at.Kind == source.Object && len(at.Members) > 0:
		return fmt.Sprintf("an object that begins with %q", clip(at.Members[0].Name))
	case cause.Found == "":
		return at.Kind.String()
	default:
		return cause.Found
	}
}

// clip bounds what a message repeats of the document.
func clip(text string) string {
	const most = 120
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}
