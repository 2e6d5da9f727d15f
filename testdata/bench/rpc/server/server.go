// Package server is the service that the benchmark calls: a process of its own
// that answers every request with the request's id and a fixed result, so that
// what it allocates and how long it works is not counted as the client's.
package server

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// Sizes are the results it has, in bytes. Each has a path: /100 and so on.
var Sizes = []int{100, 10_000, 1_000_000}

const variable = "RPCGEN_BENCH_SERVER"

// Wanted reports whether this process was started by Start, and has to Serve.
func Wanted() bool { return os.Getenv(variable) != "" }

// Start starts this program once more, as the server, and returns its URL and
// a function that ends it.
func Start() (url string, stop func(), err error) {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), variable+"=1")
	c.Stderr = os.Stderr
	in, err := c.StdinPipe() // the server ends with it
	if err != nil {
		return "", nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { in.Close(); c.Wait() }
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		stop()
		return "", nil, errors.New("the server did not start")
	}
	return "http://" + strings.TrimSpace(line), stop, nil
}

// Serve prints the server's address and serves until standard input ends.
func Serve() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	go func() { io.Copy(io.Discard, os.Stdin); os.Exit(0) }()
	mux := http.NewServeMux()
	for _, size := range Sizes {
		mux.HandleFunc("/"+strconv.Itoa(size), answer(Page(size)))
	}
	return http.Serve(l, mux)
}

var rooms = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func answer(result []byte) http.HandlerFunc {
	tail := append(append([]byte(`,"result":`), result...), '}')
	return func(w http.ResponseWriter, r *http.Request) {
		body := rooms.Get().(*bytes.Buffer)
		defer rooms.Put(body)
		body.Reset()
		io.Copy(body, r.Body)
		head := append(append(make([]byte, 0, 96), `{"jsonrpc":"2.0","id":`...), id(body.Bytes())...)
		w.Header()["Content-Type"] = []string{"application/json"}
		w.Header()["Content-Length"] = []string{strconv.Itoa(len(head) + len(tail))}
		w.Write(head)
		w.Write(tail)
	}
}

// id returns the id of a request of which no param is called so.
func id(request []byte) []byte {
	i := bytes.LastIndex(request, []byte(`"id":`))
	if i < 0 {
		return []byte("null")
	}
	value := request[i+len(`"id":`):]
	if end := bytes.IndexAny(value, ",}"); end >= 0 {
		value = value[:end]
	}
	return value
}

// Page returns a result of about size bytes, and at least one record.
func Page(size int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"items":[`)
	for i := 0; i == 0 || b.Len()+100 < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"record %d","hash":"0x%032x","value":%s,"active":%v}`,
			100000+i, i, i*7919, strconv.FormatFloat(float64(i)*1.25+0.5, 'f', -1, 64), i%2 == 0)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}
