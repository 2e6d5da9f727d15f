// Package effect is the vocabulary of authority: what a method does to the
// world, what a caller must hold to call it, and how its information may flow.
// It decides nothing; runtime/policy does. Start with Effect.
//
// The zero value of every type here is invalid on purpose: an effect that
// nobody stated is never taken for a read.
package effect

// Effect is what a method does to the world.
type Effect string

const (
	Read        Effect = "read"        // observes, changes nothing
	Write       Effect = "write"       // changes something that can be changed back or again
	Destructive Effect = "destructive" // may lose something for good
)

// Valid reports whether e is one of the three effects.
func (e Effect) Valid() bool { return e == Read || e == Write || e == Destructive }

// Right is what a caller must hold to call a method.
type Right string

const (
	RightRead    Right = "read"
	RightWrite   Right = "write"
	RightExecute Right = "execute"
)

// Valid reports whether r is one of the three rights.
func (r Right) Valid() bool { return r == RightRead || r == RightWrite || r == RightExecute }

// Decision is what an amendment or a rule says about a call.
type Decision string

const (
	Deny  Decision = "deny"  // refused
	Ask   Decision = "ask"   // needs an approval
	Allow Decision = "allow" // may be sent
)

// Valid reports whether d is one of the three decisions.
func (d Decision) Valid() bool { return d == Allow || d == Ask || d == Deny }

// Stricter returns the stricter of two decisions. Anything that is not a
// valid decision counts as Deny.
func Stricter(a, b Decision) Decision {
	switch {
	case !a.Valid() || !b.Valid() || a == Deny || b == Deny:
		return Deny
	case a == Ask || b == Ask:
		return Ask
	default:
		return Allow
	}
}

// Label classifies information, from least to most confined.
type Label string

const (
	Public       Label = "public"
	Internal     Label = "internal"
	Confidential Label = "confidential"
	Secret       Label = "secret"
)

// Rank orders labels: public 1, internal 2, confidential 3, secret 4.
// An invalid label ranks 0.
func (l Label) Rank() int {
	switch l {
	case Public:
		return 1
	case Internal:
		return 2
	case Confidential:
		return 3
	case Secret:
		return 4
	default:
		return 0
	}
}

// Valid reports whether l is one of the four labels.
func (l Label) Valid() bool { return l.Rank() > 0 }

// Flow labels what a method's params carry out and what its result brings in.
type Flow struct {
	Sends   Label `json:"sends"`
	Returns Label `json:"returns"`
}

// RollbackClass says whether an effect can be undone.
type RollbackClass string

const (
	RollbackNotRequired  RollbackClass = "not_required"
	RollbackReversible   RollbackClass = "reversible"
	RollbackIrreversible RollbackClass = "irreversible"
	RollbackUnknown      RollbackClass = "unknown"
)

// Valid reports whether c is one of the four classes.
func (c RollbackClass) Valid() bool {
	switch c {
	case RollbackNotRequired, RollbackReversible, RollbackIrreversible, RollbackUnknown:
		return true
	default:
		return false
	}
}

// Rollback describes how a method's effect may be undone.
type Rollback struct {
	Class RollbackClass `json:"class"`
	By    string        `json:"by,omitzero"` // wire name of the method that undoes it, with RollbackReversible only
}
