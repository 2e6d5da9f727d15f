package amendment

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// Codes of the diagnostics of this package, beside those of package fields.
const (
	Contradiction      = "contradiction"       // members that cannot stand together
	UnsupportedVersion = "unsupported-version" // a format that this release does not know
	BadName            = "bad-name"            // a name of ours that is no id
	BadPin             = "bad-pin"             // a pin that no tool of ours wrote
	BadDate            = "bad-date"            // a date that is no day of the calendar
	UnknownProfile     = "unknown-profile"     // use names no profile
	Untrusted          = "untrusted-amendment" // a file that someone else could have written
	OtherContract      = "other-contract"      // written for a contract of another id
	StaleEntry         = "stale-entry"         // the contract has moved since the pin
	MissingPin         = "missing-pin"         // stale as well: written for no shape at all
	ResultMoved        = "result-moved"        // open for Go callers, closed to agents
	OrphanEntry        = "orphan-entry"        // no such method
	UncompiledEntry    = "uncompiled-entry"    // the method could not be compiled
	ClosedNotification = "closed-notification" // an entry without notification: allow
	NoNotification     = "no-notification"     // notification: allow for a method that is answered
	UnknownRollback    = "unknown-rollback-by" // rollback names no method of the contract
	BadRule            = "bad-rule"            // allow_if does not say what it seems to say
	BadPlace           = "bad-place"           // a pointer to something that params or result do not have
	BadReadBack        = "bad-read-back"       // a read-back that cannot be called with what it is given
	LostReadBack       = "lost-read-back"      // one that the contract has moved away from
	LostPlace          = "lost-place"          // a pointer that the contract has moved away from
	TextMoved          = "text-moved"          // the words have changed since they were read
	NameTaken          = "name-taken"          // two methods of one logical id or Go name
	StructureStated    = "structure-stated"    // the document says itself how params travel
	NotEnforced        = "not-enforced"        // no runtime of this release holds calls to it
)

// File is an amendment without faults. It is a finished value.
type File struct {
	Contract    string
	Review      Review
	Entries     []*Entry // in file order, one a method
	Corrections []*correct.Correction
	Source      *source.File

	contract *source.Node // the value of the contract member
}

// Mends returns the corrections; a nil file has none.
func (f *File) Mends() []*correct.Correction {
	if f == nil {
		return nil
	}
	return f.Corrections
}

// Entry is the owner's decision about one method.
type Entry struct {
	Method   string // wire name
	Use      string // profile the entry was written with; "" for a full entry
	Refused  string // why the method is refused; "" when it is classified
	Pin      pin.Pin
	Pinned   bool   // false: the entry has no pin and opens nothing
	Standing string // why agents may write without being asked
	Note     string
	Review   Review

	// Granted is what the entry gives while its pin fits: State Open and
	// every default filled in. It is the zero value for a refused method.
	Granted compiled.Authority

	Node *source.Node // the entry's value
	name int          // offset of the entry's name in the file

	// What is held against the contract by Join, as it is written.
	rule       *source.Node // allow_if
	ruleShared bool         // and it is that of a profile
	structure  stated[contract.ParamStructure]
	noParams   stated[string]
	id, goName stated[string]
	key        *pointing // idempotency.key
	back       *readBack
	exact      []pointing
}

// Position returns where the entry's name stands.
func (e *Entry) Position() source.Position { return e.Node.File.Position(e.name) }

// Review says who decided, when, and until when it holds. Dates are days of
// the calendar in UTC, "2027-05-31"; "" when not stated.
type Review struct {
	By, On, Until string
}

// over returns r with what is not stated taken from base.
func (r Review) over(base Review) Review {
	if r.By == "" {
		r.By = base.By
	}
	if r.On == "" {
		r.On = base.On
	}
	if r.Until == "" {
		r.Until = base.Until
	}
	return r
}
