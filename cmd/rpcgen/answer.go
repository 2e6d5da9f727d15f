package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler"
)

// answers collects what a person confirms, question by question. Whatever is
// not plainly a yes is a no.
type answers struct {
	t        terminal
	flags    *reviewFlags
	typed    *typist
	yes, no  map[string]bool // methods with a question confirmed, and with one that was not
	texts    map[string]string
	remove   []string
	renew    []string
	until    string
	pinnable map[string]string
	server   string
}

func newAnswers(typed *typist, t terminal, f *reviewFlags) *answers {
	return &answers{t: t, flags: f, typed: typed, yes: map[string]bool{}, no: map[string]bool{}, texts: map[string]string{}, pinnable: map[string]string{}, until: f.until}
}

// typist is the person at the terminal: one for a run, whatever is asked.
type typist struct {
	ctx   context.Context
	lines chan string // closed at the end of the input
}

// newTypist reads what is typed; nil when nobody can type.
func newTypist(ctx context.Context, ask *os.File) *typist {
	if ask == nil {
		return nil
	}
	p := &typist{ctx: ctx, lines: make(chan string)}
	go p.read(ask)
	return p
}

// answerLimit bounds one line that a person types.
const answerLimit = 4096

// read hands on line by line. A read from a terminal cannot be called back, so
// it stands beside the questions.
func (p *typist) read(in io.Reader) {
	defer close(p.lines)
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 0, answerLimit), answerLimit)
	for scanner.Scan() {
		select {
		case p.lines <- scanner.Text():
		case <-p.ctx.Done():
			return
		}
	}
}

// line asks and returns what was typed; nothing at the end of the input, and
// when somebody interrupts.
func (a *answers) line(prompt string) string {
	if a.interrupted() {
		return ""
	}
	fmt.Fprint(a.t.err, prompt)
	select {
	case text, ok := <-a.typed.lines:
		if !ok {
			fmt.Fprintln(a.t.err)
		}
		return strings.TrimSpace(text)
	case <-a.typed.ctx.Done():
		fmt.Fprintln(a.t.err)
		return ""
	}
}

// interrupted reports whether somebody wanted to leave, so that nothing of what
// was confirmed before counts.
func (a *answers) interrupted() bool { return a.typed.ctx.Err() != nil }

func (a *answers) confirm(prompt string) bool {
	text := a.line(prompt + " [y/N] ")
	return text == "y" || text == "Y" || text == "yes"
}

// ask asks one question.
func (a *answers) ask(q compiler.Question) {
	switch q.Kind {
	case compiler.Moved, compiler.Unpinned:
		a.pins(q)
	case compiler.Words:
		if a.confirm("  I have read these words; acknowledge them?") {
			for _, m := range q.Methods {
				a.texts[m.Name] = m.Text
			}
		}
	case compiler.Orphan:
		if a.confirm("  Remove the lines of this entry?") {
			for _, m := range q.Methods {
				a.remove = append(a.remove, m.Name)
			}
		}
	case compiler.Server:
		if q.Server != "" && a.confirm("  Is this the right server?") {
			a.server = q.Server
		}
	case compiler.Expired, compiler.Expiring:
		a.dates(q)
	default:
		panic("no such question: " + string(q.Kind))
	}
}

// pins asks once for all methods of a cause, and for the destructive ones by
// name.
func (a *answers) pins(q compiler.Question) {
	confirmed := a.confirm("  Do these entries still say the right thing?")
	for _, m := range q.Methods {
		yes := confirmed
		if yes && m.Destructive() {
			yes = a.line(fmt.Sprintf("  %s is destructive; type its name to confirm it: ", compiler.Escape(m.Name))) == m.Name
		}
		a.pinnable[m.Name] = m.Pin
		if yes {
			a.yes[m.Name] = true
		} else {
			a.no[m.Name] = true
		}
	}
}

func (a *answers) dates(q compiler.Question) {
	prompt := "  Renew until which day (2027-05-31; nothing leaves it)? "
	if a.until != "" {
		prompt = fmt.Sprintf("  Renew until which day (nothing leaves it, . for %s)? ", a.until)
	}
	text := a.line(prompt)
	switch {
	case text == "":
		return
	case text != ".":
		if a.until != "" && a.until != text {
			fmt.Fprintf(a.t.err, "  one run renews to one day, %s: run it again for another\n", a.until)
			return
		}
		a.until = text
	}
	for _, m := range q.Methods {
		a.renew = append(a.renew, m.Name)
	}
}

// confirmed is what is written: a method's pin only when every question about
// it was confirmed.
func (a *answers) confirmed(*compiler.Review) compiler.Confirmation {
	pins := map[string]string{}
	for name := range a.yes {
		if a.no[name] {
			continue
		}
		pins[name] = a.pinnable[name]
	}
	return compiler.Confirmation{
		Pins: pins, Texts: a.texts, Remove: a.remove, Renew: a.renew,
		Until: a.until, By: a.flags.by, Today: today(a.t), Server: a.server,
	}
}

// settled reports whether every method of a question was written.
func (a *answers) settled(q compiler.Question, written compiler.Confirmation) bool {
	if q.Kind == compiler.Server {
		return written.Server != ""
	}
	for _, m := range q.Methods {
		done := false
		switch q.Kind {
		case compiler.Moved, compiler.Unpinned:
			_, done = written.Pins[m.Name]
		case compiler.Words:
			_, done = written.Texts[m.Name]
		case compiler.Orphan:
			done = slices.Contains(written.Remove, m.Name)
		case compiler.Expired, compiler.Expiring:
			done = slices.Contains(written.Renew, m.Name)
		}
		if !done {
			return false
		}
	}
	return true
}
