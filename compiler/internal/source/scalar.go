package source

import (
	"math/big"
	"regexp"
	"strings"
)

// Plain scalars of other people's documents are read as the core schema of
// YAML 1.2 says (section 10.3.2), which is what OpenAPI asks for: no, on and
// dates are strings. Two liberties: a number comes out as JSON spells it, with
// its digits untouched, and one that JSON cannot say, or that YAML 1.1 reads as
// another number (010), is refused, because half of all tools disagree on it.
var (
	coreInt   = regexp.MustCompile(`^[-+]?[0-9]+$`)
	coreBased = regexp.MustCompile(`^0(o[0-7]+|x[0-9a-fA-F]+)$`)
	coreFloat = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	coreOther = regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// Scalars that some version of YAML takes for a number or a date.
var (
	looseNumber = regexp.MustCompile(`^[-+]?(0b[01_]+|0o?[0-7_]+|0x[0-9a-fA-F_]+|([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)([eE][-+]?[0-9]+)?|[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?)$`)
	looseDate   = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?$`)
	canonical   = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)
)

// problem says why a scalar is refused; the zero problem is none.
type problem struct{ code, message, advice string }

const quoteAdvice = "put it in quotes if it is text"

// mayBeNumber keeps the expressions away from nearly all text.
func mayBeNumber(s string) bool {
	return s != "" && (s[0] >= '0' && s[0] <= '9' || s[0] == '.' || s[0] == '-' || s[0] == '+')
}

func isNull(s string) bool {
	return s == "" || s == "~" || s == "null" || s == "Null" || s == "NULL"
}

// readPlain resolves a plain scalar of a third party.
func readPlain(s string) (Kind, string, problem) {
	switch s {
	case "true", "True", "TRUE":
		return Bool, "true", problem{}
	case "false", "False", "FALSE":
		return Bool, "false", problem{}
	}
	switch {
	case isNull(s):
		return Null, "", problem{}
	case !mayBeNumber(s):
		return String, s, problem{}
	case coreBased.MatchString(s):
		return basedNumber(s)
	case coreOther.MatchString(s):
		return 0, "", problem{CodeYAMLNumber, "%q is a number that JSON cannot say", quoteAdvice}
	case coreInt.MatchString(s), coreFloat.MatchString(s):
		return jsonNumber(s)
	default:
		return String, s, problem{}
	}
}

// basedNumber turns 0x and 0o literals into decimals, exactly. 64 digits are
// far more than any number in a document has and keep the conversion cheap.
func basedNumber(s string) (Kind, string, problem) {
	const most = 64
	base := 16
	if s[1] == 'o' {
		base = 8
	}
	n, ok := new(big.Int).SetString(s[2:], base)
	if !ok || len(s)-2 > most {
		return 0, "", problem{CodeYAMLNumber, "%q is too long for a number", quoteAdvice}
	}
	return Number, n.String(), problem{}
}

// jsonNumber adds or removes what JSON asks for around the digits.
func jsonNumber(s string) (Kind, string, problem) {
	s = strings.TrimPrefix(s, "+")
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = "-", rest
	}
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i:]
	}
	whole, fraction, dotted := strings.Cut(mantissa, ".")
	if len(whole) > 1 && whole[0] == '0' {
		return 0, "", problem{CodeYAMLNumber, "%q has a leading zero: YAML 1.1 and 1.2 read two different numbers", quoteAdvice}
	}
	if whole == "" {
		whole = "0"
	}
	if dotted && fraction == "" {
		fraction = "0"
	}
	if dotted {
		whole += "." + fraction
	}
	return Number, sign + whole + exponent, problem{}
}

// readOwnPlain resolves a plain scalar of our own files, where only true and
// false are booleans and only canonical decimals are numbers. What any version
// of YAML would read as something else than text must be quoted.
func readOwnPlain(s string) (Kind, string, problem) {
	switch strings.ToLower(s) {
	case "true", "false":
		if s == "true" || s == "false" {
			return Bool, s, problem{}
		}
		return 0, "", ambiguous("only true and false, in lower case, are booleans")
	case "y", "n", "yes", "no", "on", "off":
		return 0, "", ambiguous("write true or false, or put it in quotes if it is text")
	}
	switch {
	case isNull(s):
		return 0, "", problem{CodeNull, "null where a value is expected", "write the value, or remove the member"}
	case s == "=" || s == "<<":
		return 0, "", ambiguous(quoteAdvice)
	case !mayBeNumber(s):
		return String, s, problem{}
	case canonical.MatchString(s):
		return Number, s, problem{}
	case looseDate.MatchString(s):
		return 0, "", ambiguous("put a date in quotes")
	case looseNumber.MatchString(s), coreOther.MatchString(s):
		return 0, "", ambiguous("write a number in plain decimals, or put it in quotes if it is text")
	default:
		return String, s, problem{}
	}
}

// checkOwnKey lets words like on stand as names: they are never read as
// anything else. Names that look like null, numbers or dates are refused.
func checkOwnKey(s string) problem {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off":
		return problem{}
	}
	if kind, _, p := readOwnPlain(s); p.code != "" || kind != String {
		return problem{CodeYAMLKey, "the name %q is not plainly text", "put the name in quotes"}
	}
	return problem{}
}

func ambiguous(advice string) problem {
	return problem{CodeAmbiguousScalar, "%q does not mean the same to every reader of YAML", advice}
}
