package lock

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Bytes returns the file: sorted, ASCII only, LF, no time stamps. l is not
// changed.
func (l *Lock) Bytes() ([]byte, error) {
	sorted := Lock{Version: Version, Tool: l.Tool, Contracts: make([]Contract, len(l.Contracts))}
	for i, c := range l.Contracts {
		sorted.Contracts[i] = c.sorted()
	}
	sortBy(sorted.Contracts, func(c Contract) string { return c.ID })
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(sorted); err != nil {
		return nil, fmt.Errorf("encode the lock: %w", err)
	}
	return escape(b.Bytes()), nil
}

// sorted returns c with lists of its own in the order of the file.
func (c Contract) sorted() Contract {
	c.Inputs = own(c.Inputs)
	sortBy(c.Inputs, func(i Input) string { return i.File })
	c.Outputs = own(c.Outputs)
	sortBy(c.Outputs, func(o Output) string { return o.File })
	c.Methods = own(c.Methods)
	sortBy(c.Methods, func(m Method) string { return m.Name })
	c.Stale = slices.Clone(c.Stale)
	sortBy(c.Stale, func(s Shape) string { return s.Method })
	return c
}

// own copies a list; an empty one is [], never null.
func own[T any](list []T) []T { return append([]T{}, list...) }

func sortBy[T any](list []T, key func(T) string) {
	slices.SortFunc(list, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}

// escape writes what is not ASCII as JSON escapes: names come from documents,
// and people read this file in terminals and reviews.
func escape(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		plain := 0
		for plain < len(b) && b[plain] < 0x7f {
			plain++
		}
		out, b = append(out, b[:plain]...), b[plain:]
		if len(b) == 0 {
			break
		}
		r, size := utf8.DecodeRune(b)
		switch {
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[size:]
	}
	return out
}
