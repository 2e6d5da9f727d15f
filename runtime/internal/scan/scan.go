// Package scan reads JSON as bytes, strictly: RFC 8259 grammar, valid UTF-8, no
// lone surrogates, no repeated member names (compared after unescaping), no
// byte order mark, and a limit on everything that can grow. It builds no
// values and allocates nothing for valid input. Start with Valid for a whole
// text, Scanner for one value after the other.
package scan

import "sync"

// Limits bound a JSON text. A zero field means its default; a negative one
// is taken as its default too, so no field can switch a limit off.
type Limits struct {
	Depth        int // open arrays and objects at once; default 64, at most 10,000
	Members      int // members of one object; default 1,000,000
	StringBytes  int // bytes of one string as written, without quotes; default 16 MiB
	NumberDigits int // digits of one number without its exponent; default 64
	Exponent     int // magnitude of a number's exponent; default 400
}

// MaxDepth is the highest value that Limits.Depth may take: what the stack of
// a recursive reader bears anywhere.
const MaxDepth = 10_000

// OrDefault returns l with every zero or negative field set to its default.
func (l Limits) OrDefault() Limits {
	if l.Depth > 0 && l.Depth <= MaxDepth && l.Members > 0 && l.StringBytes > 0 && l.NumberDigits > 0 && l.Exponent > 0 {
		return l
	}
	set := func(n *int, byDefault int) {
		if *n <= 0 {
			*n = byDefault
		}
	}
	set(&l.Depth, 64)
	set(&l.Members, 1_000_000)
	set(&l.StringBytes, 16<<20)
	set(&l.NumberDigits, 64)
	set(&l.Exponent, 400)
	l.Depth = min(l.Depth, MaxDepth)
	return l
}

// Valid reports why b is not exactly one JSON value with nothing but white
// space around it, as a *Error, or nil.
func Valid(b []byte, l Limits) error {
	i, err := Value(b, Space(b, 0), l)
	if err != nil {
		return err
	}
	if i = Space(b, i); i < len(b) {
		return &Error{Offset: i, Code: TrailingData}
	}
	return nil
}

// Value reads the value that starts at b[i] and returns the index behind it.
func Value(b []byte, i int, l Limits) (end int, err error) {
	s := scanners.Get().(*Scanner)
	s.Reset(b, l)
	end, err = s.Value(i, 0)
	s.Reset(nil, l)
	scanners.Put(s)
	return end, err
}

var scanners = sync.Pool{New: func() any { return new(Scanner) }}

// Scanner reads values of one text. The zero value is ready after Reset and
// keeps its memory between texts. It is not safe for concurrent use.
type Scanner struct {
	Text   []byte
	Limits Limits
	Names  Names
}

// Reset points s at another text.
func (s *Scanner) Reset(b []byte, l Limits) { s.Again(b, l.OrDefault()) }

// Again is Reset with limits that come from OrDefault.
func (s *Scanner) Again(b []byte, l Limits) {
	s.Text, s.Limits = b, l
	s.Names.reset()
}

// Value reads the value that starts at Text[i], which lies inside depth open
// arrays and objects, and returns the index behind it.
func (s *Scanner) Value(i, depth int) (end int, err error) {
	b := s.Text
	if uint(i) >= uint(len(b)) {
		return i, &Error{Offset: len(b), Code: UnexpectedEnd}
	}
	switch c := b[i]; c {
	case '"':
		return s.String(i)
	case '{':
		return s.object(i, depth)
	case '[':
		return s.array(i, depth)
	case 't', 'f', 'n':
		return Literal(b, i)
	default:
		if c == '-' || c-'0' <= 9 {
			return s.Number(i)
		}
		return i, &Error{Offset: i, Code: UnexpectedByte}
	}
}

// String reads the string at Text[i] within the limits.
func (s *Scanner) String(i int) (end int, err error) {
	end, _, err = String(s.Text, i)
	if err == nil && end-i-2 > s.Limits.StringBytes {
		return i, &Error{Offset: i, Code: StringTooLong}
	}
	return end, err
}

// Number reads the number at Text[i] within the limits.
func (s *Scanner) Number(i int) (end int, err error) {
	if end, err = Number(s.Text, i); err != nil {
		return end, err
	}
	return end, s.Guard(i, end)
}

// Guard refuses the number Text[i:end] when it has more digits or a greater
// exponent than the limits allow.
func (s *Scanner) Guard(i, end int) error {
	return Guard(s.Text, i, end, s.Limits)
}

func (s *Scanner) array(i, depth int) (int, error) {
	b := s.Text
	if depth++; depth > s.Limits.Depth {
		return i, &Error{Offset: i, Code: TooDeep}
	}
	i = Space(b, i+1)
	if i < len(b) && b[i] == ']' {
		return i + 1, nil
	}
	for {
		end, err := s.Value(i, depth)
		if err != nil {
			return end, err
		}
		var more bool
		if i, more, err = Next(b, end, ']'); err != nil || !more {
			return i, err
		}
	}
}

func (s *Scanner) object(i, depth int) (int, error) {
	b := s.Text
	if depth++; depth > s.Limits.Depth {
		return i, &Error{Offset: i, Code: TooDeep}
	}
	i = Space(b, i+1)
	if i < len(b) && b[i] == '}' {
		return i + 1, nil
	}
	mark := s.Names.Open()
	for {
		value, err := s.Name(mark, i)
		if err != nil {
			return i, err
		}
		if value, err = s.Value(value, depth); err != nil {
			return value, err
		}
		var more bool
		if i, more, err = Next(b, value, '}'); err != nil {
			return i, err
		}
		if !more {
			s.Names.Close(mark)
			return i, nil
		}
	}
}

// Name reads the member name at Text[i] and its colon, refuses a name that
// this object (mark comes from Names.Open) had before, and returns where the
// member's value starts.
func (s *Scanner) Name(mark, i int) (value int, err error) {
	b := s.Text
	if i >= len(b) || b[i] != '"' {
		return i, unexpected(b, i)
	}
	end, escaped, err := String(b, i)
	if err != nil {
		return i, err
	}
	if end-i-2 > s.Limits.StringBytes {
		return i, &Error{Offset: i, Code: StringTooLong}
	}
	if s.Names.Add(b, mark, i, end, escaped) {
		return i, &Error{Offset: i, Code: DuplicateMember}
	}
	if s.Names.Len(mark) > s.Limits.Members {
		return i, &Error{Offset: i, Code: TooManyMembers}
	}
	return Colon(b, end)
}
