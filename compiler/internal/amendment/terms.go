package amendment

import (
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// ownMembers are the members of an entry that make no sense for many methods
// at once.
var ownMembers = []string{"id", "go_name", "description", "text", "idempotency", "read_back", "exact"}

// pointing is a pointer into params or result with its place in the file.
type pointing struct {
	at     *source.Node
	text   string
	tokens []string
}

// readBack is the read that shows what a write did, as it is written.
type readBack struct {
	node   *source.Node
	method string
	at     *source.Node // the method's name
	params []carried    // in file order
}

type carried struct {
	name source.Member
	from pointing
}

// readOwn reads the members of ownMembers.
func (r *reader) readOwn(e *Entry, o fields.Object) {
	e.id = stated[string]{r.matching(o, "id", logicalID, "a logical id: 1 to 64 of a-z, 0-9 and _"), o.Get("id")}
	e.goName = stated[string]{r.readGoName(o), o.Get("go_name")}
	e.Granted.Text = o.Text("description")
	e.Granted.TextRead = r.readTextRead(o, e.Method)
	e.key = r.readKey(o)
	e.back = r.readReadBack(o)
	e.exact = r.readExact(o)
}

var logicalID = regexp.MustCompile(`^[a-z0-9_]{1,64}$`)

// matching reads a text of a certain form; "" when it is absent or faulty.
func (r *reader) matching(o fields.Object, name string, form *regexp.Regexp, what string) string {
	return matching(&r.Reader, o, name, form, what)
}

func matching(r *fields.Reader, o fields.Object, name string, form *regexp.Regexp, what string) string {
	s := o.Text(name)
	if s == "" || form.MatchString(s) {
		return s
	}
	r.Report(o.Get(name), fields.WrongValue, "%q must be %s, found %q", name, what, s)
	return ""
}

var asciiName = regexp.MustCompile(`^[A-Z][A-Za-z0-9_]*$`)

// heldNames are methods whose signature go vet or a reader takes for granted.
var heldNames = []string{
	"Error", "String", "GoString", "Format", "Is", "As", "Unwrap", "GobDecode", "GobEncode", "MarshalJSON", "MarshalXML",
	"MarshalText", "ReadByte", "ReadRune", "UnmarshalJSON", "UnmarshalXML", "UnmarshalText", "UnreadByte", "UnreadRune", "WriteByte",
}

func (r *reader) readGoName(o fields.Object) string {
	s := o.Text("go_name")
	if slices.ContainsFunc(heldNames, func(held string) bool { return strings.EqualFold(held, s) }) {
		r.Report(o.Get("go_name"), fields.WrongValue, "%q is a method that tools expect another signature of", s).
			Advice = "choose another name, " + s + "Call for example"
		return ""
	}
	if s == "" || asciiName.MatchString(s) && token.IsIdentifier(s) {
		return s
	}
	r.Report(o.Get("go_name"), fields.WrongValue, "%q is no exported Go name of ASCII letters and digits", s)
	return ""
}

// readTextRead reads the digest of the remote text that the owner has read.
func (r *reader) readTextRead(o fields.Object, method string) string {
	s := o.Text("text")
	if s == "" {
		return ""
	}
	digest, err := pin.ParseText(s)
	if err != nil {
		d := r.Report(o.Get("text"), BadPin, "%s", err)
		d.Advice, d.Run = "remove it", []string{"inspect", method}
	}
	return digest
}

func (r *reader) readKey(o fields.Object) *pointing {
	key := r.Object(o.Get("idempotency"), `"idempotency"`, "key")
	key.Require("key")
	if n := key.Get("key"); n != nil {
		return r.pointer(n, key.Text("key"))
	}
	return nil
}

// pointer reads a JSON pointer that leads somewhere; tops are its possible
// first steps, none for any.
func (r *reader) pointer(n *source.Node, s string, tops ...string) *pointing {
	if s == "" {
		return nil // reported already
	}
	tokens, err := source.Pointer(s).Tokens()
	if err != nil || len(tokens) == 0 {
		r.Report(n, fields.WrongValue, "%q is no JSON pointer", s).Advice = `a pointer looks like "/request_id"`
		return nil
	}
	for _, top := range tops {
		if tokens[0] == top && len(tokens) > 1 || tokens[0] == top && top == "result" {
			return &pointing{n, s, tokens}
		}
	}
	if len(tops) > 0 {
		r.Report(n, fields.WrongValue, "%q leads neither into /params nor into /result", s).
			Advice = `write "/params/NAME" for a param, "/result/NAME" for a member of the result`
		return nil
	}
	return &pointing{n, s, tokens}
}

func (r *reader) readReadBack(o fields.Object) *readBack {
	back := r.Object(o.Get("read_back"), `"read_back"`, "method", "map")
	back.Require("method", "map")
	if back.Node == nil {
		return nil
	}
	b := &readBack{node: back.Node, method: back.Text("method"), at: back.Get("method")}
	places := r.Map(back.Get("map"), `"map"`)
	if places.Node == nil {
		return b
	}
	for _, m := range places.Node.Members {
		if p := r.pointer(m.Value, places.Text(m.Name), "params", "result"); p != nil {
			b.params = append(b.params, carried{m, *p})
		}
	}
	return b
}

func (r *reader) readExact(o fields.Object) []pointing {
	var all []pointing
	if texts := o.Texts("exact"); texts == nil {
		return nil
	}
	for _, item := range o.Get("exact").Items {
		if item.Kind != source.String {
			continue // reported already
		}
		if p := r.pointer(item, item.Text, "params", "result"); p != nil {
			all = append(all, *p)
		}
	}
	return all
}

func readBudget(r *fields.Reader, n *source.Node) stated[*compiled.Budget] {
	o := r.Object(n, `"budget"`, "calls", "per")
	o.Require("calls", "per")
	if o.Node == nil {
		return stated[*compiled.Budget]{nil, n}
	}
	b := &compiled.Budget{Calls: whole(r, o, "calls", 999_999_999)}
	if s := matching(r, o, "per", span, "a span of time such as 30m, 24h or 7d"); s != "" {
		b.Seconds = duration(s) / 1000
	}
	return stated[*compiled.Budget]{b, n}
}

var (
	number  = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
	span    = regexp.MustCompile(`^[1-9][0-9]{0,4}[smhd]$`)
	timeout = regexp.MustCompile(`^[1-9][0-9]{0,4}(ms|s|m)$`)
)

// duration is a span or a timeout in milliseconds.
func duration(s string) int64 {
	unit := strings.TrimLeft(s, "0123456789")
	n, err := strconv.ParseInt(strings.TrimSuffix(s, unit), 10, 64)
	if err != nil {
		panic("amendment: no span: " + s)
	}
	return n * map[string]int64{"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}[unit]
}

// whole reads a whole number from 1 to most; 0 when it is absent or faulty.
func whole(r *fields.Reader, o fields.Object, name string, most int64) int64 {
	n := o.Get(name)
	if n == nil {
		return 0
	}
	if n.Kind == source.Number && number.MatchString(n.Text) {
		if v, err := strconv.ParseInt(n.Text, 10, 64); err == nil && v <= most {
			return v
		}
	}
	r.Report(n, fields.WrongValue, "%q must be a whole number from 1 to %d", name, most)
	return 0
}

// What no call can exceed, whatever the binding says: a limit beyond it would
// tighten nothing.
const (
	mostRequest  = 1 << 20
	mostResponse = 8 << 20
	mostTimeout  = 600_000 // milliseconds
)

func readLimits(r *fields.Reader, n *source.Node) stated[*compiled.Limits] {
	o := r.Object(n, `"limits"`, "request_bytes", "response_bytes", "timeout")
	if o.Node == nil {
		return stated[*compiled.Limits]{nil, n}
	}
	l := &compiled.Limits{
		RequestBytes:  whole(r, o, "request_bytes", mostRequest),
		ResponseBytes: whole(r, o, "response_bytes", mostResponse),
	}
	if s := matching(r, o, "timeout", timeout, "a time such as 500ms, 3s or 2m"); s != "" {
		if l.Milliseconds = duration(s); l.Milliseconds > mostTimeout {
			r.Report(o.Get("timeout"), fields.WrongValue, `"timeout" is %s, and no call may take more than 10m`, s).
				Advice = "limits can only tighten"
		}
	}
	return stated[*compiled.Limits]{l, n}
}
