package drift

import (
	"slices"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// request compares what is sent to a method.
func (c *comparer) request(was, now *compiled.Method) *region {
	r := newRegion()
	if layout(was) != layout(now) {
		r.add(Change{Kind: ParamsLayout, Path: "/params", Name: "params", Was: End{Text: layout(was)}, Now: End{Text: layout(now)}})
	}
	if was.Notification != now.Notification {
		r.add(Change{Kind: AnswerChanged, Name: "result", Was: End{Text: answer(was)}, Now: End{Text: answer(now)}})
	}
	r.annotations("", "", "", about(was, Request), about(now, Request))
	c.params(r, was, now)
	return r
}

// about are the annotations of a method that belong to one side, that of how
// params travel apart.
func about(m *compiled.Method, s Side) []schema.Annotation {
	var out []schema.Annotation
	for _, a := range m.Annotations {
		back := strings.HasPrefix(a.Name, "/result/") || strings.HasPrefix(a.Name, "/errors/")
		if back == (s == Response) && a.Name != byName {
			out = append(out, a)
		}
	}
	return out
}

func layout(m *compiled.Method) string {
	switch {
	case m.Positional:
		return "an array"
	case ordered(m):
		return "an object or an array"
	default:
		return "an object"
	}
}

func answer(m *compiled.Method) string {
	if m.Notification {
		return "nobody answers"
	}
	return "answered"
}

// params compares params by name, and then their order where it is on the wire.
func (c *comparer) params(r *region, was, now *compiled.Method) {
	empty := &schema.Node{}
	before, after := was.ParamsNode, now.ParamsNode
	if before == nil {
		before = empty
	}
	if after == nil {
		after = empty
	}
	if replaced(was, now) {
		r.add(Change{
			Kind: ParamsReplaced, Path: "/params", Name: "params",
			Was: End{before.ID, strings.Join(paramNames(was), ", ")}, Now: End{after.ID, strings.Join(paramNames(now), ", ")},
		})
		return
	}
	first := len(r.changes)
	c.members(r, "params", "", before, after)
	for i := range r.changes[first:] {
		switch change := &r.changes[first+i]; {
		case strings.Count(change.Path, "/") != 2: // of a schema below
		case change.Kind == MemberAdded:
			change.Kind = ParamAdded
			change.order = place(now, change.Name)
			change.Now.Text += change.order
		case change.Kind == MemberRemoved:
			change.Kind = ParamRemoved
			change.order = place(was, change.Name)
			change.Was.Text += change.order
		}
	}
	if ordered(was) && ordered(now) {
		c.order(r, was, now)
	}
}

// byName is the annotation of a method whose params travel by name only.
const byName = "/paramStructure"

// ordered reports whether params may travel in their order.
func ordered(m *compiled.Method) bool {
	return !slices.ContainsFunc(m.Annotations, func(a schema.Annotation) bool { return a.Name == byName })
}

// replaced reports whether none of a method's params is left.
func replaced(was, now *compiled.Method) bool {
	return len(was.Params) > 0 && len(now.Params) > 0 && len(common(was, now)) == 0
}

func paramNames(m *compiled.Method) []string {
	names := make([]string, len(m.Params))
	for i, p := range m.Params {
		names[i] = p.Name
		if !p.Required {
			names[i] += "?"
		}
	}
	return names
}

// place says where a positional param stands.
func place(m *compiled.Method, name string) string {
	if !m.Positional {
		return ""
	}
	for i, p := range m.Params {
		if p.Name == name {
			return ", at place " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(m.Params))
		}
	}
	return ""
}

// order notices params that both versions have and that changed places.
func (c *comparer) order(r *region, was, now *compiled.Method) {
	before, after := common(was, now), common(now, was)
	if !slices.Equal(before, after) {
		r.add(Change{
			Kind: ParamsOrder, Path: "/params", Name: "params",
			Was: End{Text: strings.Join(before, ", ")}, Now: End{Text: strings.Join(after, ", ")},
		})
	}
}

// common returns the params of m that other has too, in the order of m.
func common(m, other *compiled.Method) []string {
	var out []string
	for _, p := range m.Params {
		if slices.ContainsFunc(other.Params, func(q compiled.Param) bool { return q.Name == p.Name }) {
			out = append(out, p.Name)
		}
	}
	return out
}

// response compares what comes back from a method.
func (c *comparer) response(was, now *compiled.Method) *region {
	r := newRegion()
	switch {
	case was.ResultNode != nil && now.ResultNode != nil:
		c.below(r, was.ResultNode, now.ResultNode, "/result")
	case was.ResultNode != nil:
		r.add(Change{Kind: AnswerChanged, Path: "/result", Name: "result", Was: end(was.ResultNode)})
	case now.ResultNode != nil:
		r.add(Change{Kind: AnswerChanged, Path: "/result", Name: "result", Now: end(now.ResultNode)})
	}
	r.annotations("", "", "", about(was, Response), about(now, Response))
	c.errors(r, was, now)
	return r
}

// errors compares declared errors by their codes. Messages are words.
func (c *comparer) errors(r *region, was, now *compiled.Method) {
	old := map[int64]compiled.Error{}
	for _, e := range was.Errors {
		old[e.Code] = e
	}
	for _, e := range now.Errors {
		name, at := strconv.FormatInt(e.Code, 10), "/errors/"+strconv.FormatInt(e.Code, 10)
		before, ok := old[e.Code]
		delete(old, e.Code)
		switch {
		case !ok:
			r.add(Change{Kind: ErrorAdded, Path: at, Name: name, Now: End{Text: e.Message}})
		case before.Data != nil && e.Data != nil:
			c.below(r, before.Data, e.Data, at+"/data")
		default:
			r.value("data", at, end(before.Data), end(e.Data))
		}
	}
	for _, e := range was.Errors {
		if _, gone := old[e.Code]; gone {
			name := strconv.FormatInt(e.Code, 10)
			r.add(Change{Kind: ErrorRemoved, Path: "/errors/" + name, Name: name, Was: End{Text: e.Message}})
		}
	}
}
