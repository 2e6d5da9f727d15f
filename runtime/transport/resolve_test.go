package transport

import (
	"context"
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
)

type answers []string

func (a answers) LookupNetIP(context.Context, string, string) (list []netip.Addr, err error) {
	for _, s := range a {
		list = append(list, netip.MustParseAddr(s))
	}
	return list, nil
}

func testAnswers(t *testing.T) {
	rows := []struct {
		row     string
		answers answers
		want    bool
	}{
		{"public", answers{"8.8.8.8", "2606:4700::1"}, true},
		{"A6 one of them private", answers{"8.8.8.8", "10.0.0.1"}, false},
		{"A6 loopback", answers{"127.0.0.1"}, false},
		{"A6 mapped", answers{"::ffff:169.254.169.254"}, false},
		{"none", answers{}, false},
		{"too many", strings.Fields(strings.Repeat("8.8.8.8 ", 33)), false},
	}
	for _, row := range rows {
		touched := false
		e, err := New(Config{
			URL: "https://a.example/", Resolver: row.answers, Headers: []Header{{"X-Key", "", Text("k")}},
			Dial: func(context.Context, netip.AddrPort) (net.Conn, error) { touched = true; return nil, io.EOF },
		})
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.Prepare(t.Context(), Request{})
		if (err == nil) != row.want || touched {
			t.Errorf("%s: Prepare = %v, dialled %v", row.row, err, touched)
		}
		if err == nil {
			p.Release()
		}
	}
}
