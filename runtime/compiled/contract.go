// Package compiled is the format of contract.json, the compiled contract that
// a generated package embeds: methods, effects, digests and dialect-free
// schemas. The compiler writes it, the runtime reads it lazily, section by
// section. It decides nothing. Start with Contract and Marshal, or Read.
package compiled

import (
	"github.com/openrpc-go/rpcgen/runtime/effect"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// Generation is the version of the format. Read refuses any other.
const Generation = 1

// Contract is everything a host or a tool needs to know about a document and
// its amendment. It is a finished value: do not change it after Marshal or Read.
type Contract struct {
	Header
	Methods []*Method // in document order
}

// Header is the first section of contract.json.
type Header struct {
	Format     int    `json:"rpcgen"`   // Generation; Marshal fills it in
	ID         string `json:"contract"` // endpoint id of the config
	Protocol   string `json:"protocol"` // "jsonrpc" or "http"
	Title      string `json:"title,omitzero"`
	Version    string `json:"version,omitzero"`
	Document   Source `json:"document"`
	Amendment  string `json:"amendment,omitzero"` // sha256 of the amendment's bytes; "" when there is none
	Digest     string `json:"digest"`             // contract digest over all methods' digests
	DefaultURL string `json:"default_server,omitzero"`
}

// Source says what the contract was compiled from.
type Source struct {
	Kind    string `json:"kind"`    // "openrpc" or "openapi"
	Version string `json:"version"` // of the specification, as the document writes it
	Digest  string `json:"digest"`  // sha256 of the document's bytes
}

// State is what the amendment made of a method.
type State string

const (
	Open       State = "open"       // classified, pin fits
	Refused    State = "refused"    // the owner decided against it
	Undecided  State = "undecided"  // no entry
	Stale      State = "stale"      // the entry was written for another shape
	Uncompiled State = "uncompiled" // the method could not be compiled
)

// Method is one method of a compiled contract.
type Method struct {
	Name         string  `json:"name"` // wire name
	ID           string  `json:"id"`   // logical id, [a-z0-9_]{1,64}
	GoName       string  `json:"go_name,omitzero"`
	Summary      string  `json:"summary,omitzero"` // the document's words: untrusted
	Deprecated   bool    `json:"deprecated,omitzero"`
	Digests      Digests `json:"digests"`
	Positional   bool    `json:"positional,omitzero"` // params travel as an array
	Params       []Param `json:"params,omitzero"`     // declared order
	NoParams     string  `json:"no_params,omitzero"`  // "omit" (default) or "empty"
	Notification bool    `json:"notification,omitzero"`
	Errors       []Error `json:"errors,omitzero"`

	// Annotations are members of the document that are part of the wire or
	// result digest and of nothing else here, by their place in the method:
	// "/params/id/style". They are for showing what moved.
	Annotations []schema.Annotation `json:"annotations,omitzero"`

	Authority   Authority    `json:"authority"`
	Diagnostics []Diagnostic `json:"diagnostics,omitzero"` // why it is Uncompiled

	// ParamsNode is a closed object of the params by name; nil without params.
	// ResultNode is nil for a notification. Both are nil when Uncompiled.
	ParamsNode *schema.Node `json:"-"`
	ResultNode *schema.Node `json:"-"`
}

// Digests are the four digests of a method; DESIGN section 3.
type Digests struct {
	Wire   string `json:"wire"`
	Result string `json:"result"`
	Text   string `json:"text"`
	Doc    string `json:"doc"`
}

// Param is one declared param.
type Param struct {
	Name     string `json:"name"`
	Required bool   `json:"required,omitzero"`
}

// Error is a declared error. Data is nil when the document declares none.
type Error struct {
	Code    int64        `json:"code"`
	Message string       `json:"message,omitzero"`
	Data    *schema.Node `json:"-"`
}

// Diagnostic is a refusal kept for whoever asks why a method is missing.
type Diagnostic struct {
	Code    string `json:"code"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

// Authority is the amendment's word on a method, defaults filled in. Only
// State is set unless State is Open (Refused and Stale also carry Reason).
type Authority struct {
	State      State           `json:"state"`
	Effect     effect.Effect   `json:"effect,omitzero"`
	Right      effect.Right    `json:"right,omitzero"`
	Code       effect.Decision `json:"code,omitzero"`   // for Go callers
	Agents     effect.Decision `json:"agents,omitzero"` // for tool callers
	Flow       effect.Flow     `json:"flow,omitzero"`
	Rollback   effect.Rollback `json:"rollback,omitzero"`
	Idempotent bool            `json:"idempotent,omitzero"`
	ClosedTo   []string        `json:"closed_to,omitzero"` // caller kinds that lost it: "agent" when only the result moved
	Closed     bool            `json:"closed_world,omitzero"`
	Report     bool            `json:"report_results,omitzero"` // results: report
	Notify     bool            `json:"notify,omitzero"`         // notification: allow
	Until      string          `json:"until,omitzero"`          // last valid day, "2027-05-31", UTC
	Reason     string          `json:"reason,omitzero"`
	Text       string          `json:"description,omitzero"` // the owner's text for models
	TextRead   string          `json:"text_read,omitzero"`   // the text digest up to which remote words may be shown to models

	Terms // only while Open
}
