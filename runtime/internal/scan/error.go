package scan

import "strconv"

// Codes of an Error. They are stable.
const (
	UnexpectedEnd   = "unexpected-end"
	UnexpectedByte  = "unexpected-byte"
	TrailingData    = "trailing-data"
	LeadingZero     = "leading-zero"
	InvalidEscape   = "invalid-escape"
	InvalidUTF8     = "invalid-utf8"
	LoneSurrogate   = "lone-surrogate"
	ControlByte     = "control-byte"
	DuplicateMember = "duplicate-member"
	TooDeep         = "too-deep"
	TooManyMembers  = "too-many-members"
	StringTooLong   = "string-too-long"
	NumberTooLong   = "number-too-long"
)

// Error says where a text stops being acceptable JSON, and why. It never
// holds any of the text.
type Error struct {
	Offset int // in bytes from the start of the text
	Code   string
}

// Error says the code in words, with the offset.
func (e *Error) Error() string {
	return meaning(e.Code) + " at offset " + strconv.Itoa(e.Offset)
}

func meaning(code string) string {
	switch code {
	case UnexpectedEnd:
		return "JSON text ends too early"
	case UnexpectedByte:
		return "unexpected byte in JSON text"
	case TrailingData:
		return "data after the JSON value"
	case LeadingZero:
		return "number with a leading zero"
	case InvalidEscape:
		return "invalid escape in a string"
	case InvalidUTF8:
		return "invalid UTF-8 in a string"
	case LoneSurrogate:
		return "surrogate escape without its other half"
	case ControlByte:
		return "unescaped control character in a string"
	case DuplicateMember:
		return "repeated member name"
	case TooDeep:
		return "arrays and objects nested too deep"
	case TooManyMembers:
		return "too many members in one object"
	case StringTooLong:
		return "string too long"
	case NumberTooLong:
		return "number with too many digits or too great an exponent"
	default:
		return "invalid JSON (" + code + ")"
	}
}
