package amendment

import (
	"go/token"
	"regexp"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// Members of the format that no stage uses yet. Each is read for its shape and
// then refused where it stands: an owner who writes a budget must never
// believe that it holds when it does not.
var (
	laterGrantMembers = []string{"budget", "limits", "param_structure", "params"}
	laterEntryMembers = []string{"id", "go_name", "text", "idempotency", "read_back", "exact"}
)

// readLater refuses the named members that o has.
func readLater(r *fields.Reader, o fields.Object, names []string) {
	for _, name := range names {
		if n := o.Get(name); n != nil {
			refuseLater(r, n, name, func() { laterShapes[name](r, o, name) })
		}
	}
}

// refuseLater checks the shape; one that is right is still refused.
func refuseLater(r *fields.Reader, n *source.Node, name string, shape func()) {
	before := len(r.Faults)
	shape()
	if len(r.Faults) == before {
		r.Report(n, NotSupported, "%q is not supported yet", name).
			Advice = "remove it; a later release will read it"
	}
}

var laterShapes = map[string]func(*fields.Reader, fields.Object, string){
	"budget": readBudget,
	"limits": readLimits,
	"param_structure": func(_ *fields.Reader, o fields.Object, name string) {
		enum(o, name, "by-name", "by-position", "either")
	},
	"params":      func(_ *fields.Reader, o fields.Object, name string) { enum(o, name, "omit", "empty") },
	"id":          matching(regexp.MustCompile(`^[a-z0-9_]{1,64}$`), "a logical id: 1 to 64 of a-z, 0-9 and _"),
	"go_name":     readGoName,
	"text":        func(_ *fields.Reader, o fields.Object, name string) { o.Text(name) },
	"idempotency": readIdempotency,
	"read_back":   readReadBack,
	"exact":       readPointers,
}

func readBudget(r *fields.Reader, o fields.Object, name string) {
	budget := r.Object(o.Get(name), `"budget"`, "calls", "per")
	budget.Require("calls", "per")
	if n := budget.Get("calls"); n != nil && (n.Kind != source.Number || !count.MatchString(n.Text)) {
		r.Report(n, fields.WrongValue, `"calls" must be a whole number above 0`)
	}
	matching(span, "a span of time such as 30m, 24h or 7d")(r, budget, "per")
}

var (
	count = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
	span  = regexp.MustCompile(`^[1-9][0-9]{0,5}[smhd]$`)
)

func readLimits(r *fields.Reader, o fields.Object, name string) {
	limits := r.Map(o.Get(name), `"limits"`)
	if limits.Node == nil {
		return
	}
	for _, m := range limits.Node.Members {
		if m.Value.Kind != source.Number && m.Value.Kind != source.String {
			r.Report(m.Value, fields.WrongType, "limit %q must be a number or a text", m.Name)
		}
	}
}

func readGoName(r *fields.Reader, o fields.Object, name string) {
	if s := o.Text(name); s != "" && (!token.IsIdentifier(s) || !token.IsExported(s)) {
		r.Report(o.Get(name), fields.WrongValue, "%q is no exported Go name", s)
	}
}

func readIdempotency(r *fields.Reader, o fields.Object, name string) {
	idempotency := r.Object(o.Get(name), `"idempotency"`, "key")
	idempotency.Require("key")
	if key := idempotency.Text("key"); key != "" {
		checkPointer(r, idempotency.Get("key"), key)
	}
}

func readReadBack(r *fields.Reader, o fields.Object, name string) {
	back := r.Object(o.Get(name), `"read_back"`, "method", "map")
	back.Require("method", "map")
	back.Text("method")
	places := r.Map(back.Get("map"), `"map"`)
	if places.Node == nil {
		return
	}
	for _, m := range places.Node.Members {
		if s := places.Text(m.Name); s != "" {
			checkPointer(r, m.Value, s)
		}
	}
}

func readPointers(r *fields.Reader, o fields.Object, name string) {
	o.Texts(name)
	for _, item := range o.Get(name).Items {
		if item.Kind == source.String && item.Text != "" {
			checkPointer(r, item, item.Text)
		}
	}
}

func checkPointer(r *fields.Reader, n *source.Node, s string) {
	if _, err := source.ParsePointer(s); err != nil || !strings.HasPrefix(s, "/") {
		r.Report(n, fields.WrongValue, "%q is no JSON pointer", s).Advice = `a pointer looks like "/request_id"`
	}
}

func matching(form *regexp.Regexp, what string) func(*fields.Reader, fields.Object, string) {
	return func(r *fields.Reader, o fields.Object, name string) {
		if s := o.Text(name); s != "" && !form.MatchString(s) {
			r.Report(o.Get(name), fields.WrongValue, "%q must be %s, found %q", name, what, s)
		}
	}
}

// readAgents reads a decision. The other form, a schema over the params, is
// refused until params are judged at run time.
func readAgents(r *fields.Reader, o fields.Object) stated[effect.Decision] {
	n := o.Get("agents")
	if n == nil || n.Kind != source.Object {
		return enum(o, "agents", effect.Allow, effect.Ask, effect.Deny)
	}
	refuseLater(r, n, "allow_if", func() {
		rule := r.Object(n, `"agents"`, "allow_if", "otherwise")
		rule.Require("allow_if", "otherwise")
		r.Map(rule.Get("allow_if"), `"allow_if"`)
		enum(rule, "otherwise", effect.Ask, effect.Deny)
	})
	return stated[effect.Decision]{"", n}
}
