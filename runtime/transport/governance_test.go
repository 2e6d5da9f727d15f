package transport

import (
	"testing"

	"github.com/openrpc-go/rpcgen/runtime/internal/governance"
)

// TestGovernance shows the rows that a transport answers for.
func TestGovernance(t *testing.T) {
	governance.Run(t, "transport", func(show governance.Show) {
		show("A1", "private, loopback, link-local, metadata", classifies("A1"))
		show("A1 T39", "what a host allows, by the rules of dialling", testJudge)
		show("A1 A13 T10 T39", "registration refuses what a call would", testNewRefuses)
		show("A2 T37", "shared, reserved, documentation, metadata", classifies("A2"))
		show("A3 T37", "mapped", classifies("A3"))
		show("A4 T37", "transition and special prefixes", classifies("A4"))
		show("A5 T40", "zones", classifies("A5"))
		show("A5 T40", "zones in URLs", parses("A5"))
		show("A6 T36 T38", "every answer is judged", testAnswers)
		show("A6 T36", "a name that leads elsewhere the second time", testRebinding)
		show("A7 T40", "hosts that could be addresses", parses("A7"))
		show("A8 T40", "one form of a URL", parses("A8"))
		show("A9 T40", "ASCII only", parses("A9"))
		show("A10 T32", "redirects and cookies", testStatuses)
		show("A11 A15 T32", "an environment that names proxy, roots, keys", testAmbient)
		show("A11", "a proxy sees a tunnel", testProxyTunnel)
		show("A11", "a proxy that opens none", testProxyFailures)
		show("A11 C1", "a proxy that leads elsewhere", testProxyLeadsElsewhere)
		show("A11 B7", "fail-over through a proxy", testProxyFailover)
		show("A11 B6", "one effect through a proxy", testProxyNoReplay)
		show("A11 A1", "the address of a proxy", testProxyAddress)
		show("A11 C3 C6 C7", "the credential of a proxy", testProxyCredential)
		show("A11", "a proxy counts in the digest", testProxyParts)
		show("A12", "the host is the URL's", testRequestBytes)
		show("A13", "schemes", parses("A13"))

		show("B1 T34", "sizes and framings", bounds("B1"))
		show("B2 T32 T34", "encodings", bounds("B2"))
		show("B3 T42", "headers, interim answers, trailers", bounds("B3"))
		show("B4 T35", "one deadline, silent and dripping", testDeadlineAndCancel)
		show("B4 T35", "one deadline, at every stage", testDeadlineAtEveryStage)
		show("B5", "kinds of answers", bounds("B5"))
		show("B6 T33", "one effect", testOneEffect)
		show("B6 T33", "idempotency keys are no headers", testNoKeyHeaders)
		show("B6 T33", "connections that went bad", testBadConnections)
		show("B7 T41", "fail-over while nothing was sent", testFailover)
		show("B8", "a request over the limit", testRequestLimit)
		show("B9", "a bounded number at a time", testInFlight)
		show("T42", "an answer before the request was read", testEarlyAnswer)

		show("C1 T32", "names, keys and HTTP/2", testTLS)
		show("C1", "versions", testTLSVersion)
		show("C1 C2", "certificates and what they say", testCertificates)
		show("C1", "client certificates", testClientCertificates)
		show("C3", "sources and values", testSecretSources)
		show("C3", "once and last", testSecretsOnceAndLast)
		show("C4", "header names", testHeaderNames)
		show("C5", "no error holds a URL", testErrorsHoldNoURL)
		show("C6", "a secret that came back", testReflected)
		show("C7", "every verb and encoding", testSecretsPrintRedacted)
	})
}
