package runtime

import (
	"context"

	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/policy"
	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/transport"
)

// The names that hosts need most, so that most of them import one package.
type (
	// Secret is where a header value comes from; it prints as [redacted].
	Secret = transport.Secret
	// Header is a header that every request to an endpoint carries.
	Header = transport.Header
	// Proxy is a forward proxy that a binding names.
	Proxy = transport.Proxy
	// SignFunc signs requests of an endpoint.
	SignFunc = transport.SignFunc
	// Outgoing is the final request, as a SignFunc sees it.
	Outgoing = transport.Outgoing
	// Field is a header that a SignFunc adds.
	Field = transport.Field
	// Limits bound every exchange with an endpoint.
	Limits = transport.Limits
	// Kind says what kind of caller a principal is.
	Kind = policy.Kind
	// Grant gives rights on a resource.
	Grant = policy.Grant
	// Rule is a rule of the host; it can only tighten.
	Rule = policy.Rule
	// Query is what a Rule decides about.
	Query = policy.Query
	// Verdict is what a Rule says.
	Verdict = policy.Verdict
	// Observer is told of calls before their first byte, and how they ended.
	Observer = outcome.Observer
	// Decision is a person's answer to an approval.
	Decision = store.Decision
)

// The two kinds of principals.
const (
	Code  = policy.Code
	Agent = policy.Agent
)

// FromEnv takes a secret from an environment variable at every call.
func FromEnv(name string) Secret { return transport.Env(name) }

// FromFile takes a secret from a file at every call.
func FromFile(path string) Secret { return transport.File(path) }

// FromFunc takes a secret from f at every call; name stands for it in digests.
func FromFunc(name string, f func(context.Context) (string, error)) Secret {
	return transport.Func(name, f)
}

// Full grants every right on the record and on all methods of one endpoint:
// what a host gives the code that owns the endpoint. What the amendment closes
// stays closed.
func Full(endpoint string) []Grant {
	all := []effect.Right{effect.RightRead, effect.RightWrite, effect.RightExecute}
	return []Grant{
		{Resource: "jsonrpc_endpoint:" + endpoint, Rights: all[:1]},
		{Resource: "http_endpoint:" + endpoint, Rights: all[:1]},
		{Resource: "jsonrpc:" + endpoint + ":*", Rights: all},
		{Resource: "http:" + endpoint + ":*", Rights: all},
	}
}
