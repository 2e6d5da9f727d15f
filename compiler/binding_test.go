package compiler

import (
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
)

func TestSameOrigin(t *testing.T) {
	const origin = "https://docs.example.com/api/openrpc.json"
	for _, c := range []struct{ url, want string }{
		{"https://docs.example.com/rpc", "https://docs.example.com/rpc"},
		{"/rpc", "https://docs.example.com/rpc"},
		{"rpc", "https://docs.example.com/api/rpc"},
		{"//docs.example.com/rpc", "https://docs.example.com/rpc"},
		{"https://docs.example.com:443/rpc", "https://docs.example.com:443/rpc"},
		{"HTTPS://DOCS.example.com/rpc", "https://DOCS.example.com/rpc"},
		{"http://docs.example.com/rpc", ""},
		{"https://docs.example.com:8443/rpc", ""},
		{"https://example.com/rpc", ""},
		{"https://docs.example.com.evil.net/rpc", ""},
		{"https://docs.example.com@evil.net/rpc", ""},
		{"https://user@docs.example.com/rpc", ""},
		{"//evil.net/rpc", ""},
		{`\\evil.net\rpc`, ""},
		{`/\evil.net/rpc`, ""},
		{"https://docs.example.com/{path}", ""},
		{"https://docs.example.com/rpc#x", ""},
		{"localhost", "https://docs.example.com/api/localhost"},
		{"javascript:alert(1)", ""},
		{"%zz", ""},
	} {
		if got := sameOrigin(origin, []contract.Server{{URL: c.url}}); got != c.want {
			t.Errorf("sameOrigin(%q) = %q, want %q", c.url, got, c.want)
		}
	}
}
