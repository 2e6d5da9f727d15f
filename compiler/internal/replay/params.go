package replay

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// size counts params, and tells whether they are by name. params passed the
// envelope's reader.
func size(params []byte) (n int, object bool) {
	if len(params) == 0 {
		return 0, false
	}
	if params[0] == '{' {
		var members map[string]json.RawMessage
		must(json.Unmarshal(params, &members))
		return len(members), true
	}
	return len(elements(params)), false
}

func elements(array []byte) []json.RawMessage {
	var items []json.RawMessage
	must(json.Unmarshal(array, &items))
	return items
}

// must holds for what the envelope's reader has accepted.
func must(err error) {
	if err != nil {
		panic("replay: JSON that was accepted cannot be read again: " + err.Error())
	}
}

// byName turns an array of params into the object that calls check, and says
// how many elements have no param.
func byName(params []compiled.Param, array []byte) (object []byte, extra int) {
	items := elements(array)
	object = append(make([]byte, 0, len(array)+32*len(items)), '{')
	for i := range min(len(items), len(params)) {
		if i > 0 {
			object = append(object, ',')
		}
		name, err := json.Marshal(params[i].Name)
		must(err)
		object = append(append(append(object, name...), ':'), items[i]...)
	}
	return append(object, '}'), max(0, len(items)-len(params))
}

// places turns a pointer into the params by name into one into the message.
type places func(source.Pointer) source.Pointer

func placesByName(p source.Pointer) source.Pointer { return "/params" + p }

func placesByPosition(params []compiled.Param) places {
	return func(p source.Pointer) source.Pointer {
		if p == "" {
			return "/params"
		}
		first, rest, nested := strings.Cut(string(p[1:]), "/")
		if nested {
			rest = "/" + rest
		}
		for i := range params {
			if source.Pointer("").Append(params[i].Name) == source.Pointer("/"+first) {
				return source.Pointer("/params/" + strconv.Itoa(i) + rest)
			}
		}
		return "/params"
	}
}
