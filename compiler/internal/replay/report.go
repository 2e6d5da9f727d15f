package replay

import (
	"github.com/openrpc-go/rpcgen/compiler/internal/traffic"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// Totals count what a report holds. A side is counted once.
type Totals struct {
	Files     int // that held traffic
	Exchanges int
	Skipped   int

	RequestsFit         int
	RequestsMisfit      int
	RequestsUnsupported int
	// Refused counts the misfit requests whose response is an error: what a
	// recording of a server's own refusals shows.
	Refused int

	ResponsesFit         int
	ResponsesMisfit      int
	ResponsesUnsupported int
	ResponsesUnjudged    int
	ErrorsDeclared       int
	ErrorsUndeclared     int
	NotRecorded          int
}

// Report sums verdicts up.
type Report struct {
	Verdicts []*Verdict
	Skipped  []traffic.Skip
	Totals   Totals

	methods []*compiled.Method
	seen    map[string]bool
}

// NewReport returns an empty report about a contract.
func NewReport(c *compiled.Contract) *Report {
	return &Report{methods: c.Methods, seen: map[string]bool{}}
}

// Skip adds what was passed over.
func (r *Report) Skip(skipped ...traffic.Skip) {
	r.Skipped = append(r.Skipped, skipped...)
	r.Totals.Skipped += len(skipped)
}

// File adds the verdicts on the exchanges of one file.
func (r *Report) File(verdicts []*Verdict) {
	if len(verdicts) > 0 {
		r.Totals.Files++
	}
	for _, v := range verdicts {
		r.Verdicts = append(r.Verdicts, v)
		r.seen[v.Method] = true
		r.Totals.Exchanges++
		r.Totals.request(v)
		r.Totals.response(v.Response)
	}
}

func (t *Totals) request(v *Verdict) {
	switch v.Request {
	case Fit:
		t.RequestsFit++
	case Unsupported:
		t.RequestsUnsupported++
	case Misfit:
		t.RequestsMisfit++
		if v.Response == Declared || v.Response == Undeclared {
			t.Refused++
		}
	default:
		panic("no state of a request: " + string(v.Request))
	}
}

func (t *Totals) response(s State) {
	switch s {
	case Fit:
		t.ResponsesFit++
	case Misfit:
		t.ResponsesMisfit++
	case Unsupported:
		t.ResponsesUnsupported++
	case Unjudged:
		t.ResponsesUnjudged++
	case Declared:
		t.ErrorsDeclared++
	case Undeclared:
		t.ErrorsUndeclared++
	case None:
		t.NotRecorded++
	default:
		panic("no state of a response: " + string(s))
	}
}

// Holds reports whether every exchange fits.
func (r *Report) Holds() bool {
	for _, v := range r.Verdicts {
		if !v.Holds() {
			return false
		}
	}
	return true
}

// Never lists the methods of the contract that no request names, in document
// order.
func (r *Report) Never() []string {
	var names []string
	for _, m := range r.methods {
		if !r.seen[m.Name] {
			names = append(names, m.Name)
		}
	}
	return names
}
