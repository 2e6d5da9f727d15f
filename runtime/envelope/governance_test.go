package envelope

import (
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/internal/governance"
)

// TestGovernance shows the rows that the reader of envelopes answers for.
func TestGovernance(t *testing.T) {
	governance.Run(t, "envelope", func(show governance.Show) {
		show("J1 T43 T50", "what is no JSON", reads("J1"))
		show("J2 T43", "members that come twice", reads("J2"))
		show("J3", "depth, digits, exponents", reads("J3"))
		show("J4 T43", "names in another case", reads("J4"))
		show("J5 T44", "exactly one of result and error", reads("J5"))
		show("J5 J6 T44", "what a binding may admit", testTolerance)
		show("J6", "the version", reads("J6"))
		show("J7 T45", "the id", reads("J7"))
		show("J7 T46", "the error of no request in particular", testRemoteErrorOfAWrongID)
		show("J7", "ids are random and our own", testNewID)
		show("J8", "other messages", reads("J8"))
		show("J9 T47", "error objects", reads("J9"))
		show("J9 T47", "bounds of error objects", testErrorBounds)
		show("J10", "names that are special elsewhere", reads("J10"))
		show("J11", "numbers", reads("J11"))
	})
}

// Forms that are valid whatever else they show.
func TestValidForms(t *testing.T) { reads("valid")(t) }
