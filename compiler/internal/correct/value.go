package correct

import (
	"bytes"
	"unicode/utf8"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/canonical"
)

// equal reports whether two values mean the same in JSON: the order of members
// and the spelling of a number do not count.
func equal(a, b *source.Node) bool { return bytes.Equal(spelled(a), spelled(b)) }

// spelled is the canonical form of a value; one that has none, such as a
// number of a hundred digits, counts as it is written.
func spelled(n *source.Node) []byte {
	raw := n.JSON()
	if b, err := canonical.JSON(nil, raw); err == nil {
		return b
	}
	return raw
}

// show is a value for a message, as JSON, no longer than a person reads.
func show(n *source.Node) string {
	const most = 200
	text := string(n.JSON())
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
