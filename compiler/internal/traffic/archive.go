package traffic

import (
	"encoding/base64"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// readArchive reads the entries of an HTTP archive.
func readArchive(f *source.File, l Limits) (*Log, error) {
	entries := f.Root.Get("log").Get("entries")
	if entries == nil || entries.Kind != source.Array {
		at := entries
		if at == nil {
			at = f.Root
		}
		return nil, failAt(at, "an HTTP archive has an array log.entries")
	}
	if len(entries.Items) > l.Exchanges {
		return nil, tooMany(f, entries.Items[l.Exchanges].Offset, l)
	}
	log := &Log{}
	for _, n := range entries.Items {
		x, reason, fault := entry(n)
		switch {
		case fault != nil:
			return nil, fault
		case reason != "":
			log.Skipped = append(log.Skipped, Skip{placeOf(n.Position()), reason})
		default:
			log.Exchanges = append(log.Exchanges, x)
		}
	}
	return log, nil
}

// entry reads one entry, or says why it is no exchange.
func entry(n *source.Node) (x Exchange, skip string, fault *source.Error) {
	request, response := n.Get("request"), n.Get("response")
	if request == nil || request.Kind != source.Object {
		return x, "", failAt(n, "an entry has an object request")
	}
	if x.Request, fault = content(request.Get("postData")); fault != nil {
		return x, "", fault
	}
	if skip = foreign(x.Request); skip != "" {
		return x, skip, nil
	}
	if x.Status, fault = statusOf(response.Get("status")); fault != nil {
		return x, "", fault
	}
	x.Response, fault = content(response.Get("content"))
	return x, "", fault
}

// foreign says why a body is no JSON-RPC request, or nothing.
func foreign(m *Message) string {
	if m == nil {
		return "the request has no body"
	}
	switch o := outlineOf(m.Body); {
	case o.rpc():
		return ""
	case o.object || o.batch:
		return "the request body is no JSON-RPC message"
	default:
		return "the request body is no JSON object"
	}
}

// content reads the body that postData or content holds; nil when none was kept.
func content(n *source.Node) (*Message, *source.Error) {
	text := n.Get("text")
	switch {
	case text == nil, text.Kind == source.String && text.Text == "":
		return nil, nil
	case text.Kind != source.String:
		return nil, failAt(text, "the text of a body is a string, this is of kind %s", text.Kind)
	}
	m := &Message{Body: []byte(text.Text), file: text.File, offset: text.Offset}
	switch encoding := n.Get("encoding"); {
	case encoding == nil, encoding.Kind == source.String && encoding.Text == "":
		return m, nil
	case encoding.Kind != source.String || encoding.Text != "base64":
		return nil, failAt(encoding, "the encoding of a body is base64 or left off")
	}
	body, err := base64.StdEncoding.DecodeString(text.Text)
	if err != nil {
		return nil, failAt(text, "the text of this body is not base64")
	}
	m.Body = body
	return m, nil
}
