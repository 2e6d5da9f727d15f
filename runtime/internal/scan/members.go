package scan

// Members walks the object whose opening brace is b[i], which must have passed
// Valid or Value before, and calls f with every member: its name with quotes
// and escapes as written, and the range of its value. It stops at the first
// error of f and returns it.
func Members(b []byte, i int, f func(name []byte, start, end int) error) error {
	if i >= len(b) || b[i] != '{' {
		return unexpected(b, i)
	}
	if i = Space(b, i+1); i < len(b) && b[i] == '}' {
		return nil
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return unexpected(b, i)
		}
		nameEnd, _, err := String(b, i)
		if err != nil {
			return err
		}
		start, err := Colon(b, nameEnd)
		if err != nil {
			return err
		}
		end, err := Skip(b, start)
		if err != nil {
			return err
		}
		if err := f(b[i:nameEnd], start, end); err != nil {
			return err
		}
		var more bool
		if i, more, err = Next(b, end, '}'); err != nil || !more {
			return err
		}
	}
}

// Elements walks the array whose opening bracket is b[i], which must have
// passed Valid or Value before, and calls f with the range of every element.
func Elements(b []byte, i int, f func(start, end int) error) error {
	if i >= len(b) || b[i] != '[' {
		return unexpected(b, i)
	}
	if i = Space(b, i+1); i < len(b) && b[i] == ']' {
		return nil
	}
	for {
		end, err := Skip(b, i)
		if err != nil {
			return err
		}
		if err := f(i, end); err != nil {
			return err
		}
		var more bool
		if i, more, err = Next(b, end, ']'); err != nil || !more {
			return err
		}
	}
}

// Skip returns the index behind the value at b[i], which must have passed
// Valid or Value before: it only balances brackets and quotes.
func Skip(b []byte, i int) (end int, err error) {
	for open := 0; i < len(b); {
		switch c := b[i]; c {
		case '"':
			if i, _, err = String(b, i); err != nil {
				return i, err
			}
		case '{', '[':
			open++
			i++
			continue
		case '}', ']':
			open--
			i++
		case ' ', '\n', '\r', '\t', ',', ':':
			i++
			continue
		default:
			for i < len(b) && literal(b[i]) {
				i++
			}
			if i < len(b) && !delimiter(b[i]) {
				return i, unexpected(b, i)
			}
		}
		if open <= 0 {
			return i, nil
		}
	}
	return i, unexpected(b, i)
}

func literal(c byte) bool {
	return c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '+' || c == '.'
}

func delimiter(c byte) bool {
	switch c {
	case ' ', '\n', '\r', '\t', ',', ':', '}', ']', '{', '[', '"':
		return true
	default:
		return false
	}
}
