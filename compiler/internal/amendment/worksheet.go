package amendment

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/templates"
)

// Worksheet returns the text of an amendment in which nothing is decided: each
// method is a line that is commented out, with its pin filled in, ready to be
// decided. Digests are index-aligned with the contract's methods. The
// document's words stand in comments only, with everything that does not show
// spelled out; read as it is, the text classifies nothing.
func Worksheet(c *contract.Contract, digests []compiled.Digests) []byte {
	if len(digests) != len(c.Methods) {
		panic(fmt.Sprintf("amendment: %d digests for %d methods", len(digests), len(c.Methods)))
	}
	sheet := struct {
		ID     string
		Groups []*group
	}{ID: c.ID}
	byName := make(map[string]*group)
	for i, m := range c.Methods {
		name := groupOf(m)
		g := byName[name]
		if g == nil {
			g = &group{Name: comment(name)}
			byName[name] = g
			sheet.Groups = append(sheet.Groups, g)
		}
		g.Methods = append(g.Methods, newLine(m, digests[i]))
	}
	var b bytes.Buffer
	if err := templates.Worksheet.Execute(&b, sheet); err != nil {
		panic(fmt.Sprintf("amendment: the worksheet template is broken: %v", err))
	}
	return b.Bytes()
}

// group holds methods that a person will look at together, in document order.
type group struct {
	Name    string
	Methods []line
}

// line is one method of a worksheet, its texts escaped for comments.
type line struct {
	Words []string // the document's
	Hints []string // ours
	Entry string   // "" when no entry could open the method
}

func newLine(m *contract.Method, d compiled.Digests) line {
	var l line
	if words := m.Summary; words != "" {
		l.Words = append(l.Words, comment(words))
	} else if m.Description != "" {
		l.Words = append(l.Words, comment(m.Description))
	}
	if m.Deprecated {
		l.Hints = append(l.Hints, "the document calls it deprecated")
	}
	structure := ""
	if byName := m.WithStructure(contract.ByName); m.Faults.HasErrors() && !byName.Faults.HasErrors() && m.StructureDefault {
		l.Hints = append(l.Hints, "by position it cannot be called; as below it can, if the server takes an object")
		m, structure = byName, ", param_structure: by-name"
	}
	if refusal, ok := firstError(m.Faults); ok {
		l.Hints = append(l.Hints, fmt.Sprintf(`"%s" cannot be compiled (%s)`, comment(m.Name), refusal.Code))
		return l
	}
	if !Writable(m.Name) {
		l.Hints = append(l.Hints, fmt.Sprintf(`"%s" has a name that cannot be written here`, comment(m.Name)))
		return l
	}
	notify := ""
	if m.Notification() {
		l.Hints = append(l.Hints, "a notification: nobody answers, so nobody knows whether it arrived")
		notify = ", notification: allow"
	}
	l.Entry = fmt.Sprintf("%s: {use: PROFILE, pin: %q%s%s}", strconv.QuoteToASCII(m.Name), pin.Of(d), structure, notify)
	return l
}

func firstError(l diag.List) (diag.Diagnostic, bool) {
	for _, d := range l {
		if d.Severity == diag.Error {
			return d, true
		}
	}
	return diag.Diagnostic{}, false
}

// groupOf is the method's first tag, else what stands before the first
// separator in its name.
func groupOf(m *contract.Method) string {
	if len(m.Tags) > 0 && m.Tags[0] != "" {
		return m.Tags[0]
	}
	if at := strings.IndexAny(m.Name, "._/:"); at > 0 {
		return m.Name[:at]
	}
	return "other methods"
}

// Writable reports whether our own files may hold the name of a method.
func Writable(name string) bool {
	for _, r := range name {
		if !source.Visible(r) {
			return false
		}
	}
	return strings.TrimSpace(name) != "" && len(strconv.QuoteToASCII(name)) <= longestKey
}

// longestKey is within what YAML allows before the colon of a key, 1,024, that
// is written on one line.
const longestKey = 1000

// commentLimit bounds the document's words to what a person reads at a glance.
const commentLimit = 120

// comment makes foreign text fit for one line of a comment: white space folds
// to one space, what does not show is spelled out, and the rest is cut.
func comment(s string) string {
	var b strings.Builder
	count := 0
	for _, r := range strings.Join(strings.Fields(s), " ") {
		if count++; count > commentLimit {
			b.WriteString("…")
			break
		}
		if source.Visible(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u{%04X}`, r)
		}
	}
	return b.String()
}
