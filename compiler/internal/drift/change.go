// Package drift says what differs between two versions of a method, both in
// compiled form: member by member and keyword by keyword, with the place on
// both sides, and grouped by cause. One changed type that twenty methods reach
// is one cause that lists the twenty.
//
// It only explains. Whether an entry still holds is decided by the digests of
// its pin, never here; what moved a digest and cannot be seen in the compiled
// form is reported as such. Start with Compare.
package drift

// Kind says what happened.
type Kind string

const (
	ParamAdded     Kind = "param-added"
	ParamRemoved   Kind = "param-removed"
	ParamsReplaced Kind = "params-replaced" // no param of before is left
	ParamsOrder    Kind = "params-order"    // the same params in another order
	ParamsLayout   Kind = "params-layout"   // an array instead of an object, or the other way round
	AnswerChanged  Kind = "answer"          // a call became a notification, or the other way round
	ErrorAdded     Kind = "error-added"     // a declared error
	ErrorRemoved   Kind = "error-removed"   //
	MemberAdded    Kind = "member-added"    // a property of an object
	MemberRemoved  Kind = "member-removed"  //
	BecameRequired Kind = "became-required" // a param or a member
	BecameOptional Kind = "became-optional" //
	KeywordAdded   Kind = "keyword-added"   // a rule where there was none
	KeywordRemoved Kind = "keyword-removed" //
	KeywordChanged Kind = "keyword-changed" //
	BranchAdded    Kind = "branch-added"    // of allOf, anyOf or oneOf
	BranchRemoved  Kind = "branch-removed"  //
	BranchesOrder  Kind = "branches-order"  // of anyOf, whose branches are tried in order
	MethodAdded    Kind = "method-added"
	MethodRemoved  Kind = "method-removed"
	Unseen         Kind = "unseen" // a digest moved, and the compiled form does not show why
)

// Side is a set of directions in which a value travels.
type Side uint8

const (
	Request  Side = 1 << iota // what is sent
	Response                  // what comes back
)

// String names the side as people do.
func (s Side) String() string {
	switch s {
	case Request:
		return "request"
	case Response:
		return "response"
	case Request | Response:
		return "request and response"
	default:
		return "nowhere"
	}
}

// Change is one difference. The grade of a change and the value that proves it
// are a later addition to this type.
type Change struct {
	Kind    Kind
	Path    string // where, as a JSON pointer from the cause's type or method: "/properties/total"
	Name    string // the param, member, error code, keyword or branch that it is about
	Was     End
	Now     End
	Side    Side
	changed string // text that tells this change from others; "" is Was and Now
	order   string // where it stands: of a positional param, which is not the same in all methods
}

// End is one version of what changed.
type End struct {
	Node string // id of the schema node that says it; "" when there is none
	Text string // a short form for people; "" when there is nothing
}

// Cause is one reason why methods differ, and one question to whoever reviews
// them. A method may have several.
type Cause struct {
	Parts   []*Part
	Methods []Reach // of all parts, in the order in which they were given
}

// Part is a changed type, or one change that methods themselves share.
type Part struct {
	Type    string   // name or place of the type; "" when the methods themselves changed
	Copies  []string // ids of types that are spelled alike and changed alike; Type is the first
	Changes []Change
	Methods []Reach // those of the cause that it reaches
}

// Reach is a method that a cause reaches.
type Reach struct {
	Method   string
	Side     Side
	Was, Now string // what the method says there, where a change is not the same in all methods
}

// Names returns the methods' names.
func (c *Cause) Names() []string {
	names := make([]string, len(c.Methods))
	for i, m := range c.Methods {
		names[i] = m.Method
	}
	return names
}

// Side is every side on which the cause reaches a method.
func (c *Cause) Side() Side {
	var s Side
	for _, m := range c.Methods {
		s |= m.Side
	}
	return s
}
