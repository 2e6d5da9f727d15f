package openrpc

import (
	"regexp"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// servers reads the servers of the document or of a method. They suggest and
// bind nothing, so their faults are warnings. No servers are no servers: the
// specification's "localhost" would be a call to the reader's own machine.
func (r *reader) servers(owner object) []contract.Server {
	var servers []contract.Server
	for _, item := range owner.list("servers", false) {
		if item.Kind != source.Object {
			owner.report(diag.Warn(item, CodeWrongType, "the server is %s, not an object; it is left out", kindOf(item)))
			continue
		}
		o := r.object(item, "server", owner.report)
		url := item.Get("url")
		if url == nil || url.Kind != source.String || url.Text == "" {
			owner.report(diag.Warn(item, CodeMissingURL, "the server has no \"url\"; it is left out"))
			continue
		}
		s := contract.Server{Name: o.text("name"), URL: url.Text, Node: item}
		s.Variables = variables(o, url)
		o.rest([]string{"name", "url", "summary", "description", "variables"})
		servers = append(servers, s)
	}
	return servers
}

// variableForm finds the variables of a templated URL, "${port}" or "{port}".
var variableForm = regexp.MustCompile(`\{([^{}]*)\}`)

func variables(server object, url *source.Node) []source.Member {
	n := server.node.Get("variables")
	if n != nil && n.Kind != source.Object {
		server.report(diag.Warn(n, CodeWrongType, "\"variables\" of the server is %s, not an object; it is left out", kindOf(n)))
		n = nil
	}
	for _, found := range variableForm.FindAllStringSubmatch(url.Text, -1) {
		if n.Get(found[1]) == nil {
			server.report(diag.Warn(url, CodeServerVariable, "the server's \"url\" has a variable %q that is not among its \"variables\"", found[1]))
		}
	}
	if n == nil {
		return nil
	}
	var variables []source.Member
	for _, m := range n.Members {
		if checkVariable(m, server.report) {
			variables = append(variables, m)
		}
	}
	return variables
}

// checkVariable reports whether a server variable can be used: an object with
// a default, which is one of its enum when it has one.
func checkVariable(m source.Member, report func(diag.Diagnostic)) bool {
	fallback := m.Value.Get("default")
	if fallback == nil || fallback.Kind != source.String {
		report(diag.Warn(m.Value, CodeServerVariable, "the server variable %q has no \"default\" that is a string; it is left out", m.Name))
		return false
	}
	enum := m.Value.Get("enum")
	if enum == nil || enum.Kind != source.Array {
		return true
	}
	for _, v := range enum.Items {
		if v.Kind == source.String && v.Text == fallback.Text {
			return true
		}
	}
	report(diag.Warn(fallback, CodeServerVariable, "the default %q of the server variable %q is not in its \"enum\"", fallback.Text, m.Name))
	return true
}
