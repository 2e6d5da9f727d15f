package schema

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// report collects what a value breaks.
type report struct {
	found []finding
	more  int
}

type finding struct {
	rule    *rule
	offset  int
	hidden  bool // below a sensitive node, at which offset stands then
	keyword string
	k       int
}

// maxFindings bounds what is collected before the deepest are chosen.
const maxFindings = 256

func (r *report) add(m *machine, q *rule, offset int, keyword string, k int) {
	f := finding{q, offset, false, keyword, k}
	if m.secret >= 0 {
		f.offset, f.hidden = m.secret, true
	}
	switch {
	case slices.Contains(r.found, f):
	case len(r.found) >= maxFindings:
		r.more++
	default:
		r.found = append(r.found, f)
	}
}

// error turns the findings into an Error.
func (r *report) error(text []byte) *Error {
	type placed struct {
		cause Cause
		depth int
	}
	list := make([]placed, len(r.found))
	for k, f := range r.found {
		pointer := pointerTo(text, f.offset)
		c := Cause{Pointer: pointer, Keyword: f.keyword, Schema: f.rule.id, Expected: f.rule.expected(f.keyword, f.k)}
		if !f.hidden {
			c.Found = found(text, f.offset)
		}
		list[k] = placed{c, strings.Count(pointer, "/")}
	}
	slices.SortStableFunc(list, func(a, b placed) int { return b.depth - a.depth })
	e := &Error{More: r.more}
	for _, p := range list {
		if len(e.Causes) == MaxCauses {
			e.More++
			continue
		}
		e.Causes = append(e.Causes, p.cause)
	}
	return e
}

// found names a value without showing more than a short scalar.
func found(text []byte, i int) string {
	const short = 40
	switch text[i] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	end, err := scan.Skip(text, i)
	switch {
	case err == nil && end-i <= short:
		return string(text[i:end])
	case text[i] == '"':
		return "a string"
	default:
		return "a number"
	}
}

// pointerTo returns the JSON Pointer of the value, or member name, at offset
// in a valid text.
func pointerTo(text []byte, offset int) string {
	var b strings.Builder
	i := scan.Space(text, 0)
	for i < offset {
		next, token, ok := stepTo(text, i, offset)
		if !ok {
			break
		}
		b.WriteByte('/')
		b.WriteString(token)
		i = next
	}
	return b.String()
}

// stepTo finds the child of the container at i that offset lies in.
func stepTo(text []byte, i, offset int) (next int, token string, ok bool) {
	object := text[i] == '{'
	if !object && text[i] != '[' {
		return 0, "", false
	}
	k := 0
	for at, more := first(text, i); more; k++ {
		name := at
		if object {
			at = valueOf(text, at)
		}
		end, err := scan.Skip(text, at)
		if err != nil {
			return 0, "", false
		}
		if offset < end {
			if !object {
				return at, strconv.Itoa(k), offset >= at
			}
			return at, pointerToken(text, name), offset >= name
		}
		at, more = after(text, end)
	}
	return 0, "", false
}

func pointerToken(text []byte, i int) string {
	end, _, _ := scan.String(text, i)
	s := string(scan.Unquote(nil, text[i:end]))
	const longest = 128
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}

// expected says in words what a keyword of r asks for.
func (r *rule) expected(keyword string, k int) string {
	switch keyword {
	case "type":
		return r.types.String()
	case "enum":
		return r.enum.String()
	case "false":
		return "nothing here"
	case "minLength", "maxLength":
		return "a string of " + span(r.str.min, r.str.max) + " characters"
	case "pattern":
		return "a string that matches " + strconv.Quote(clip(r.str.pattern.source))
	case "format":
		return "a string of format " + r.str.format
	case "minItems", "maxItems":
		return "an array of " + span(r.array.min, r.array.max) + " elements"
	case "contains", "maxContains":
		return span(r.array.minFound, r.array.maxFound) + " matching elements"
	case "uniqueItems":
		return "distinct elements"
	case "minProperties", "maxProperties":
		return "an object of " + span(r.object.min, r.object.max) + " members"
	case "required", "dependentRequired":
		return "member " + strconv.Quote(clip(r.object.known[k].name))
	default:
		return r.expectedMore(keyword, k)
	}
}

func (r *rule) expectedMore(keyword string, k int) string {
	switch keyword {
	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum":
		sign := map[string]string{"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}[keyword]
		for _, b := range r.number.bounds {
			if b.keyword == keyword {
				return "a number " + sign + " " + b.literal
			}
		}
		return "another number"
	case "multipleOf":
		return "a multiple of " + r.number.literal
	case "not":
		return "a value that does not fit the schema under not"
	case "anyOf":
		return fmt.Sprintf("a value that fits one of %d schemas", len(r.anyOf.rules))
	case "oneOf":
		if k > 0 {
			return fmt.Sprintf("a value that fits exactly one of %d schemas, not several", len(r.oneOf.rules))
		}
		return fmt.Sprintf("a value that fits one of %d schemas", len(r.oneOf.rules))
	case "discriminator":
		for _, b := range []*branches{r.oneOf, r.anyOf} {
			if b != nil && b.picker != nil {
				return "member " + strconv.Quote(clip(b.picker.name)) + " to name one of the variants"
			}
		}
		return "a known variant"
	default:
		return "a value that fits the " + keyword
	}
}

func clip(s string) string {
	const longest = 80
	if len(s) > longest {
		return strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}

func span(low, high int) string {
	switch {
	case high == math.MaxInt:
		return "at least " + strconv.Itoa(low)
	case low == high:
		return "exactly " + strconv.Itoa(low)
	case low == 0:
		return "at most " + strconv.Itoa(high)
	default:
		return strconv.Itoa(low) + " to " + strconv.Itoa(high)
	}
}

// String lists the types in words: "a string or null".
func (t Types) String() string {
	if t == 0 || t == everyType {
		return "any value"
	}
	var words []string
	for _, w := range []struct {
		t    Types
		word string
	}{
		{TypeObject, "an object"}, {TypeArray, "an array"}, {TypeString, "a string"}, {TypeNumber, "a number"},
		{TypeInteger, "an integer"}, {TypeBoolean, "a boolean"}, {TypeNull, "null"},
	} {
		if t&w.t != 0 && (w.t != TypeInteger || t&TypeNumber == 0) {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, " or ")
}

// String lists the admitted values as far as a line allows.
func (r *enumRule) String() string {
	const longest = 120
	if len(r.texts) == 1 {
		return clip(r.texts[0])
	}
	s := "one of " + strings.Join(r.texts[:min(len(r.texts), 20)], ", ")
	if len(s) > longest || len(r.texts) > 20 {
		s = strings.ToValidUTF8(s[:min(len(s), longest)], "") + "…"
	}
	return s
}
