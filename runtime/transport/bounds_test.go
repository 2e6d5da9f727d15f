package transport

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// bodyLimit is the limit of the endpoint of boundRows.
const bodyLimit = 4096

func gzipped(n int) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(make([]byte, n))
	z.Close()
	return b.String()
}

func chunked(n int) string {
	var b strings.Builder
	b.WriteString("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
	for ; n > 1000; n -= 1000 {
		fmt.Fprintf(&b, "3e8\r\n%s\r\n", strings.Repeat("x", 1000))
	}
	fmt.Fprintf(&b, "%x\r\n%s\r\n0\r\nX-Trailer: 1\r\n\r\n", n, strings.Repeat("x", n))
	return b.String()
}

// Answers of sizes at, just over and far over the limit, in every framing.
var boundRows = []struct {
	name   string
	answer string
	code   Code // "" is a whole body of
	size   int
}{
	{"B1 plain N", ok(strings.Repeat("x", bodyLimit)), "", bodyLimit},
	{"B1 plain N+1", ok(strings.Repeat("x", bodyLimit+1)), TooLarge, 0},
	{"B1 plain huge", ok(strings.Repeat("x", 1<<20)), TooLarge, 0},
	{"B1 chunked N", chunked(bodyLimit), "", bodyLimit},
	{"B1 chunked N+1", chunked(bodyLimit + 1), TooLarge, 0},
	{"B1 chunked huge", chunked(1 << 20), TooLarge, 0},
	{"B1 to the end N", "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", bodyLimit), "", bodyLimit},
	{"B1 to the end N+1", "HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("x", bodyLimit+1), TooLarge, 0},
	{"B1 lying short", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx", Closed, 0},
	{"B1 lying huge", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\nx", TooLarge, 0},
	{"B1 lying long", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxyz", "", 1},
	{"B1 two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxy", Malformed, 0},
	{"B1 negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nxy", Malformed, 0},
	{"B5 empty", ok(""), "", 0},
	{"B5 204", "HTTP/1.1 204 No Content\r\n\r\n", "", 0},
	{"B2 gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzipped(1<<20), ContentEncoding, 0},
	{"B2 br", "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx", ContentEncoding, 0},
	{"B2 stacked", "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx", ContentEncoding, 0},
	{"B2 identity", "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 1\r\n\r\nx", "", 1},
	{"B2 gzip transfer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nx", Malformed, 0},
	{"B3 headers", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 60<<10) + "\r\nContent-Length: 1\r\n\r\nx", "", 1},
	{"B3 too many headers", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 70<<10) + "\r\nContent-Length: 1\r\n\r\nx", HeaderTooLarge, 0},
	{"B3 endless headers", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X: "+strings.Repeat("x", 1000)+"\r\n", 3000), HeaderTooLarge, 0},
	{"B3 interim", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + ok("x"), "", 1},
	{"B3 endless interim", strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 100), HeaderTooLarge, 0},
	{"B3 switching", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", Malformed, 0},
	{"B5 http/2", "HTTP/2.0 200 OK\r\n\r\nx", Malformed, 0},
	{"B5 http/1.0", "HTTP/1.0 200 OK\r\n\r\nx", "", 1},
	{"B5 not http", "SSH-2.0-OpenSSH\r\n", Malformed, 0},
	{"B5 cut off within the headers", "HTTP/1.1 200 OK\r\nContent-Le", Closed, 0},
	{"B5 cut off within the status line", "HTTP/1.1 20", Closed, 0},
	{"B3 cut off by the limit", "HTTP/1.1 200 OK\r\n" + strings.Repeat("X", headerLimit), HeaderTooLarge, 0},
	{"B5 nothing", "", Closed, 0},
	{"B3 endless trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n" + strings.Repeat("X: "+strings.Repeat("x", 1000)+"\r\n", 3000), Malformed, 0},
	{"B3 a chunk's endless extension", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" + strings.Repeat("x", 1<<20) + "\r\nx\r\n0\r\n\r\n", Malformed, 0},
	{"B3 extensions of many chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1;"+strings.Repeat("x", 3000)+"\r\nx\r\n", 1000), Malformed, 0},
	{"B1 a length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nxy\r\n0\r\n\r\n", "", 2},
	{"B5 reset content", "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/9\r\nContent-Length: 1\r\n\r\nx", "", 1},
}

// bounds holds the answers of one row of the tables.
func bounds(id string) func(*testing.T) {
	return func(t *testing.T) {
		for _, row := range boundRows {
			if !concerns(row.name, id) {
				continue
			}
			t.Run(row.name, func(t *testing.T) {
				s := serve(t, func(c net.Conn, _ int64) bool { answer(c, row.answer); return false })
				e := open(t, Config{URL: s.url, Limits: Limits{Response: bodyLimit, Timeout: time.Minute}})
				r, err := send(t, e, Request{Body: []byte(`{}`), Reuse: true})
				var f *Failure
				switch errors.As(err, &f); {
				case row.code == "" && (err != nil || len(r.Body) != row.size):
					t.Errorf("got %d bytes, %v, want %d", len(r.Body), err, row.size)
				case row.code != "" && (f == nil || f.Code != row.code || !f.Started):
					t.Errorf("got %v, want %s after the start", err, row.code)
				case f != nil && f.Received > bodyLimit+1:
					t.Errorf("%d bytes were read, more than the limit and one", f.Received)
				case f != nil && len(e.idle.idle) > 0:
					t.Error("the connection is kept for another exchange")
				}
			})
		}
	}
}
