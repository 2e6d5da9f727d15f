package compiled

import "github.com/openrpc-go/rpcgen/runtime/schema"

// Terms are what the amendment asks for beyond who may call: each is a feature
// that a runtime must enforce, or else not call the method. The zero value
// asks for nothing.
type Terms struct {
	// AllowIf lets agents call without being asked when it admits the params,
	// an object; for all other params Authority.Agents holds. nil: it always does.
	AllowIf *schema.Node `json:"-"`
	Budget  *Budget      `json:"budget,omitzero"`
	Limits  *Limits      `json:"limits,omitzero"`
	// IdempotencyKey is the pointer, into the params, of the text by which the
	// service recognises a repeated call.
	IdempotencyKey string    `json:"idempotency_key,omitzero"`
	ReadBack       *ReadBack `json:"read_back,omitzero"`
}

// Budget is how many calls may be made within any span of time.
type Budget struct {
	Calls   int64 `json:"calls"`       // at least 1
	Seconds int64 `json:"per_seconds"` // at least 1
}

// Limits tighten those of the binding for one method; 0 leaves a limit alone.
type Limits struct {
	RequestBytes  int64 `json:"request_bytes,omitzero"`
	ResponseBytes int64 `json:"response_bytes,omitzero"`
	Milliseconds  int64 `json:"timeout_ms,omitzero"` // for a whole call
}

// ReadBack is the read that shows what a write did.
type ReadBack struct {
	Method string    `json:"method"` // wire name
	Params []Carried `json:"params"` // sorted by name
}

// Carried is a param of a read-back and the pointer to its value: below
// /params or /result of the write.
type Carried struct {
	Name string `json:"name"`
	From string `json:"from"`
}

// Feature is a member of an amendment that a call must be held to.
type Feature string

const (
	FeatureAllowIf     Feature = "allow_if"
	FeatureBudget      Feature = "budget"
	FeatureLimits      Feature = "limits"
	FeatureIdempotency Feature = "idempotency"
	FeatureReadBack    Feature = "read_back"
)

// Features lists what the terms ask for.
func (t *Terms) Features() []Feature {
	var all []Feature
	add := func(f Feature, asked bool) {
		if asked {
			all = append(all, f)
		}
	}
	add(FeatureAllowIf, t.AllowIf != nil)
	add(FeatureBudget, t.Budget != nil)
	add(FeatureLimits, t.Limits != nil)
	add(FeatureIdempotency, t.IdempotencyKey != "")
	add(FeatureReadBack, t.ReadBack != nil)
	return all
}

// enforced holds the features that package runtime of this very release holds
// calls to. Whoever builds one there adds it here.
var enforced = map[Feature]bool{FeatureAllowIf: true, FeatureBudget: true, FeatureLimits: true, FeatureIdempotency: true, FeatureReadBack: true}

// Unenforced lists what the terms ask for and no runtime of this release
// enforces. While there is any, the method must be refused: an owner who wrote
// a budget must never believe that it holds when it does not.
func (t *Terms) Unenforced() []Feature {
	var all []Feature
	for _, f := range t.Features() {
		if !enforced[f] {
			all = append(all, f)
		}
	}
	return all
}
