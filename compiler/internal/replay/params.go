package replay

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// byName turns values by position into the object that calls check. Values
// beyond the params are left out.
func byName(params []compiled.Param, values [][]byte) []byte {
	object := []byte{'{'}
	for i := range min(len(values), len(params)) {
		if i > 0 {
			object = append(object, ',')
		}
		name, err := json.Marshal(params[i].Name)
		if err != nil {
			panic("replay: a name of a param cannot be written: " + err.Error())
		}
		object = append(append(append(object, name...), ':'), values[i]...)
	}
	return append(object, '}')
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
