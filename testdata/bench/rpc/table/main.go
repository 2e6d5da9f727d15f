// Command table measures the columns in turn, many short rounds of each, and
// prints the medians with their ratios: on a machine that others use as well,
// only what ran side by side can be compared.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/openrpc-go/rpcgen/testdata/bench/rpc"
	"github.com/openrpc-go/rpcgen/testdata/bench/rpc/server"
)

func main() {
	log.SetFlags(0)
	if server.Wanted() {
		log.Fatal(server.Serve())
	}
	rounds := flag.Int("rounds", 41, "rounds of each column")
	chunk := flag.Duration("chunk", 25*time.Millisecond, "length of a round")
	flag.IntVar(&only.size, "size", 0, "measure results of this size alone")
	flag.IntVar(&only.callers, "callers", 0, "measure this many callers alone")
	flag.Parse()
	url, stop, err := server.Start()
	if err != nil {
		log.Fatal(err)
	}
	err = tables(url, *rounds, *chunk)
	stop()
	if err != nil {
		log.Fatal(err)
	}
}

// only says what is wanted; zero is everything.
var only struct{ size, callers int }

func tables(url string, rounds int, chunk time.Duration) error {
	for _, callers := range []int{1, 8} {
		for _, size := range server.Sizes {
			if only.size > 0 && size != only.size || only.callers > 0 && callers != only.callers {
				continue
			}
			t, err := measure(url, size, callers, rounds, chunk)
			if err != nil {
				return err
			}
			t.print(os.Stdout)
		}
	}
	return nil
}

// cost is what a call took.
type cost struct {
	wall, cpu time.Duration // the client's CPU alone
}

// row is what was measured of one column.
type row struct {
	column        rpc.Column
	call          rpc.Call
	count         int    // calls in a round
	costs         []cost // a call's, one for each round
	allocs, bytes uint64 // a call's
}

// table is what was measured side by side.
type table struct {
	size, callers int
	rows          []*row
}

func measure(url string, size, callers, rounds int, chunk time.Duration) (*table, error) {
	t := &table{size: size, callers: callers}
	for _, column := range rpc.Columns() {
		call, stop, err := column.Make(url + "/" + strconv.Itoa(size))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", column.Name, err)
		}
		defer stop()
		r := &row{column: column, call: call}
		t.rows = append(t.rows, r)
		if _, err := r.round(callers, 3*callers); err != nil { // opens connections, fills pools
			return nil, fmt.Errorf("%s: %w", column.Name, err)
		}
		once, err := r.round(callers, 5*callers)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", column.Name, err)
		}
		r.count = max(callers, int(chunk/max(1, once.wall)))
	}
	for range rounds {
		for _, r := range t.rows {
			c, err := r.round(callers, r.count)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.column.Name, err)
			}
			r.costs = append(r.costs, c)
		}
	}
	for _, r := range t.rows {
		if err := r.allocated(callers); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// round makes n calls and returns what one of them took.
func (r *row) round(callers, n int) (cost, error) {
	cpu, start := used(), time.Now()
	err := r.calls(callers, n)
	wall := time.Since(start)
	return cost{wall / time.Duration(n), (used() - cpu) / time.Duration(n)}, err
}

// calls makes n calls by several callers.
func (r *row) calls(callers, n int) error {
	errs := make([]error, callers)
	var all sync.WaitGroup
	for k := range callers {
		all.Go(func() {
			for i := k; i < n && errs[k] == nil; i += callers {
				_, errs[k] = r.call(context.Background())
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *row) allocated(callers int) error {
	n := max(r.count, 20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := r.calls(callers, n)
	runtime.ReadMemStats(&after)
	r.allocs, r.bytes = (after.Mallocs-before.Mallocs)/uint64(n), (after.TotalAlloc-before.TotalAlloc)/uint64(n)
	return err
}

// used returns the CPU time of this process.
func used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func wall(c cost) time.Duration { return c.wall }
func cpu(c cost) time.Duration  { return c.cpu }

// median of the rounds.
func (r *row) median(of func(cost) time.Duration) time.Duration {
	list := make([]time.Duration, len(r.costs))
	for k, c := range r.costs {
		list[k] = of(c)
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// ratio of a to b: the median of the ratios of each round, as what disturbs
// one column of a round mostly disturbs its neighbours too.
func ratio(a, b *row, of func(cost) time.Duration) float64 {
	list := make([]float64, len(a.costs))
	for k := range a.costs {
		list[k] = float64(of(a.costs[k])) / float64(max(1, of(b.costs[k])))
	}
	slices.Sort(list)
	return list[len(list)/2]
}
