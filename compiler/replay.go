package compiler

import (
	"fmt"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/replay"
	"github.com/openrpc-go/rpcgen/compiler/internal/traffic"
)

// maxReplayed bounds the exchanges and skipped entries of one run, whose
// verdicts are kept.
const maxReplayed = 1_000_000

// Replay holds recorded traffic against the contract; paths name files and
// folders. It needs a compilation that did not fail. When a file cannot be
// read there is no result: its fault is a diagnostic, or an error when it is
// about the machine. The formats are those of package traffic: .io, JSON Lines,
// a request and its response in one JSON object, HTTP archives.
func (c *Compilation) Replay(paths []string) (*Replayed, Diagnostics, error) {
	judge, err := replay.New(c.Sealed, replay.Options{Either: c.either()})
	if err != nil {
		return nil, Diagnostics{}, err
	}
	files, skipped, err := traffic.List(paths, traffic.Limits{})
	if err != nil {
		return nil, Diagnostics{}, err
	}
	report, faults := replay.NewReport(c.Sealed), diag.List(nil)
	report.Skip(skipped...)
	for _, file := range files {
		log, err := file.Read(traffic.Limits{})
		if err != nil {
			if !faults.AddError(err) {
				return nil, Diagnostics{}, err
			}
			continue
		}
		report.Skip(log.Skipped...)
		report.File(judgeAll(judge, log))
		if report.Totals.Exchanges+report.Totals.Skipped > maxReplayed {
			return nil, Diagnostics{}, fmt.Errorf("more than %d exchanges: replay the files in several runs", maxReplayed)
		}
	}
	if faults.HasErrors() {
		return nil, Diagnostics{list: faults.Sort()}, nil
	}
	return c.replayed(report), Diagnostics{}, nil
}

func judgeAll(r *replay.Replayer, log *traffic.Log) []*replay.Verdict {
	verdicts := make([]*replay.Verdict, len(log.Exchanges))
	for i, x := range log.Exchanges {
		verdicts[i] = r.Judge(x)
	}
	return verdicts
}

// either has the methods whose params may travel both ways.
func (c *Compilation) either() map[string]bool {
	names := map[string]bool{}
	for _, m := range c.Contract.Methods {
		if m.Structure == contract.Either {
			names[m.Name] = true
		}
	}
	return names
}

// Foreign is text of a document or a recording. As JSON it is written so that
// a terminal and a CI log show it and do nothing else; the value is exact.
type Foreign string

// MarshalJSON returns the text as a JSON string.
func (f Foreign) MarshalJSON() ([]byte, error) { return []byte(diag.Quote(string(f))), nil }

// String returns the text for a terminal.
func (f Foreign) String() string { return diag.Escape(string(f)) }

// Replayed is what the traffic says about a contract. Its JSON is stable:
// members may be added, none changes its meaning. No recorded text of more than
// eight bytes is in it; numbers are, and names of methods and members.
type Replayed struct {
	Contract string `json:"contract"`
	Digest   string `json:"digest"`
	// Fits: every request and response fits the contract. Errors that a method
	// does not declare, and responses that were not recorded, are no misfits.
	Fits      bool             `json:"fits"`
	Totals    ReplayTotals     `json:"totals"`
	Never     []Foreign        `json:"never_exercised"` // methods without a request, in document order
	Skipped   []SkippedTraffic `json:"skipped"`
	Exchanges []ReplayExchange `json:"exchanges"` // in the order of the files, then of the requests
}

// ReplayTotals count exchanges.
type ReplayTotals struct {
	Files     int             `json:"files"` // that held traffic
	Exchanges int             `json:"exchanges"`
	Skipped   int             `json:"skipped"`
	Requests  ReplayRequests  `json:"requests"`
	Responses ReplayResponses `json:"responses"`
	Methods   ReplayMethods   `json:"methods"`
}

// ReplayRequests count requests. Refused are those of the misfits that the
// server answered with an error.
type ReplayRequests struct {
	Fit         int `json:"fit"`
	Misfit      int `json:"misfit"`
	Refused     int `json:"misfit_refused"`
	Unsupported int `json:"unsupported"`
}

// ReplayResponses count responses.
type ReplayResponses struct {
	Fit         int `json:"fit"`
	Misfit      int `json:"misfit"`
	Declared    int `json:"declared_errors"`
	Undeclared  int `json:"undeclared_errors"`
	None        int `json:"none"`
	Unjudged    int `json:"unjudged"`
	Unsupported int `json:"unsupported"`
}

