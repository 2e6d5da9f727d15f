package traffic

import (
	"bytes"
	"encoding/json"
)

// outline is as much of a message as pairing needs. It is read leniently: what
// cannot be read has no id, and the judge of the message says why.
type outline struct {
	object bool
	method bool   // it has a member method
	id     string // comparable; "" when there is none
	batch  bool   // an array
	asks   bool   // a batch whose first message has a method

	members map[string]json.RawMessage
}

func outlineOf(body []byte) outline {
	body = bytes.TrimLeft(body, " \t\r\n")
	if len(body) == 0 {
		return outline{}
	}
	if body[0] == '[' {
		var messages []json.RawMessage
		if json.Unmarshal(body, &messages) != nil {
			return outline{}
		}
		return outline{batch: true, asks: len(messages) > 0 && outlineOf(first(messages[0])).method}
	}
	var o outline
	if body[0] != '{' || json.Unmarshal(body, &o.members) != nil {
		return outline{}
	}
	o.object = true
	_, o.method = o.members["method"]
	o.id = comparable(o.members["id"])
	return o
}

// first is a message of a batch; one that is a batch itself asks nothing.
func first(message json.RawMessage) json.RawMessage {
	if bytes.HasPrefix(message, []byte("[")) {
		return nil
	}
	return message
}

// comparable returns an id so that equal ones are equal text, as
// envelope.ReadReply compares them.
func comparable(id json.RawMessage) string {
	var text string
	if len(id) > 0 && id[0] == '"' && json.Unmarshal(id, &text) == nil {
		return `"` + text
	}
	return string(id)
}

// request reports whether the message asks for something.
func (o outline) request() bool { return o.method || o.asks }

// rpc reports whether a body that could be anything is meant as a JSON-RPC
// request. One that forgot a member is still one, so that it is judged.
func (o outline) rpc() bool {
	if o.batch {
		return o.asks
	}
	_, version := o.members["jsonrpc"]
	_, id := o.members["id"]
	_, params := o.members["params"]
	return version || o.method && (id || params)
}
