package replay

import (
	"errors"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/compiler/internal/traffic"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// side collects the findings of one side.
type side struct {
	name    Side
	message *traffic.Message
	verdict *Verdict
	misfits int

	parsed bool
	root   *source.Node // of the message; nil when it cannot be read
}

func (j *judge) side(name Side) *side {
	m := j.exchange.Request
	if name == Response {
		m = j.exchange.Response
	}
	return &side{name: name, message: m, verdict: &j.verdict}
}

// state is what the findings make of a side that would otherwise be fine.
func (s *side) state(fine State) State {
	if s.misfits > 0 {
		return Misfit
	}
	return fine
}

func (s *side) misfit(code string, at source.Pointer, message string) {
	s.add(Finding{Code: code, Misfit: true, Pointer: at, Message: message})
}

func (s *side) note(code string, at source.Pointer, message string) {
	s.add(Finding{Code: code, Pointer: at, Message: message})
}

// add places a finding and takes it in.
func (s *side) add(f Finding) {
	f.Side = s.name
	if f.Place == (traffic.Place{}) {
		f.Place = s.place(f.Pointer)
	}
	if f.Misfit {
		s.misfits++
	}
	s.verdict.Findings = append(s.verdict.Findings, f)
}

// place is where a pointer leads to in the recording, or where the message
// starts.
func (s *side) place(p source.Pointer) traffic.Place {
	n, err := s.tree().At(p)
	if err != nil {
		return s.message.At(0)
	}
	return s.message.At(n.Offset)
}

func (s *side) has(p source.Pointer) bool {
	_, err := s.tree().At(p)
	return err == nil
}

// tree is the message with its places. Only findings need it.
func (s *side) tree() *source.Node {
	if !s.parsed {
		s.parsed = true
		if f, err := source.Read("message", s.message.Body, source.Limits{Bytes: int64(len(s.message.Body)) + 1}); err == nil {
			s.root = f.Root
		}
	}
	return s.root
}

// values reports why a value does not fit.
func (s *side) values(err error, place func(*Finding)) {
	if err == nil {
		return
	}
	add := func(f Finding) {
		f.Misfit = true
		place(&f)
		s.add(f)
	}
	misfit, ok := errors.AsType[*schema.Error](err)
	if !ok {
		// What the engine cannot decide does not fit.
		add(Finding{Code: CodeUndecided, Message: clip(err.Error())})
		return
	}
	for _, c := range misfit.Causes {
		add(Finding{
			Code: CodeSchema, Pointer: source.Pointer(c.Pointer), Keyword: c.Keyword,
			Schema: c.Schema, Expected: c.Expected, Found: shown(c.Found),
		})
	}
	if misfit.More > 0 {
		add(Finding{Code: CodeSchema, Message: "and " + strconv.Itoa(misfit.More) + " more"})
	}
}

// shown cuts a value to what cannot be of use to anybody who should not have
// it: recordings hold real keys and names, and reports go further than they do.
func shown(found string) string {
	const whole, start = len(`"12345678"`), len(`"1234`)
	if !strings.HasPrefix(found, `"`) || len(found) <= whole {
		return found
	}
	return strings.ToValidUTF8(found[:start], "") + `..."`
}

// params reports why params do not fit. The object that holds them is no
// schema of the document, so what it lacks or has too much is said in words.
func (s *side) params(m *method, err error, place places) {
	s.values(err, func(f *Finding) {
		switch own := f.Schema == m.ParamsNode.ID; {
		case own && f.Keyword == "required":
			f.Code, f.Message = CodeMissingParam, "a required param is missing: "+strings.TrimPrefix(f.Expected, "member ")
		case f.Schema == m.ParamsNode.ID+"/*", own && f.Keyword == "additionalProperties":
			f.Code, f.Message = CodeUnknownParam, "the method has no such param"
		default:
			f.Pointer = place(f.Pointer)
			return
		}
		f.Pointer = place(f.Pointer)
		f.Keyword, f.Schema, f.Expected, f.Found = "", "", "", ""
	})
}

// excerpt bounds what a message shows of foreign text.
const excerpt = 120

func clip(text string) string {
	if len(text) <= excerpt {
		return text
	}
	return strings.ToValidUTF8(text[:excerpt], "") + "..."
}

func quoted(text string) string { return strconv.Quote(clip(text)) }

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
