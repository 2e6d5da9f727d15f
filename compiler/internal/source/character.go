package source

import (
	"unicode"
	"unicode/utf8"
)

// invisible holds the characters that Unicode counts as letters, marks or
// symbols and that nevertheless show nothing.
var invisible = []*unicode.RangeTable{
	unicode.Other_Default_Ignorable_Code_Point,
	unicode.Variation_Selector,
	{
		R16: []unicode.Range16{
			{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, // inherent vowels of Khmer
			{Lo: 0x2800, Hi: 0x2800, Stride: 1}, // braille without dots
		},
		R32: []unicode.Range32{
			{Lo: 0x16fe4, Hi: 0x16fe4, Stride: 1}, // Khitan filler
			{Lo: 0x1d159, Hi: 0x1d159, Stride: 1}, // null notehead
		},
	},
}

// Visible reports whether a reader sees r as itself: a letter, mark, digit,
// punctuation, symbol or space. Control, format and bidi characters, private
// use, unassigned code points and characters that show nothing are not visible.
func Visible(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r != 0x7f
	}
	return r != utf8.RuneError && unicode.IsGraphic(r) && !unicode.In(r, invisible...)
}

// checkCharacters refuses what a reviewer of our own files would not see,
// comments included. Tabs and line ends (LF, CR LF) may stand.
func (f *File) checkCharacters() error {
	for i := 0; i < len(f.Bytes); {
		r, size := rune(f.Bytes[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(f.Bytes[i:])
		}
		if !Visible(r) && r != '\t' && r != '\n' && !(r == '\r' && i+1 < len(f.Bytes) && f.Bytes[i+1] == '\n') {
			return f.forbidden(i, r)
		}
		i += size
	}
	return nil
}

// checkDecoded does the same for text in which escapes have been resolved.
func (f *File) checkDecoded(s string, offset int) error {
	for _, r := range s {
		if !Visible(r) && r != '\t' && r != '\n' {
			return f.forbidden(offset, r)
		}
	}
	return nil
}

func (f *File) forbidden(offset int, r rune) *Error {
	return f.fail(offset, CodeCharacter, "character %U does not show and is not allowed here", r).
		advise("delete it; no character in this file may be invisible, change direction or control a terminal")
}
