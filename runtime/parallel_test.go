package runtime

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// instant is a connection to a server that takes no time and shares nothing
// with any other: what is left is the client's own work.
type instant struct {
	result string
	answer bytes.Buffer
}

func (c *instant) Write(b []byte) (int, error) {
	at := bytes.LastIndex(b, []byte(`"id":"`)) + len(`"id":"`)
	body := `{"jsonrpc":"2.0","id":"` + string(b[at:at+32]) + `","result":` + c.result + `}`
	fmt.Fprintf(&c.answer, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	return len(b), nil
}

func (c *instant) Read(b []byte) (int, error)       { return c.answer.Read(b) }
func (c *instant) Close() error                     { return nil }
func (c *instant) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (c *instant) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (c *instant) SetDeadline(time.Time) error      { return nil }
func (c *instant) SetReadDeadline(time.Time) error  { return nil }
func (c *instant) SetWriteDeadline(time.Time) error { return nil }

// apart registers n endpoints that share a registry and nothing else, and
// returns a caller of each. Their servers answer with result.
func apart(t testing.TB, s *Source, n int, result string) []*Caller {
	r := NewRegistry(Options{})
	t.Cleanup(r.Close)
	var callers []*Caller
	for k := range n {
		id := fmt.Sprintf("billing%d", k)
		binding := Binding{
			URL: "http://127.0.0.1:1/rpc", Development: true,
			Dial: func(context.Context, netip.AddrPort) (net.Conn, error) {
				return &instant{result: result}, nil
			},
		}
		if err := r.Register(id, load(t, s), binding); err != nil {
			t.Fatal(err)
		}
		c, err := r.Caller(id, Principal{Name: "x", Kind: Code, Grants: Full(id)})
		if err != nil {
			t.Fatal(err)
		}
		callers = append(callers, c)
	}
	return callers
}

// BenchmarkDistinctEndpoints is to be run with -cpu 1,2,4: calls on endpoints
// of their own take no longer when others are at work. Writes meet in the store.
func BenchmarkDistinctEndpoints(b *testing.B) {
	src := source(nil)
	get, pay := src.Method("invoice.get"), src.Method("invoice.pay")
	b.Run("read", func(b *testing.B) {
		parallel(b, apart(b, src, 64, `{"id":"a","total":1}`), func(c *Caller) error {
			_, err := Call[Invoice](context.Background(), c, get, GetParams{ID: "a"})
			return err
		})
	})
	b.Run("write", func(b *testing.B) {
		parallel(b, apart(b, src, 64, `true`), func(c *Caller) error {
			_, err := Call[bool](context.Background(), c, pay, PayParams{ID: "a", Amount: 1})
			return err
		})
	})
}

// parallel lets every goroutine call through a caller of its own.
func parallel(b *testing.B, callers []*Caller, call func(*Caller) error) {
	var next atomic.Int64
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		c := callers[int(next.Add(1))%len(callers)]
		for pb.Next() {
			if err := call(c); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// Reads on distinct endpoints wait for no lock that they share: the profile of
// contended mutexes stays empty.
func TestReadsOnDistinctEndpointsShareNoLock(t *testing.T) {
	defer goruntime.GOMAXPROCS(goruntime.GOMAXPROCS(max(4, goruntime.NumCPU())))
	src := source(nil)
	callers := apart(t, src, 8, `{"id":"a","total":1}`)
	get := src.Method("invoice.get")
	read := func(c *Caller) {
		if _, err := Call[Invoice](context.Background(), c, get, GetParams{ID: "a"}); err != nil {
			t.Error(err)
		}
	}
	for _, c := range callers { // what is made at first use is not the question
		read(c)
	}
	defer goruntime.SetMutexProfileFraction(goruntime.SetMutexProfileFraction(1))
	before := contended(t)
	var all sync.WaitGroup
	for _, c := range callers {
		all.Go(func() {
			for range 500 {
				read(c)
			}
		})
	}
	all.Wait()
	for stack, n := range contended(t) {
		if n > before[stack] {
			t.Errorf("%d waits at\n%s", n-before[stack], stack)
		}
	}
}

// contended returns how often a call waited for a mutex, by the stack that held
// it. Not counted are the locks of Go's own scheduler and collector, and the one
// that pools take when they start anew after a collection.
func contended(t *testing.T) map[string]int64 {
	records := make([]goruntime.BlockProfileRecord, 10_000)
	n, ok := goruntime.MutexProfile(records)
	if !ok {
		t.Fatal("the profile is larger than expected")
	}
	found := map[string]int64{}
	for _, r := range records[:n] {
		var functions []string
		frames := goruntime.CallersFrames(r.Stack())
		for more := true; more; {
			var f goruntime.Frame
			f, more = frames.Next()
			functions = append(functions, f.Function)
		}
		stack := strings.Join(functions, "\n")
		mutex := strings.HasPrefix(strings.TrimPrefix(stack, "internal/"), "sync.(*") && !strings.Contains(stack, "sync.(*Pool).pinSlow")
		if mutex && strings.Contains(stack, "rpcgen/runtime.Call") {
			found[stack] += r.Count
		}
	}
	return found
}
