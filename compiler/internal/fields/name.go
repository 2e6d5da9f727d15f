package fields

// IsID reports whether s may name something of ours, an endpoint or a
// profile: [a-z][a-z0-9_]{0,63}. Only ASCII, so that no two ids look alike.
func IsID(s string) bool {
	if s == "" || len(s) > 64 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

// ID returns the member's text when it is an id; "" when it is absent or
// faulty.
func (o Object) ID(name string) string {
	s := o.Text(name)
	if s == "" || IsID(s) {
		return s
	}
	o.r.Report(o.Get(name), WrongValue, "%q is %q, which is no id", name, clip(s)).Advice = IDAdvice
	return ""
}

// IDAdvice says how an id is spelled.
const IDAdvice = "an id starts with a lower-case letter and holds at most 64 of a-z, 0-9 and _"
