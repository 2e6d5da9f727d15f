package runtime

import (
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/internal/governance"
)

// TestGovernance shows the rows that the path of a call answers for.
func TestGovernance(t *testing.T) {
	governance.Run(t, ".", func(show governance.Show) {
		show("A6", "a resolver that turns", testRebindingResolver)
		show("A10", "redirects", testRedirects)
		show("A11", "a proxy that the binding names", testNamedProxy)
		show("A14", "an endpoint that was replaced", testReplacedPins)

		show("B1 B2 B4", "sizes and manners", testBoundMatrix)
		show("B3", "headers, interim answers, trailers", testHeaderBounds)
		show("B4", "one deadline", testDeadlineOfCalls)
		show("B5", "kinds of answers", testKindsOfAnswers)
		show("B6", "exactly one effect", testExactlyOneEffect)
		show("B7", "pinned addresses", testPinnedFailover)
		show("B8", "a request over the limit", testRequestBound)

		showErrors(show)
		showEnvelopes(show)
		showApprovals(show)
		showTraps(show)
	})
}
