package runtime

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
)

// wireParams returns checked params by name in canonical form, and the exact
// bytes that travel: the same, or an array for a positional method, or nothing
// at all when there are none and the server does not insist on a member.
func wireParams(m *compiled.Method, object []byte) (named, wire []byte, err error) {
	if len(object) > 0 {
		if named, err = canonical.JSON(make([]byte, 0, len(object)), object); err != nil {
			return nil, nil, err
		}
	}
	empty := len(named) == 0 || string(named) == "{}"
	switch {
	case empty && m.NoParams != "empty":
		return named, nil, nil
	case empty && m.Positional:
		return named, []byte("[]"), nil
	case empty:
		return named, []byte("{}"), nil
	case m.Positional:
		wire, err = positional(m.Params, named)
		return named, wire, err
	default:
		return named, named, nil
	}
}

// positional puts the members of an object in declared order. Trailing absent
// ones are left off; one absent before a given one has no place to leave empty.
func positional(params []compiled.Param, named []byte) ([]byte, error) {
	values := make([][]byte, len(params))
	last := -1
	err := scan.Members(named, 0, func(quoted []byte, start, end int) error {
		name := string(scan.Unquote(nil, quoted))
		for i := range params {
			if params[i].Name == name {
				values[i] = named[start:end]
				last = max(last, i)
				return nil
			}
		}
		return fmt.Errorf("param %q is not declared", name)
	})
	if err != nil {
		return nil, err
	}
	array := append(make([]byte, 0, len(named)), '[')
	for i, value := range values[:last+1] {
		if value == nil {
			return nil, fmt.Errorf("param %q is absent while the later param %q is given, and the method takes its params by position",
				params[i].Name, params[last].Name)
		}
		if i > 0 {
			array = append(array, ',')
		}
		array = append(array, value...)
	}
	return append(array, ']'), nil
}
