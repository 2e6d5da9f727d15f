// Command table measures the columns of every case in turn, many short rounds
// of each, and prints the shortest times with their ratios: on a machine that
// others use as well, only what ran side by side can be compared.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/testdata/bench/validate"
)

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 40, "rounds of each column")
	chunk := flag.Duration("chunk", 10*time.Millisecond, "length of a round")
	only := flag.String("case", "", "measure the cases whose names hold this")
	flag.Parse()
	list, err := validate.Cases()
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range list {
		if !strings.Contains(c.Name, *only) {
			continue
		}
		measured, err := measure(c, *rounds, *chunk)
		if err != nil {
			log.Fatal(err)
		}
		measured.print(os.Stdout)
	}
}

// figure is what one column took for one text.
type figure struct {
	column validate.Column
	best   time.Duration
	middle time.Duration
	allocs uint64
	bytes  uint64
}

type figures struct {
	name string
	size int
	list []figure
}

func measure(c validate.Case, rounds int, chunk time.Duration) (*figures, error) {
	f := &figures{name: c.Name, size: len(c.Text)}
	counts := make([]int, len(c.Columns))
	times := make([][]time.Duration, len(c.Columns))
	for k, column := range c.Columns {
		once, err := timed(column, c.Text, 1)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", c.Name, column.Name, err)
		}
		once, _ = timed(column, c.Text, 1)
		counts[k] = max(1, int(chunk/max(1, once)))
	}
	for range rounds {
		for k, column := range c.Columns {
			took, err := timed(column, c.Text, counts[k])
			if err != nil {
				return nil, err
			}
			times[k] = append(times[k], took/time.Duration(counts[k]))
		}
	}
	for k, column := range c.Columns {
		slices.Sort(times[k])
		allocs, size := allocated(column, c.Text, counts[k])
		f.list = append(f.list, figure{column, times[k][0], times[k][rounds/2], allocs, size})
	}
	return f, nil
}

func timed(c validate.Column, text []byte, n int) (time.Duration, error) {
	start := time.Now()
	for range n {
		if err := c.Read(text); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

// allocated returns allocations and bytes of one reading.
func allocated(c validate.Column, text []byte, n int) (allocs, size uint64) {
	n = max(n, 20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		c.Read(text)
	}
	runtime.ReadMemStats(&after)
	return (after.Mallocs - before.Mallocs) / uint64(n), (after.TotalAlloc - before.TotalAlloc) / uint64(n)
}

func (f *figures) of(name string) *figure {
	for k := range f.list {
		if f.list[k].column.Name == name {
			return &f.list[k]
		}
	}
	return nil
}

func (f *figures) print(w io.Writer) {
	fmt.Fprintf(w, "\n### %s, %d bytes\n\n| column | value | µs, best | µs, median | × json.Valid | × our decode | allocs | bytes |\n|---|---|--:|--:|--:|--:|--:|--:|\n", f.name, f.size)
	floor, decode := f.of(validate.JSONValid), f.of(validate.Decode)
	for _, one := range f.list {
		value := "–"
		if one.column.Typed {
			value = "typed"
		}
		fmt.Fprintf(w, "| %s | %s | %.2f | %.2f | %.2f | %.2f | %d | %d |\n", one.column.Name, value, micro(one.best), micro(one.middle),
			ratio(&one, floor), ratio(&one, decode), one.allocs, one.bytes)
	}
	fmt.Fprintln(w)
	f.demand(w, "ogen takes", validate.Ogen, validate.Decode, "as long as our decode", 1, true)
	f.demand(w, "santhosh and encoding/json take", validate.SanthoshTyped, validate.Decode, "as long as our decode", 10, true)
	f.demand(w, "santhosh takes", validate.Santhosh, validate.Check, "as long as our check", 12, true)
	f.demand(w, "our check takes", validate.Check, validate.JSONValid, "as long as json.Valid", 1.2, false)
	if check := f.of(validate.Check); check.allocs > 0 {
		fmt.Fprintf(w, "- our check allocates %d times, asked 0: short\n", check.allocs)
	}
	if written := f.of(validate.Written); written != nil {
		fmt.Fprintf(w, "- our decode allocates %d times, json v2 %d: %s\n", decode.allocs, written.allocs, verdict(decode.allocs <= written.allocs))
	}
}

// demand prints how one column compares to another and what is asked.
func (f *figures) demand(w io.Writer, subject, a, b, object string, asked float64, least bool) {
	x, y := f.of(a), f.of(b)
	if x == nil || y == nil {
		return
	}
	r, word := ratio(x, y), "at most"
	if least {
		word = "at least"
	}
	fmt.Fprintf(w, "- %s %.2f times %s, asked %s %.1f: %s\n", subject, r, object, word, asked, verdict(least && r >= asked || !least && r <= asked))
}

func verdict(ok bool) string {
	if ok {
		return "met"
	}
	return "short"
}

func ratio(a, b *figure) float64 { return float64(a.best) / float64(b.best) }

func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