// ReplayMethods count the methods of the contract.
type ReplayMethods struct {
	Exercised int `json:"exercised"`
	Never     int `json:"never_exercised"`
}

// ReplayPlace is a place in a recording; Line and Column start at 1 and are 0
// when only the file is known.
type ReplayPlace struct {
	File   Foreign `json:"file"`
	Line   int     `json:"line,omitempty"`
	Column int     `json:"column,omitempty"`
}

// SkippedTraffic is something that was passed over, and why.
type SkippedTraffic struct {
	ReplayPlace
	Reason string `json:"reason"`
}

// ReplayExchange is one request and the response to it. Request is "fit",
// "misfit" or "unsupported" (a batch); Response also "declared_error",
// "undeclared_error", "none" or "unjudged".
type ReplayExchange struct {
	ReplayPlace
	Method   Foreign         `json:"method"`
	Request  string          `json:"request"`
	Response string          `json:"response"`
	Fits     bool            `json:"fits"`
	Findings []ReplayFinding `json:"findings"`
}

// ReplayFinding is one thing about one side. The pointer starts at the root of
// the JSON-RPC message. A finding that is no misfit is information.
type ReplayFinding struct {
	ReplayPlace
	Side     string  `json:"side"`
	Code     string  `json:"code"`
	Misfit   bool    `json:"misfit"`
	Pointer  Foreign `json:"pointer"`
	Keyword  string  `json:"keyword,omitempty"`
	Schema   Foreign `json:"schema,omitempty"`
	Expected Foreign `json:"expected,omitempty"`
	Found    Foreign `json:"found,omitempty"`
	Message  Foreign `json:"message,omitempty"`
}

func (c *Compilation) replayed(r *replay.Report) *Replayed {
	out := &Replayed{
		Contract: c.Sealed.ID, Digest: c.Sealed.Digest, Fits: r.Holds(),
		Never: []Foreign{}, Skipped: []SkippedTraffic{}, Exchanges: []ReplayExchange{},
	}
	for _, name := range r.Never() {
		out.Never = append(out.Never, Foreign(name))
	}
	for _, s := range r.Skipped {
		out.Skipped = append(out.Skipped, SkippedTraffic{placeOf(s.Place), s.Reason})
	}
	for _, v := range r.Verdicts {
		out.Exchanges = append(out.Exchanges, exchange(v))
	}
	out.Totals = totals(r.Totals)
	out.Totals.Methods = ReplayMethods{Exercised: len(c.Sealed.Methods) - len(out.Never), Never: len(out.Never)}
	return out
}

func totals(t replay.Totals) ReplayTotals {
	return ReplayTotals{
		Files: t.Files, Exchanges: t.Exchanges, Skipped: t.Skipped,
		Requests: ReplayRequests{Fit: t.RequestsFit, Misfit: t.RequestsMisfit, Refused: t.Refused, Unsupported: t.RequestsUnsupported},
		Responses: ReplayResponses{
			Fit: t.ResponsesFit, Misfit: t.ResponsesMisfit, Declared: t.ErrorsDeclared, Undeclared: t.ErrorsUndeclared,
			None: t.NotRecorded, Unjudged: t.ResponsesUnjudged, Unsupported: t.ResponsesUnsupported,
		},
	}
}

func exchange(v *replay.Verdict) ReplayExchange {
	x := ReplayExchange{
		ReplayPlace: placeOf(v.Place), Method: shortened(v.Method), Fits: v.Holds(),
		Request: string(v.Request), Response: string(v.Response), Findings: []ReplayFinding{},
	}
	for _, f := range v.Findings {
		x.Findings = append(x.Findings, ReplayFinding{
			ReplayPlace: placeOf(f.Place), Side: string(f.Side), Code: f.Code, Misfit: f.Misfit,
			Pointer: shortened(string(f.Pointer)), Keyword: f.Keyword, Schema: Foreign(f.Schema),
			Expected: Foreign(f.Expected), Found: Foreign(f.Found), Message: Foreign(f.Message),
		})
	}
	return x
}

func placeOf(p traffic.Place) ReplayPlace { return ReplayPlace{Foreign(p.File), p.Line, p.Column} }

// shortened bounds text that the other side of a recording could have made as
// long as it liked: names of methods and of members.
func shortened(text string) Foreign {
	const most = 500
	if len(text) <= most {
		return Foreign(text)
	}
	return Foreign(strings.ToValidUTF8(text[:most], "") + "...")
}
