package scan

// Space returns the index of the first byte at or after b[i] that is not
// JSON white space.
func Space(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// Colon reads the colon behind a member name that ended at b[i] and returns
// where the value starts.
func Colon(b []byte, i int) (int, error) {
	if i = Space(b, i); i >= len(b) || b[i] != ':' {
		return i, unexpected(b, i)
	}
	return Space(b, i+1), nil
}

// Next reads what follows an element or member that ended at b[i]: a comma
// (more; the index of what comes next) or the closing byte (the index
// behind it).
func Next(b []byte, i int, closing byte) (next int, more bool, err error) {
	i = Space(b, i)
	if i < len(b) {
		switch b[i] {
		case ',':
			return Space(b, i+1), true, nil
		case closing:
			return i + 1, false, nil
		}
	}
	return i, false, unexpected(b, i)
}

// Literal reads true, false or null at b[i].
func Literal(b []byte, i int) (end int, err error) {
	switch {
	case len(b)-i >= 4 && (string(b[i:i+4]) == "true" || string(b[i:i+4]) == "null"):
		return i + 4, nil
	case len(b)-i >= 5 && string(b[i:i+5]) == "false":
		return i + 5, nil
	default:
		return i, notLiteral(b, i)
	}
}

// notLiteral finds the byte at which the text stops being the literal that
// its first byte promises.
func notLiteral(b []byte, i int) error {
	word := "null"
	switch b[i] {
	case 't':
		word = "true"
	case 'f':
		word = "false"
	}
	k := 0
	for k < len(word) && i+k < len(b) && b[i+k] == word[k] {
		k++
	}
	return unexpected(b, i+k)
}

// Number reads the number at b[i] by the grammar alone; Guard bounds it.
func Number(b []byte, i int) (end int, err error) {
	if i < len(b) && b[i] == '-' {
		i++
	}
	first := i
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	if i == first {
		return i, unexpected(b, i)
	}
	if b[first] == '0' && i > first+1 {
		return i, &Error{Offset: first, Code: LeadingZero}
	}
	if i < len(b) && b[i] == '.' {
		if i, err = digits(b, i+1); err != nil {
			return i, err
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return digits(b, i)
	}
	return i, nil
}

// digits reads at least one digit.
func digits(b []byte, i int) (int, error) {
	first := i
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	if i == first {
		return i, unexpected(b, i)
	}
	return i, nil
}

// Guard refuses the number b[i:end] when it has more digits or a greater
// exponent than l allows. It looks at the text only: no arithmetic is done
// with a number that has not passed here.
func Guard(b []byte, i, end int, l Limits) error {
	l = l.OrDefault()
	k, count := i, 0
	for ; k < end && b[k]|0x20 != 'e'; k++ {
		if b[k]-'0' <= 9 {
			count++
		}
	}
	if count > l.NumberDigits {
		return &Error{Offset: i, Code: NumberTooLong}
	}
	exponent := 0
	for ; k < end; k++ {
		if d := int(b[k] - '0'); d <= 9 {
			exponent = min(exponent*10+d, 1<<30)
		}
	}
	if exponent > l.Exponent {
		return &Error{Offset: i, Code: NumberTooLong}
	}
	return nil
}

func unexpected(b []byte, i int) error {
	if i >= len(b) {
		return &Error{Offset: len(b), Code: UnexpectedEnd}
	}
	return &Error{Offset: i, Code: UnexpectedByte}
}
