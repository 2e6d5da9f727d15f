package openrpc

import "strconv"

// label says in messages what is being read, such as `param 2 of "invoice.get"`.
// Nearly all that is read is never spoken of, so the words come late.
type label struct {
	kind   string
	number int    // from 1; 0 where there is one alone
	method string // that it is a part of, "" for none
	whole  *label // that it is a part of, nil for none
}

func (l label) String() string {
	s := l.kind
	if l.number > 0 {
		s += " " + strconv.Itoa(l.number)
	}
	switch {
	case l.whole != nil:
		return s + " of " + l.whole.String()
	case l.method != "":
		return s + " of " + strconv.Quote(l.method)
	}
	return s
}
