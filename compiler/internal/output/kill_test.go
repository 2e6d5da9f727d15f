//go:build unix

package output

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// versions is how many different packages the killed child writes in turn.
const versions = 6

// TestMain turns the test binary into the child of TestKill.
func TestMain(m *testing.M) {
	if dir := os.Getenv("RPCGEN_OUTPUT_CHILD"); dir != "" {
		for i := 0; ; i++ {
			if _, err := Write(dir, set(fmt.Sprint(i%versions))); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

// TestKill kills a writer at random moments. What it leaves is one whole
// version, or a committed write; after the next run it is always whole.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, set("last"))
	random := rand.New(rand.NewPCG(1, 2))
	committed, mixed := 0, 0
	for range 40 {
		kill(t, dir, time.Duration(random.IntN(12000))*time.Microsecond)
		_, err := os.Lstat(filepath.Join(dir, commitDir))
		interrupted := err == nil
		if interrupted {
			committed++
			if !whole(dir) {
				mixed++
			}
		} else if !whole(dir) {
			t.Fatal("a killed run left a mixed package and no committed write")
		}
		mustWrite(t, dir, set("last"))
		if err := holds(dir, set("last")); err != nil {
			t.Fatalf("after a killed run: %v", err)
		}
	}
	t.Logf("%d of 40 kills hit after the commit, %d of them between two files", committed, mixed)
}

func kill(t *testing.T, dir string, after time.Duration) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "RPCGEN_OUTPUT_CHILD="+dir)
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	waitForChange(dir)
	time.Sleep(after)
	child.Process.Kill()
	child.Wait()
}

// waitForChange waits until the child has begun to write.
func waitForChange(dir string) {
	for range 2000 {
		if holds(dir, set("last")) != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func whole(dir string) bool {
	for i := range versions {
		if holds(dir, set(fmt.Sprint(i))) == nil {
			return true
		}
	}
	return holds(dir, set("last")) == nil
}
