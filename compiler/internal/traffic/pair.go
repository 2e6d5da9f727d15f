package traffic

import (
	"strconv"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// readPair reads a file that is one pair.
func readPair(f *source.File) (*Log, error) {
	x, fault := pair(f.Root, f, 0)
	if fault != nil {
		return nil, fault
	}
	return &Log{Exchanges: []Exchange{x}}, nil
}

// pair reads {"request": ..., "response": ..., "statusCode": ...}. Its text
// starts at base of f. Members that have no meaning here are passed over.
func pair(n *source.Node, f *source.File, base int) (Exchange, *source.Error) {
	request := n.Get("request")
	if request.Kind != source.Object && request.Kind != source.Array {
		return Exchange{}, failAt(request, "a request is an object or an array, this is of kind %s", request.Kind)
	}
	x := Exchange{Request: whole(request, f, base)}
	if response := n.Get("response"); response != nil && response.Kind != source.Null {
		x.Response = whole(response, f, base)
	}
	status, fault := statusOf(n.Get("statusCode"))
	x.Status = status
	return x, fault
}

// statusOf reads an HTTP status; 0 is none.
func statusOf(n *source.Node) (int, *source.Error) {
	if n == nil {
		return 0, nil
	}
	status, err := strconv.Atoi(n.Text)
	if n.Kind != source.Number || err != nil || status < 0 || status > 999 {
		return 0, failAt(n, "expected an HTTP status")
	}
	return status, nil
}

// whole returns the message that n is, as it is written.
func whole(n *source.Node, f *source.File, base int) *Message {
	from := base + n.Offset
	return part(f, from, from+extent(f.Bytes[from:]))
}

// extent is the length of the object, array or other value that b starts with
// and that was found to be JSON.
func extent(b []byte) int {
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			} else if depth < 0 {
				return i // of what surrounds a scalar
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
		case '"':
			for i++; b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(b)
}
