package runtime

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net"
	"net/http"
	stdruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

// replaceID puts the id of a request where a text says "ID".
func replaceID(text string, q request) string { return strings.ReplaceAll(text, `"ID"`, string(q.ID)) }

const matrixLimit = 64 << 10

// matrixSizes are N, N+1 and much more; what is much more never ends by itself.
var matrixSizes = []struct {
	name string
	n    int64
}{{"N", matrixLimit}, {"N+1", matrixLimit + 1}, {"huge", 1 << 40}}

// spaces are written over and over, plainly or as a chunk, so that a huge answer
// costs its server nothing: what is measured is the client.
var spaces = []byte(strings.Repeat(" ", 16<<10))

var spacesChunk = []byte(chunk(string(spaces)))

// whole is a valid answer of n bytes, a part of which follows the envelope.
func whole(q request, n int64) (envelope string, more int64) {
	envelope = replaceID(`{"jsonrpc":"2.0","id":"ID","result":true}`, q)
	return envelope, n - int64(len(envelope))
}

// pour writes n spaces until nobody reads them.
func pour(c net.Conn, n int64, chunked bool) bool {
	for ; n > 0; n -= int64(len(spaces)) {
		part := spaces[:min(n, int64(len(spaces)))]
		switch {
		case chunked && len(part) == len(spaces):
			part = spacesChunk
		case chunked:
			part = []byte(chunk(string(part)))
		}
		if _, err := c.Write(part); err != nil {
			return false
		}
	}
	return true
}

// bombs are answers of N, N+1 and 8 MiB, packed.
var bombs = sync.OnceValue(func() map[int64]string {
	packed := map[int64]string{}
	for _, n := range []int64{matrixLimit, matrixLimit + 1, 8 << 20} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(bytes.Repeat([]byte(" "), int(n)))
		z.Close()
		packed[n] = b.String()
	}
	return packed
})

func chunk(part string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(part), part) }

// manners are the ways in which an answer of n bytes comes.
var matrixManners = []struct {
	name   string
	answer func(s *rawServer, c net.Conn, q request, n int64) bool
	want   [3]outcome.Status // for N, N+1 and huge
	code   [3]string
}{
	{"plain", func(_ *rawServer, c net.Conn, q request, n int64) bool {
		text, more := whole(q, n)
		return write(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", n, text)) && pour(c, more, false)
	}, [3]outcome.Status{outcome.OK, outcome.ResponseTooLarge, outcome.ResponseTooLarge}, [3]string{"", "too_large", "too_large"}},

	{"chunked", func(_ *rawServer, c net.Conn, q request, n int64) bool {
		text, more := whole(q, n)
		return write(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+chunk(text)) && pour(c, more, true) && write(c, "0\r\n\r\n")
	}, [3]outcome.Status{outcome.OK, outcome.ResponseTooLarge, outcome.ResponseTooLarge}, [3]string{"", "too_large", "too_large"}},

	{"to the end", func(_ *rawServer, c net.Conn, q request, n int64) bool {
		text, more := whole(q, n)
		write(c, "HTTP/1.1 200 OK\r\n\r\n"+text)
		pour(c, more, false)
		return false
	}, [3]outcome.Status{outcome.OK, outcome.ResponseTooLarge, outcome.ResponseTooLarge}, [3]string{"", "too_large", "too_large"}},

	{"lying length, one byte missing", func(_ *rawServer, c net.Conn, q request, n int64) bool {
		text, more := whole(q, n)
		write(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", n, text))
		pour(c, more-1, false)
		return false
	}, [3]outcome.Status{outcome.TransportError, outcome.ResponseTooLarge, outcome.ResponseTooLarge}, [3]string{"closed", "too_large", "too_large"}},

	{"lying length, more comes", func(_ *rawServer, c net.Conn, q request, n int64) bool {
		text, more := whole(q, n)
		return write(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(text), text)) && pour(c, more, false)
	}, [3]outcome.Status{outcome.OK, outcome.OK, outcome.OK}, [3]string{}},

	{"gzip", func(_ *rawServer, c net.Conn, _ request, n int64) bool {
		bomb := bombs()[min(n, 8<<20)]
		return write(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(bomb), bomb))
	}, [3]outcome.Status{outcome.InvalidResponse, outcome.InvalidResponse, outcome.InvalidResponse},
		[3]string{"content_encoding", "content_encoding", "content_encoding"}},

	{"slow", func(s *rawServer, c net.Conn, q request, n int64) bool {
		text, more := whole(q, n)
		write(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+chunk(text))
		for ; more > 0; more-- {
			select {
			case <-s.gone:
				return false
			case <-time.After(5 * time.Millisecond): // five minutes for the smallest
				if !write(c, chunk(" ")) {
					return false
				}
			}
		}
		return false
	}, [3]outcome.Status{outcome.TransportError, outcome.TransportError, outcome.TransportError}, [3]string{"timeout", "timeout", "timeout"}},
}

