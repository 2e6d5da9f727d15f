package runtime

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// rawServer writes its answers byte by byte, as no HTTP library would.
type rawServer struct {
	url         string
	connections atomic.Int64
	effects     atomic.Int64  // requests that were read whole
	gone        chan struct{} // closed when the test is over
}

// serveRaw starts a server that reads each request and lets answer write what
// it wants; the connection ends when answer returns false.
func serveRaw(t testing.TB, answer func(c net.Conn, q request) bool) *rawServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rawServer{url: "http://" + listener.Addr().String() + "/rpc", gone: make(chan struct{})}
	var open sync.WaitGroup
	t.Cleanup(func() { close(s.gone); listener.Close(); open.Wait() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			s.connections.Add(1)
			open.Go(func() { s.talk(c, answer) })
		}
	}()
	return s
}

func (s *rawServer) talk(c net.Conn, answer func(net.Conn, request) bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { // ends what still writes when the test is over
		select {
		case <-s.gone:
		case <-ctx.Done():
		}
		c.Close()
	}()
	for reader := bufio.NewReader(c); ; {
		r, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		body, err := io.ReadAll(r.Body)
		q := request{http: r}
		if err != nil || json.Unmarshal(body, &q) != nil {
			return
		}
		s.effects.Add(1)
		if !answer(c, q) {
			return
		}
	}
}

func (s *rawServer) binding() Binding { return Binding{URL: s.url, Development: true} }

// says answers every request with the same bytes, in which ID is the request's.
func says(text string) func(net.Conn, request) bool {
	return func(c net.Conn, q request) bool { return write(c, replaceID(text, q)) }
}

func write(c net.Conn, text string) bool {
	_, err := io.WriteString(c, text)
	return err == nil
}
