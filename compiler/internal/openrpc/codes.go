package openrpc

// Codes of the faults that this package reports, beside those of references
// and of param structures.
const (
	CodeNotOpenRPC         = "not-openrpc"         // no document of this format
	CodeTwoKinds           = "two-kinds"           // a document of two formats at once
	CodeUnsupportedVersion = "unsupported-version" // a version that is not read here
	CodeEndpointID         = "endpoint-id"         // the id given to the contract is none
	CodeMissingMethods     = "missing-methods"     // no list of methods
	CodeMissingInfo        = "missing-info"        // no title or version
	CodeWrongType          = "wrong-type"          // a value of another kind than OpenRPC wants
	CodeUnknownMember      = "unknown-member"      // a member that OpenRPC does not know; part of the wire digest
	CodeGrantIgnored       = "grant-ignored"       // an extension that looks as if it granted something
	CodeRefSibling         = "ref-sibling"         // a member beside $ref that is not read
	CodeMissingName        = "missing-name"        // a method without a name
	CodeReservedName       = "reserved-name"       // a method that calls itself rpc.something
	CodeDuplicateMethod    = "duplicate-method"    // one name for two meanings; neither is used
	CodeRepeatedMethod     = "repeated-method"     // the same method twice, word for word
	CodeParamStructure     = "param-structure"     // no structure that OpenRPC knows
	CodeMissingParams      = "missing-params"      // a method that does not list its params
	CodeDuplicateParam     = "duplicate-param"     // two params of one name
	CodeNestedParams       = "nested-params"       // one param called params
	CodeMissingSchema      = "missing-schema"      // a content descriptor without schema
	CodeDescriptorOneOf    = "descriptor-one-of"   // oneOf in place of a content descriptor where it may not stand
	CodeMissingResult      = "missing-result"      // no result where the version requires one
	CodeNotification       = "notification"        // no result where that means a notification
	CodeDiscoveryRaw       = "discovery-raw"       // rpc.discover, typed as raw JSON
	CodeErrorCode          = "error-code"          // a declared error without a code that can be used
	CodeMissingMessage     = "missing-message"     // a declared error without a message
	CodeDuplicateError     = "duplicate-error"     // one code for two kinds of data
	CodeRepeatedError      = "repeated-error"      // one code for two messages; the first is kept
	CodeMissingURL         = "missing-url"         // a server that is nowhere
	CodeServerVariable     = "server-variable"     // a variable of a server's URL that cannot be used
	CodeMissingValue       = "missing-value"       // an example of nothing
	CodeLinksUnsupported   = "links-unsupported"   // links, which nothing here follows
)
