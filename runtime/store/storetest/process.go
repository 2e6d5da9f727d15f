package storetest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/store"
)

// The environment by which a test binary knows that it is a child.
const (
	childRole = "RPCGEN_STORETEST_ROLE"
	childName = "RPCGEN_STORETEST_STORE"
)

// Child does what RunProcesses wants of a child process and ends it, or returns
// at once in any other process. Call it first in TestMain; open opens the store
// that RunProcesses was given the name of.
func Child(open func(name string) (store.Store, error)) {
	role := os.Getenv(childRole)
	if role == "" {
		return
	}
	s, err := open(os.Getenv(childName))
	if err == nil {
		err = race(s, role)
	}
	if err != nil {
		fmt.Println("failed", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// race tries to spend every line of the input: the id of an approval, or "-"
// for a call under the common budget. Its output are the lines it won.
func race(s store.Store, child string) error {
	fmt.Println("ready")
	all, err := io.ReadAll(os.Stdin) // ends for all children at the same time
	if err != nil {
		return err
	}
	for i, line := range strings.Fields(string(all)) {
		err := s.Consume(context.Background(), raceNow, raced(i, fmt.Sprint(child, "/", i), line))
		switch {
		case err == nil:
			fmt.Println("won", i)
		case !errors.Is(err, store.ErrConsumed) && !errors.Is(err, store.ErrBudget):
			return err
		}
	}
	return nil
}

var raceNow = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func raced(i int, requestID, line string) store.Consumption {
	c := store.Consumption{RequestID: requestID, Tuple: racedTuple(i)}
	if line == "-" {
		c.Charges = []store.Charge{charge("common", store.Use{Calls: racedCalls}, store.Use{Calls: 1})}
	} else {
		c.ApprovalID = line
	}
	return c
}

func racedTuple(i int) store.Tuple {
	t := tuple()
	t.Params, t.Principal = fmt.Sprint(i), fmt.Sprint("bot", i/store.MaxPending)
	return t
}

const (
	racers         = 8
	racedApprovals = 200
	racedAttempts  = 50 // of each racer under the common budget
	racedCalls     = 100
)

// RunProcesses (P1, P10) lets processes race for the approvals and the budget of one
// store, which Child's open opens by name: each of 200 approvals has one winner,
// and of 400 attempts 100 fit the budget.
func RunProcesses(t *testing.T, s store.Store, name string) {
	f := &fixture{T: t, store: s, now: raceNow}
	f.register(tuple().Endpoint)
	var input bytes.Buffer
	for i := range racedApprovals {
		a := f.request(racedTuple(i))
		f.decide(a.ID, true)
		fmt.Fprintln(&input, a.ID)
	}
	input.WriteString(strings.Repeat("-\n", racedAttempts))

	var children []*child
	for i := range racers {
		children = append(children, startChild(t, fmt.Sprint("racer", i), name))
	}
	for _, c := range children {
		if line := c.line(); line != "ready" {
			t.Fatalf("a child says %q", line)
		}
		c.stdin.Write(input.Bytes())
	}
	for _, c := range children {
		c.stdin.Close()
	}
	winners, calls := map[string]int{}, 0
	for _, c := range children {
		for line := c.line(); line != ""; line = c.line() {
			var i int
			if n, _ := fmt.Sscanf(line, "won %d", &i); n != 1 {
				t.Errorf("a child says %q", line)
			}
			if i >= racedApprovals {
				calls++
			} else {
				winners[line]++
			}
		}
		if err := c.cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	for line, n := range winners {
		if n != 1 {
			t.Errorf("%s: %d winners", line, n)
		}
	}
	if len(winners) != racedApprovals || calls != racedCalls {
		t.Errorf("%d approvals have a winner and %d calls were in the budget, want %d and %d", len(winners), calls, racedApprovals, racedCalls)
	}
	if list, err := s.Unknown(t.Context()); err != nil || len(list) != racedApprovals+racedCalls {
		t.Errorf("%d intents, %v", len(list), err)
	}
}

type child struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Scanner
}

func startChild(t *testing.T, role, name string) *child {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childRole+"="+role, childName+"="+name)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &child{cmd, stdin, bufio.NewScanner(stdout)}
}

// line returns the next line, "" after the last.
func (c *child) line() string {
	c.out.Scan()
	return c.out.Text()
}
