package render

import (
	"strconv"

	"github.com/openrpc-go/rpcgen/compiler/internal/plan"
)

// tests prints the test that plays the document's examples, and the examples.
func (p *printer) tests() {
	p.doc(ours("TestExamples plays the examples of the document through the client, against a server that answers what they say. " +
		"Methods that are closed must be refused before anything is sent."))
	p.print(`func TestExamples(t *testing.T) {
	rehearsal := runtime.NewRehearsal(contract, NewClient)
	server := httptest.NewServer(rehearsal)
	defer server.Close()
	for _, x := range examples {
		t.Run(x.Method+"/"+x.Name, func(t *testing.T) {
			if err := rehearsal.Play(t.Context(), server.URL, x); err != nil {
				t.Error(err)
			}
		})
	}
}`)
	p.end()
	p.doc(ours("examples are those of the document that fit their schemas." + leftOut(p.pkg.Tests.Left)))
	p.print("var examples = []runtime.Example[*Client]{")
	for i := range p.pkg.Tests.Examples {
		if i == 0 {
			p.print("\n")
		}
		p.example(&p.pkg.Tests.Examples[i])
	}
	p.print("}")
	p.end()
}

func leftOut(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " One more is left out: it does not fit, says no result, or is too large."
	default:
		return " " + strconv.Itoa(n) + " more are left out: they do not fit, say no result, or are too large."
	}
}

// example prints one row.
func (p *printer) example(x *plan.Example) {
	m := &p.pkg.Methods[x.Method]
	how := "Plays"
	if m.Params == nil {
		how += "Bare"
	}
	if m.Notification {
		how += "Notice"
	}
	p.print("\t{Method: ", quoted(m.Wire), ", Name: ", quoted(x.Name), ", Call: runtime.", how, "((*Client).", p.id(m.Go), ")")
	for _, text := range []struct{ field, json string }{{"Params", x.Params}, {"Wire", x.Wire}, {"Result", x.Result}} {
		if text.json != "" {
			p.print(", ", text.field, ": ", raw(text.json))
		}
	}
	if x.Loose {
		p.print(", Loose: true")
	}
	p.print("},\n")
}
