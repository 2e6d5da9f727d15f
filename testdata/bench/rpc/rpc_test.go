package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/openrpc-go/rpcgen/testdata/bench/rpc/server"
)

var address string

func TestMain(m *testing.M) {
	if server.Wanted() {
		server.Serve()
		return
	}
	url, stop, err := server.Start()
	if err != nil {
		panic(err)
	}
	address = url
	code := m.Run()
	stop()
	os.Exit(code)
}

// want is how many records a result has.
func want(t testing.TB, size int) int {
	var p page
	if err := json.Unmarshal(server.Page(size), &p); err != nil {
		t.Fatal(err)
	}
	return len(p.Items)
}

// TestColumnsAgree keeps the figures honest: whoever decodes has to find every
// record.
func TestColumnsAgree(t *testing.T) {
	for _, size := range server.Sizes {
		for _, column := range Columns() {
			call, stop, err := column.Make(address + "/" + strconv.Itoa(size))
			if err != nil {
				t.Fatalf("%s: %v", column.Name, err)
			}
			if n, err := call(context.Background()); err != nil || n != Bytes && n != want(t, size) {
				t.Errorf("%s: %d records, %v; want %d", column.Name, n, err, want(t, size))
			}
			stop()
		}
	}
}

func Benchmark(b *testing.B) {
	for _, size := range server.Sizes {
		for _, column := range Columns() {
			b.Run(fmt.Sprintf("%d/%s", size, column.Name), func(b *testing.B) {
				call, stop, err := column.Make(address + "/" + strconv.Itoa(size))
				if err != nil {
					b.Fatal(err)
				}
				defer stop()
				b.ReportAllocs()
				for b.Loop() {
					if _, err := call(context.Background()); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