// testBoundMatrix holds each size in each manner: the right status, no more
// memory than the limits say, and an end by the deadline.
func testBoundMatrix(t *testing.T) {
	bombs()
	for _, manner := range matrixManners {
		for i, size := range matrixSizes {
			t.Run(manner.name+" "+size.name, func(t *testing.T) {
				var s *rawServer
				s = serveRaw(t, func(c net.Conn, q request) bool { return manner.answer(s, c, q, size.n) })
				timeout := time.Minute
				if manner.name == "slow" {
					timeout = 100 * time.Millisecond
				}
				end, err, used, took := measured(t, s, timeout)
				for end.Delivery == outcome.NotStarted && timeout < 10*time.Second { // a slow machine
					timeout *= 4
					end, err, used, took = measured(t, s, timeout)
				}
				t.Logf("%d bytes allocated, %v", used, took)
				if end.Status != manner.want[i] || end.Code != manner.code[i] || (err == nil) != (end.Status == outcome.OK) {
					t.Errorf("got %+v, %v, want %s (%s)", end, err, manner.want[i], manner.code[i])
				}
				if want := end.Status == outcome.OK; want != (end.Delivery == outcome.Completed) || !want && end.Delivery != outcome.Unknown {
					t.Errorf("delivery %s", end.Delivery)
				}
				if end.Received > matrixLimit+1 {
					t.Errorf("%d bytes were read, more than the limit and one", end.Received)
				}
				// Sixteen times the limit: the server's buffers are among it.
				if used > 1<<20 || took > 30*time.Second {
					t.Errorf("%d bytes were allocated in %v", used, took)
				}
			})
		}
	}
}

// measured makes one call, and says what it allocated and how long it took.
func measured(t *testing.T, s *rawServer, timeout time.Duration) (end outcome.Outcome, err error, used uint64, took time.Duration) {
	b := s.binding()
	b.Limits = Limits{Response: matrixLimit, Timeout: timeout}
	_, c := setup(t, source(nil), b, code("x"), Options{})
	before, start := allocated(), time.Now()
	_, err = c.Do(t.Context(), "invoice.pay", []byte(`{"id":"a","amount":1}`), Into(&end))
	return end, err, allocated() - before, time.Since(start)
}

// allocated is how many bytes the process has allocated so far.
func allocated() uint64 {
	var m stdruntime.MemStats
	stdruntime.ReadMemStats(&m)
	return m.TotalAlloc
}

// One limit bounds headers, interim answers and trailers; what is over it is no
// answer.
func testHeaderBounds(t *testing.T) {
	long := "X: " + strings.Repeat("x", 1000) + "\r\n"
	rows := []struct {
		name, answer string
		code         string
	}{
		{"headers", "HTTP/1.1 200 OK\r\n" + strings.Repeat(long, 50) + "Content-Length: 70\r\n\r\n", ""},
		{"too many headers", "HTTP/1.1 200 OK\r\n" + strings.Repeat(long, 70), "header_too_large"},
		{"endless headers", "HTTP/1.1 200 OK\r\n" + strings.Repeat(long, 5000), "header_too_large"},
		{"one long header", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20), "header_too_large"},
		{"endless interim answers", strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 5000), "header_too_large"},
		{"long interim answers", strings.Repeat("HTTP/1.1 103 Early Hints\r\n"+strings.Repeat(long, 20)+"\r\n", 5), "header_too_large"},
		{"endless trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + strings.Repeat(long, 5000), "malformed"},
	}
	for _, row := range rows {
		s := serveRaw(t, says(row.answer+`{"jsonrpc":"2.0","id":"ID","result":"x"}`))
		_, c := setup(t, source(nil), s.binding(), code("x"), Options{})
		var end outcome.Outcome
		_, err := c.Do(t.Context(), "ping", nil, Into(&end))
		if row.code == "" && err != nil || row.code != "" && (end.Status != outcome.TransportError || end.Code != row.code || end.Delivery != outcome.Unknown) {
			t.Errorf("%s: %+v, %v, want %q", row.name, end, err, row.code)
		}
	}
}

