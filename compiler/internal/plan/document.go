package plan

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// document writes the doc comment of a method: the document's words, then what
// we know.
func (b *builder) document(m *shaped) {
	said := words(textLimit, m.source.Summary, m.source.Description)
	if len(said) == 0 {
		said = Text{ours(m.Go + " calls " + quoteName(m.Wire) + ".")}
	} else {
		said[0].Words = lead(m.Go, said[0].Words)
	}
	if p := m.Params; p != nil {
		p.Doc = append(Text{ours(p.Go + " holds the params of " + quoteName(m.Wire) + ".")}, p.Doc...)
	}
	m.Doc = append(said, b.authorityLine(m)...)
	switch {
	case m.source.Deprecated && m.Marker == "":
		m.Doc = append(m.Doc, ours("Deprecated: the document says so."))
	case m.source.Deprecated:
		m.Doc = append(m.Doc, ours("The document calls it deprecated."))
	}
	if m.Marker != "" {
		m.Doc = append(m.Doc, Paragraph{Words: "Deprecated: " + m.Marker, Ours: true, Whole: true})
	}
}

// authorityLine says what the method is and fills in its effect or marker. A
// closed method needs no line of its own: the marker names it.
func (b *builder) authorityLine(m *shaped) Text {
	a := b.authority(m.Index)
	kind := "Method "
	if m.Notification {
		kind = "Notification "
	}
	if a.State == compiled.Open {
		m.Effect = string(a.Effect)
		return Text{ours(kind + quoteName(m.Wire) + ", effect " + m.Effect + ".")}
	}
	m.Marker = b.marker(a.State, m.Wire)
	if m.Notification {
		return Text{ours("It is a notification: nothing answers it.")}
	}
	return nil
}

// marker says why a method is closed and which command goes on from there.
func (b *builder) marker(state compiled.State, wire string) string {
	method := shellName(wire)
	if strings.HasPrefix(wire, "-") {
		method = "-- " + method // else it reads as a flag
	}
	switch state {
	case compiled.Stale:
		return "stale; run rpcgen review " + b.contract.ID + " " + method
	case compiled.Refused:
		return "refused by the amendment; run rpcgen explain " + method
	default:
		return "unclassified; run rpcgen review " + b.contract.ID + " " + method
	}
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]*$`)

// quoteName shows a wire name, quoted unless it is plain.
func quoteName(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return strconv.QuoteToASCII(name)
}

// shellName writes a wire name as one word of a command line.
func shellName(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// document writes the doc comment of a type: the words of its schema, then the
// notes that are there already.
func (s *shaper) document(d *Decl) {
	o := s.origins[d]
	if o.node == nil {
		return
	}
	info := s.graph.Info(s.forms.said(o.node))
	if info == nil {
		return
	}
	said := words(textLimit, info.Title, info.Description)
	if len(said) > 0 && sameName(said[0].Words, d.Go) {
		said = said[1:]
	}
	if len(said) > 0 {
		said[0].Words = d.Go + ": " + said[0].Words
	}
	d.Doc = append(said, d.Doc...)
	if o.component != "" && !spells(d.Go, o.component) {
		d.Doc = append(d.Doc, ours(d.Go+" is the schema "+strconv.QuoteToASCII(o.component)+" of the document."))
	}
	if d.Kind == UnionInterface {
		d.Doc = append(d.Doc, ours(d.Go+" is "+oneOf(d.Variants)+"."))
	}
	if info.Deprecated {
		d.Doc = append(d.Doc, ours("Deprecated: the document says so."))
	}
}

// oneOf lists the variants of a union in words.
func oneOf(variants []Variant) string {
	list := variants[0].Go
	for i, v := range variants[1:] {
		if i == len(variants)-2 {
			list += " or " + v.Go
		} else {
			list += ", " + v.Go
		}
	}
	return list
}

// spells reports whether a reader recognises the document's name in ours.
func spells(name, said string) bool {
	var letters strings.Builder
	for _, c := range []byte(fold(said)) {
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c >= 0x80 {
			letters.WriteByte(c)
		}
	}
	return fold(name) == letters.String()
}

// sameName reports whether the words only repeat the name. No letter of ASCII
// is lost on the way, so nearly all words are too long.
func sameName(words, name string) bool {
	letters := 0
	for _, c := range []byte(words) {
		if c < utf8.RuneSelf && (letter(rune(c)) || digit(rune(c))) {
			letters++
		}
	}
	return letters <= len(name) && fold(exported(words, plain)) == fold(name)
}

// useDoc is what the document says about a member, at the member itself rather
// than at the component it refers to.
func (s *shaper) useDoc(o origin, p property) Text {
	node := p.nodes[0]
	if info := s.graph.Info(node); info != nil && info.Name == "" {
		return fieldWords(p.name, info.Title, info.Description, info.Deprecated)
	}
	parent := s.graph.Info(o.node)
	if parent == nil || parent.Source == nil {
		return nil
	}
	use := parent.Source.Get("properties").Get(p.name)
	if use == nil || use.Get("$ref") == nil {
		return nil
	}
	title, description := s.graph.Doc(use)
	return fieldWords(p.name, title, description, false)
}

func (s *shaper) paramDoc(p *contract.Descriptor) Text {
	said := words(fieldLimit, p.Summary, p.Description)
	if len(said) == 0 {
		if info := s.graph.Info(s.graph.Node(p.Schema, "")); info != nil && info.Name == "" {
			said = fieldWords(p.Name, info.Title, info.Description, false)
		}
	}
	if p.Deprecated {
		said = append(said, ours("Deprecated: the document says so."))
	}
	return said
}

// fieldWords prefers the description: titles of members mostly repeat the name.
// Words that only repeat the name say nothing.
func fieldWords(name, title, description string, deprecated bool) Text {
	said := words(fieldLimit, description)
	if len(said) == 0 {
		said = words(fieldLimit, title)
	}
	if len(said) > 0 && sameName(said[0].Words, named(name)) {
		said = said[1:]
	}
	if deprecated {
		said = append(said, ours("Deprecated: the document says so."))
	}
	return said
}

var safeVersion = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z._+-]{0,63}$`)
var safeDigest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// header keeps only what is safe to print above a package clause.
func header(c *contract.Contract, o Options) Header {
	var h Header
	if safeVersion.MatchString(c.Version) && !strings.Contains(c.Version, "+build") { // go vet looks for it
		h.Version = c.Version
	}
	if len(c.Files) > 0 && safeDigest.MatchString(c.Files[0].Digest) {
		h.Document = c.Files[0].Digest
	}
	if safeVersion.MatchString(o.Amendment) {
		h.Amendment = o.Amendment
	}
	if safeDigest.MatchString(o.AmendmentDigest) {
		h.AmendmentDigest = o.AmendmentDigest
	}
	return h
}

// errors plans one value for every declared error code, and what reads its data.
func (b *builder) errors() {
	var wishes []wish
	b.pkg.Errors = make([]Error, len(b.declaredErrors))
	for i, e := range b.declaredErrors {
		out := &b.pkg.Errors[i]
		*out = Error{Code: e.code, Doc: e.doc()}
		wishes = append(wishes, wish{key: fmt.Sprintf("error %d", e.code), wants: e.names(), grant: func(name string) {
			out.Go = name
			out.Doc[0].Words = name + " " + out.Doc[0].Words
		}})
	}
	b.names.grantAll(wishes)
	wishes = nil
	for i, e := range b.declaredErrors {
		data, more := e.readers(b.pkg.Errors[i].Go)
		b.pkg.Errors[i].Data = data
		wishes = append(wishes, more...)
	}
	b.names.grantAll(wishes)
}
