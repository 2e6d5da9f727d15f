package compiler_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/openrpc-go/rpcgen/compiler/internal/pin"
	"github.com/openrpc-go/rpcgen/runtime"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// rpc writes an OpenRPC 1.2.6 document with these methods.
func rpc(methods ...string) string { return versioned("1.2.6", `{}`, methods...) }

// rpcWith is rpc with component schemas.
func rpcWith(schemas string, methods ...string) string {
	return versioned("1.2.6", `{"schemas":`+schemas+`}`, methods...)
}

func versioned(version, components string, methods ...string) string {
	return `{"openrpc":"` + version + `","info":{"title":"test","version":"1"},"methods":[` + strings.Join(methods, ",") + `],"components":` + components + `}`
}

// method writes a method without a param structure of its own. more begins
// with a comma, or is empty.
func method(name, params, result, more string) string {
	return `{"name":"` + name + `","params":[` + params + `],"result":{"name":"r","schema":` + result + `}` + more + `}`
}

// param writes a param; more begins with a comma, or is empty.
func param(name, schema, more string) string {
	return `{"name":"` + name + `","schema":` + schema + more + `}`
}

// inline is a document written in a test, compiled by the stages of the driver.
type inline struct {
	*compiler.Compilation
	t *testing.T
}

// compileText compiles a document that nobody amends. The document may fail.
func compileText(t *testing.T, document string) *inline {
	t.Helper()
	return compileFiles(t, map[string]string{"doc.json": document}, "")
}

