package schema

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/canonical"
	rt "github.com/openrpc-go/rpcgen/runtime/schema"
	"github.com/openrpc-go/rpcgen/runtime/schema/ecma"
)

func (t *translation) numbers() {
	r := rt.NumberRules{
		Minimum:    t.number("minimum"),
		Maximum:    t.number("maximum"),
		MultipleOf: t.number("multipleOf"),
	}
	if r.MultipleOf == "0" || strings.HasPrefix(r.MultipleOf, "-") {
		t.fault(t.get("multipleOf"), "", `"multipleOf" must be above zero`)
	}
	t.exclusive("exclusiveMinimum", "minimum", &r.ExclusiveMinimum, &r.Minimum)
	t.exclusive("exclusiveMaximum", "maximum", &r.ExclusiveMaximum, &r.Maximum)
	if r != (rt.NumberRules{}) {
		t.node.Number = &r
	}
}

// number reads an exact literal in its canonical spelling.
func (t *translation) number(name string) string {
	v := t.get(name)
	if v == nil {
		return ""
	}
	if v.Kind != source.Number {
		t.fault(v, "", "%q must be a number, not %s", name, kindName(v))
		return ""
	}
	literal, err := canonical.Number(v.Text)
	if err != nil {
		t.add(diag.At(v, CodeNumber, "%q is beyond what is compared: %v", name, err).
			WithAdvice("at most 64 digits, and an exponent of at most 400"))
		return ""
	}
	return literal
}

// exclusive reads a bound that is a number, or, in draft 4 and OpenAPI 3.0, a
// flag that makes the bound beside it exclusive.
func (t *translation) exclusive(name, beside string, exclusive, inclusive *string) {
	v := t.get(name)
	if v == nil {
		return
	}
	flags := t.rules.Dialect == Draft4 || t.rules.Dialect == OpenAPI30
	switch {
	case !flags && v.Kind == source.Bool:
		t.fault(v, "write the bound itself, as in "+quote(name)+": 5", "%q must be a number in %s, not %s", name, t.rules, kindName(v))
	case !flags:
		*exclusive = t.number(name)
	case v.Kind != source.Bool:
		t.fault(v, "write the bound as "+quote(beside)+" and set this to true", "%q must be true or false in %s, not %s", name, t.rules, kindName(v))
	case v.Text == "true" && t.get(beside) == nil:
		t.add(diag.Warn(v, CodeNoEffect, "%q says nothing without %q beside it", name, beside))
	case v.Text == "true":
		*exclusive, *inclusive = *inclusive, ""
	}
}

// definedFormats are those of JSON Schema. Only they can be assertions; another
// one says nothing that could be checked. What the engine cannot check of
// these it refuses.
var definedFormats = map[string]bool{
	"date-time": true, "date": true, "time": true, "duration": true,
	"email": true, "idn-email": true, "hostname": true, "idn-hostname": true,
	"ipv4": true, "ipv6": true, "uri": true, "uri-reference": true, "iri": true, "iri-reference": true,
	"uri-template": true, "uuid": true, "json-pointer": true, "relative-json-pointer": true, "regex": true,
}

func (t *translation) strings() {
	r := rt.StringRules{
		MinLength:        t.count("minLength"),
		MaxLength:        t.count("maxLength"),
		Format:           t.word("format"),
		ContentEncoding:  t.word("contentEncoding"),
		ContentMediaType: t.word("contentMediaType"),
	}
	r.AssertFormat = t.rules.formats && definedFormats[r.Format]
	if v := t.get("pattern"); v != nil {
		if v.Kind != source.String {
			t.fault(v, "", `"pattern" must be a string, not %s`, kindName(v))
		} else {
			p := t.pattern(v, v.Text)
			r.Pattern = &p
		}
	}
	if r != (rt.StringRules{}) {
		t.node.String = &r
	}
}

// pattern translates a regular expression; at is where it stands. Documents
// repeat a few patterns very often, so they are kept.
func (t *translation) pattern(at *source.Node, expression string) rt.Pattern {
	p, known := t.graph.repeats.patterns[expression]
	if !known {
		p.equal, p.err = ecma.Translate(expression)
		t.graph.repeats.patterns[expression] = p
	}
	if p.err != nil {
		code, advice := CodePattern, "patterns are ECMA-262; a correction can state what was meant"
		if e, ok := errors.AsType[*ecma.Error](p.err); ok && e.Unsupported {
			code, advice = CodeUnsupported, "a correction can state a pattern of equal meaning, or remove it"
		}
		t.add(diag.At(at, code, "the pattern %q cannot be run: %v", clip(expression), p.err).WithAdvice(advice))
	} else if slashedPattern.MatchString(expression) {
		t.add(diag.Warn(at, CodeNoEffect, "the pattern %q has the slashes of JavaScript around it, so that no text fits", clip(expression)).
			WithAdvice("write what stands between the slashes; a flag behind them has no equal here"))
	}
	return rt.Pattern{Source: expression, RE2: p.equal}
}

// slashedPattern finds expressions written as JavaScript writes them in code:
// what stands before ^ or behind $ never fits.
var slashedPattern = regexp.MustCompile(`^/\^[^|]*/[a-z]*$|^/[^|]*\$/[a-z]*$`)

// pattern is an expression translated once.
type pattern struct {
	equal string
	err   error
}

// count reads a length or number of things: an integer from zero, also when
// it is written as 2.0.
func (t *translation) count(name string) *uint64 {
	v := t.get(name)
	if v == nil {
		return nil
	}
	literal := ""
	if v.Kind == source.Number {
		literal = t.number(name)
		if literal == "" {
			return nil
		}
	}
	n, err := strconv.ParseUint(literal, 10, 64)
	if err != nil {
		found := kindName(v)
		if v.Kind == source.Number {
			found = clip(v.Text)
		}
		t.fault(v, "", "%q must be an integer from 0 to 2^64-1, not %s", name, found)
		return nil
	}
	return &n
}
