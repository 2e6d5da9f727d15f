package main

import (
	"fmt"
	"io"
	"time"

	"github.com/openrpc-go/rpcgen/testdata/bench/rpc"
)

func (t *table) of(name string) *row {
	for _, r := range t.rows {
		if r.column.Name == name {
			return r
		}
	}
	return nil
}

func (t *table) print(w io.Writer) {
	callers := "one caller"
	if t.callers > 1 {
		callers = fmt.Sprint(t.callers, " callers")
	}
	fmt.Fprintf(w, "\n### %d bytes, %s\n\n", t.size, callers)
	fmt.Fprintln(w, "| column | µs | × floor 0 | × floor 1 | × go-ethereum | client CPU µs | CPU × floor 0 | allocs | bytes |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	floor0, floor1, ethereum := t.of(rpc.Floor0), t.of(rpc.Floor1), t.of(rpc.GoEthereum)
	for _, r := range t.rows {
		fmt.Fprintf(w, "| %s | %.1f | %.2f | %.2f | %.2f | %.1f | %.2f | %d | %d |\n", r.column.Name, micro(r.median(wall)),
			ratio(r, floor0, wall), ratio(r, floor1, wall), ratio(r, ethereum, wall),
			micro(r.median(cpu)), ratio(r, floor0, cpu), r.allocs, r.bytes)
	}
	fmt.Fprintln(w)
	t.demands(w)
}

// demands prints what is asked of a governed read, and whether it is met.
func (t *table) demands(w io.Writer) {
	read := t.of(rpc.Read)
	switch t.size {
	case 100:
		t.most(w, rpc.Read, rpc.Floor0, 1.15)
		t.most(w, rpc.WriteReuse, rpc.Floor0, 1.15)
		t.most(w, rpc.WriteFresh, rpc.FloorFresh, 1.15)
		fmt.Fprintf(w, "- %s allocates %d times, asked at most 64: %s\n", rpc.Read, read.allocs, verdict(read.allocs <= 64))
	case 10_000:
		t.faster(w, rpc.GoEthereum, 2)
	case 1_000_000:
		t.faster(w, rpc.GoEthereum, 4)
		t.faster(w, rpc.Floor1, 2.5)
	}
}

func (t *table) most(w io.Writer, a, b string, asked float64) {
	r := ratio(t.of(a), t.of(b), wall)
	fmt.Fprintf(w, "- %s takes %.2f times as long as %s, asked at most %.2f: %s\n", a, r, b, asked, verdict(r <= asked))
}

func (t *table) faster(w io.Writer, slow string, asked float64) {
	r := ratio(t.of(slow), t.of(rpc.Read), wall)
	fmt.Fprintf(w, "- %s takes %.2f times as long as %s, asked at least %.1f: %s\n", slow, r, rpc.Read, asked, verdict(r >= asked))
}

func verdict(ok bool) string {
	if ok {
		return "met"
	}
	return "short"
}

func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