// The whole request is bounded before anything is sent: a request of the limit
// goes, one of a byte more does not.
func testRequestBound(t *testing.T) {
	s := serve(t, result(`{"id":"a","total":1}`))
	b := s.binding()
	b.Limits.Request = 1000
	_, c := setup(t, source(nil), b, code("x"), Options{})
	call := func(n int) error {
		_, err := c.Do(t.Context(), "invoice.get", []byte(`{"id":"`+strings.Repeat("a", n)+`"}`))
		return err
	}
	largest := 0
	for n := 800; n < 1000; n++ {
		before := s.requests.Load()
		switch err := call(n); {
		case err == nil && n != max(largest+1, 800):
			t.Fatalf("an id of %d bytes goes and one of %d does not", n, n-1)
		case err == nil:
			largest = n
		case !errors.Is(err, ReasonInvalidParams) || s.requests.Load() != before:
			t.Fatalf("an id of %d bytes: %v", n, err)
		}
	}
	if size := len(s.bodies[len(s.bodies)-1]); size > 1000 || size < 990 {
		t.Errorf("the largest request has %d bytes, of a limit of 1000", size)
	}
	for _, n := range []int{5000, 1 << 20, 9 << 20} {
		if err := call(n); !errors.Is(err, ReasonInvalidParams) {
			t.Errorf("an id of %d bytes: %v", n, err)
		}
	}
}

// Any 2xx with a body is read as JSON, unless the binding wants the media type;
// no body is no answer; a part is as good as it reads.
func testKindsOfAnswers(t *testing.T) {
	body := `{"jsonrpc":"2.0","id":"ID","result":"x"}`
	head := func(status, headers string) string {
		return fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\n\r\n", status, headers, len(body)-len(`"ID"`)+34)
	}
	rows := []struct {
		name, answer string
		strict       bool
		status       outcome.Status
		code         string
	}{
		{"json", head("200 OK", "Content-Type: application/json\r\n") + body, true, outcome.OK, ""},
		{"text/html", head("200 OK", "Content-Type: text/html\r\n") + body, false, outcome.OK, ""},
		{"text/html, strict", head("200 OK", "Content-Type: text/html\r\n") + body, true, outcome.InvalidResponse, "media_type"},
		{"another charset", head("200 OK", "Content-Type: application/json; charset=utf-16\r\n") + body, false, outcome.OK, ""},
		{"no type", head("200 OK", "") + body, false, outcome.OK, ""},
		{"no type, strict", head("200 OK", "") + body, true, outcome.InvalidResponse, "media_type"},
		{"201", head("201 Created", "") + body, false, outcome.OK, ""},
		{"206", head("206 Partial Content", "Content-Range: bytes 0-1/2\r\n") + body, false, outcome.OK, ""},
		{"204", "HTTP/1.1 204 No Content\r\n\r\n", false, outcome.InvalidResponse, "empty"},
		{"205", "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n", false, outcome.InvalidResponse, "empty"},
		{"empty", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false, outcome.InvalidResponse, "empty"},
		{"300", head("300 Choices", "") + body, false, outcome.HTTPError, "status"},
		{"304", "HTTP/1.1 304 Not Modified\r\n\r\n", false, outcome.HTTPError, "status"},
		{"trailers", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Status\r\n\r\n46\r\n" + body + "\r\n0\r\nStatus: 500\r\nContent-Encoding: gzip\r\n\r\n", false, outcome.OK, ""},
	}
	for _, row := range rows {
		s := serveRaw(t, says(row.answer))
		b := s.binding()
		b.JSONOnly = row.strict
		_, c := setup(t, source(nil), b, code("x"), Options{})
		var end outcome.Outcome
		if _, err := c.Do(t.Context(), "ping", nil, Into(&end)); end.Status != row.status || end.Code != row.code {
			t.Errorf("%s: %+v, %v, want %s (%s)", row.name, end, err, row.status, row.code)
		}
	}
}

// testDeadlineOfCalls: one deadline holds for the whole of a call, whatever
// takes the time, and a read may be given less.
func testDeadlineOfCalls(t *testing.T) {
	silent := serve(t, func(_ http.ResponseWriter, r request) { <-r.http.Context().Done() })
	tight := source(func(m map[string]*compiled.Method) {
		m["ping"].Authority.Limits = &compiled.Limits{Milliseconds: 300}
	})
	b := silent.binding()
	b.Limits.Timeout = 5 * time.Minute
	_, c := setup(t, tight, b, code("x"), Options{})
	start := time.Now()
	var end outcome.Outcome
	if c.Do(t.Context(), "ping", nil, Into(&end)); end.Code != "timeout" || time.Since(start) > time.Minute {
		t.Errorf("a method with less time: %+v after %v", end, time.Since(start))
	}
}