// compileFiles compiles doc.json, with other files beside it and an amendment
// where there is one.
func compileFiles(t *testing.T, files map[string]string, amendment string) *inline {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	tgt := compiler.Target{ID: "inline", Document: "doc.json", Output: "inline", Package: "inline"}
	if amendment != "" {
		tgt.Amendment = "amend.yaml"
		write(t, dir, tgt.Amendment, amendment)
	}
	c, err := only(dir, tgt).Compile(tgt, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return &inline{c, t}
}

// openText compiles a document whose methods an amendment opens as reads; more
// has further members of entries, by method.
func openText(t *testing.T, document string, more map[string]string) *inline {
	t.Helper()
	before := compileText(t, document)
	before.compiles()
	var b strings.Builder
	b.WriteString("version: \"1\"\ncontract: inline\nmethods:\n")
	for i, m := range before.Sealed.Methods {
		if m.Authority.State != compiled.Uncompiled {
			fmt.Fprintf(&b, "  %q: {effect: read, pin: %q%s}\n", m.Name, pin.Of(before.Digests[i]), more[m.Name])
		}
	}
	c := compileFiles(t, map[string]string{"doc.json": document}, b.String())
	c.compiles()
	return c
}

// compiles wants a contract; single methods may be refused.
func (c *inline) compiles() {
	c.t.Helper()
	if c.Failed() {
		c.t.Fatalf("the contract failed:\n%s", c.findings())
	}
}

func (c *inline) findings() string {
	var b strings.Builder
	if _, err := c.Findings().Print(&b, true); err != nil {
		c.t.Fatal(err)
	}
	return b.String()
}

// refused wants exactly these methods to be refused.
func (c *inline) refused(want ...string) {
	c.t.Helper()
	c.compiles()
	var got []string
	for _, m := range c.Sealed.Methods {
		if m.Authority.State == compiled.Uncompiled {
			got = append(got, m.Name)
		}
	}
	if !slices.Equal(got, want) {
		c.t.Errorf("refused %q, want %q\n%s", got, want, c.findings())
	}
}

// reports wants a finding with this code at this pointer and returns its message.
func (c *inline) reports(code, pointer string) string {
	c.t.Helper()
	for _, d := range c.Diagnostics {
		if d.Code == code && string(d.Pointer) == pointer {
			if d.Position.Line < 1 || d.Position.Column < 1 {
				c.t.Errorf("%s has no place", code)
			}
			return d.Message
		}
	}
	c.t.Errorf("no %s at %s among the findings:\n%s", code, pointer, c.findings())
	return ""
}

// prints wants every piece of Go in the generated files, however it is aligned.
func (c *inline) prints(pieces ...string) {
	c.t.Helper()
	c.compiles()
	text := ""
	for _, f := range rendered(c.t, c.Compilation) {
		if f.Name != "contract.json" {
			_, body, _ := strings.Cut(string(f.Data), "\npackage inline\n")
			text += body
		}
	}
	squeezed := strings.Join(strings.Fields(text), " ")
	for _, piece := range pieces {
		if !strings.Contains(squeezed, strings.Join(strings.Fields(piece), " ")) {
			c.t.Errorf("the generated files do not hold %s:\n%s", piece, text)
		}
	}
}

// checks wants the package to pass the closed world and the type-check.
func (c *inline) checks() {
	c.t.Helper()
	c.compiles()
	if _, err := inventory(c.t, c.Compilation); err != nil {
		c.t.Error(err)
	}
}

// text is the compiled contract as it is embedded.
func (c *inline) text() string {
	text, err := compiled.Marshal(c.Sealed)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

// node is the result's node of a method, or of a param when it is named.
func (c *inline) node(method, param string) *schema.Node {
	c.t.Helper()
	c.compiles()
	for _, m := range c.Sealed.Methods {
		if m.Name != method {
			continue
		}
		if param == "" {
			return m.ResultNode
		}
		for _, p := range m.ParamsNode.Object.Properties {
			if p.Name == param {
				return p.Node
			}
		}
	}
	c.t.Fatalf("no compiled method %q with param %q:\n%s", method, param, c.findings())
	return nil
}

// admits wants the result of a method to admit and to refuse values.
func (c *inline) admits(method string, good, bad []string) {
	c.t.Helper()
	checker, err := schema.NewChecker(c.node(method, ""))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, v := range good {
		if err := checker.Check([]byte(v)); err != nil {
			c.t.Errorf("%s: %s is refused: %v", method, v, err)
		}
	}
	for _, v := range bad {
		if checker.Check([]byte(v)) == nil {
			c.t.Errorf("%s: %s is admitted", method, v)
		}
	}
}

// endpoint is a compiled document bound to a server in the test's process.
type endpoint struct {
	t      *testing.T
	source *runtime.Source // as a generated package embeds it
	caller *runtime.Caller

	result   string   // what the server answers; with id in it, the whole response
	requests []string // bodies that arrived
}

// serve binds the contract. Every request is answered with result.
func (c *inline) serve(result string, unions ...schema.Union) *endpoint {
	c.t.Helper()
	text := c.text()
	e := &endpoint{t: c.t, result: result, source: runtime.Embedded(text, compiled.Digest([]byte(text)), unions...)}
	server := httptest.NewServer(e)
	c.t.Cleanup(server.Close)
	contract, err := e.source.Load()
	if err != nil {
		c.t.Fatal(err)
	}
	registry := runtime.NewRegistry(runtime.Options{})
	c.t.Cleanup(registry.Close)
	if err := registry.Register("inline", contract, runtime.Binding{URL: server.URL, Development: true}); err != nil {
		c.t.Fatal(err)
	}
	principal := runtime.Principal{Name: "test", Kind: runtime.Code, Grants: runtime.Full("inline")}
	if e.caller, err = registry.Caller("inline", principal); err != nil {
		c.t.Fatal(err)
	}
	return e
}

// ServeHTTP answers one request.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		e.t.Error(err)
	}
	e.requests = append(e.requests, string(body))
	var request struct{ ID json.RawMessage }
	if err := json.Unmarshal(body, &request); err != nil {
		e.t.Error(err)
	}
	if request.ID == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if strings.Contains(e.result, "ID") {
		fmt.Fprint(w, strings.ReplaceAll(e.result, "ID", string(request.ID)))
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, e.result)
}

// sent calls a method with params by name and returns the params as they
// arrived; "" where none did. A call that is refused sends nothing.
func (e *endpoint) sent(method, params string) (string, error) {
	before := len(e.requests)
	_, err := e.caller.Do(context.Background(), method, []byte(params))
	return e.last(before), err
}

// last is the params of the only request since there were before.
func (e *endpoint) last(before int) string {
	if len(e.requests) != before+1 {
		return ""
	}
	var request struct{ Params json.RawMessage }
	if err := json.Unmarshal([]byte(e.requests[before]), &request); err != nil {
		e.t.Fatal(err)
	}
	return string(request.Params)
}
