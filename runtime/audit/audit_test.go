package audit

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/outcome"
)

func now() time.Time { return time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC) }

// written returns the bytes of an audit of n calls and its head.
func written(t *testing.T, n int) ([]byte, Head, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "audit.jsonl")
	f, err := Open(name, Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i := range n {
		call(t, f, fmt.Sprint("r", i))
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b, f.Head(), name
}

func call(t *testing.T, f *File, id string) {
	t.Helper()
	i := outcome.Intent{RequestID: id, At: now(), Method: "invoice.pay", Effect: "write", Params: "hmac-sha256:p"}
	if err := f.Intent(t.Context(), i); err != nil {
		t.Fatal(err)
	}
	o := outcome.Outcome{RequestID: id, Status: outcome.OK, Delivery: outcome.Completed, ReadBack: &outcome.ReadBack{Params: "PARAM-canary"}}
	if err := f.Outcome(t.Context(), i, o); err != nil {
		t.Fatal(err)
	}
}

func TestIntact(t *testing.T) {
	b, head, _ := written(t, 3)
	report, err := Verify(bytes.NewReader(b), head.Digest)
	if err != nil || report.Rows != 7 || len(report.Open) != 0 || !slices.Equal(report.Heads, []Head{head}) || head.Sequence != 7 {
		t.Errorf("%+v, %v; head %+v", report, err, head)
	}
	if bytes.Contains(b, []byte("PARAM-canary")) {
		t.Error("the audit holds params")
	}
	if report, err := Verify(strings.NewReader("")); err != nil || report.Rows != 0 {
		t.Errorf("an empty audit: %+v, %v", report, err)
	}
}

// Every single byte that is changed, removed or doubled is found, wherever.
func TestEveryByteCounts(t *testing.T) {
	b, head, _ := written(t, 2)
	for i := range b {
		for name, changed := range map[string][]byte{
			"changed": slices.Concat(b[:i], []byte{b[i] ^ 1}, b[i+1:]),
			"removed": slices.Concat(b[:i], b[i+1:]),
			"doubled": slices.Concat(b[:i+1], b[i:]),
		} {
			if _, err := Verify(bytes.NewReader(changed), head.Digest); err == nil {
				t.Fatalf("byte %d %s is not found", i, name)
			}
		}
	}
}

// Rows that are removed, doubled, swapped or cut off are found; only a cut tail
// needs the head.
func TestEveryRowCounts(t *testing.T) {
	b, head, _ := written(t, 3)
	rows := bytes.SplitAfter(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
	rows[len(rows)-1] = append(rows[len(rows)-1], '\n')
	broken := func(name string, rows [][]byte, heads ...string) {
		t.Helper()
		var fault *Fault
		if _, err := Verify(bytes.NewReader(slices.Concat(rows...)), heads...); !errors.As(err, &fault) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range rows {
		broken(fmt.Sprint("doubled ", i), slices.Insert(slices.Clone(rows), i, rows[i]))
		if i < len(rows)-1 {
			broken(fmt.Sprint("removed ", i), slices.Delete(slices.Clone(rows), i, i+1))
			swapped := slices.Clone(rows)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			broken(fmt.Sprint("swapped ", i), swapped)
		}
		if _, err := Verify(bytes.NewReader(slices.Concat(rows[:i]...))); err != nil {
			t.Errorf("cut after %d, without a head: %v", i, err)
		}
		broken(fmt.Sprint("cut after ", i), rows[:i], head.Digest)
	}
	if _, err := Verify(bytes.NewReader(b), "sha256:short"); err == nil {
		t.Error("a head that is no digest")
	}
	rewritten, _, _ := written(t, 3)
	broken("rewritten as a whole", [][]byte{rewritten}, head.Digest)
}

// Rows of several writers may be mixed in any way that keeps each one's order.
func TestWriters(t *testing.T) {
	a, ha, _ := written(t, 5)
	b, hb, _ := written(t, 5)
	x, y := bytes.SplitAfter(a, []byte("\n")), bytes.SplitAfter(b, []byte("\n"))
	var mixed []byte
	for len(x)+len(y) > 0 {
		from := &x
		if len(x) == 0 || len(y) > 0 && rand.N(2) == 0 {
			from = &y
		}
		mixed = append(mixed, (*from)[0]...)
		*from = (*from)[1:]
	}
	report, err := Verify(bytes.NewReader(mixed), ha.Digest, hb.Digest)
	if err != nil || len(report.Heads) != 2 || report.Rows != 22 {
		t.Errorf("%+v, %v", report, err)
	}
	if _, err := Verify(bytes.NewReader(a), ha.Digest, hb.Digest); err == nil {
		t.Error("a writer is missing")
	}
}

func TestReopen(t *testing.T) {
	_, head, name := written(t, 2)
	f, err := Open(name, Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name, Options{}); err == nil {
		t.Error("two at a time")
	}
	f.Intent(t.Context(), outcome.Intent{RequestID: "lost", At: now(), Effect: "write"})
	f.Intent(t.Context(), outcome.Intent{RequestID: "read", At: now(), Effect: "read"})
	if f.Head().Writer != head.Writer || f.Head().Sequence != head.Sequence+2 {
		t.Errorf("head %+v after %+v", f.Head(), head)
	}
	f.Close()
	if f.Intent(t.Context(), outcome.Intent{Effect: "write"}) == nil {
		t.Error("it takes rows after Close")
	}
	whole, _ := os.ReadFile(name)
	os.WriteFile(name, append(whole, `{"digest":"sha256:12`...), 0o600)
	if _, err := Verify(bytes.NewReader(append(whole, '{'))); err == nil {
		t.Error("a torn row is not found")
	}
	if f, err = Open(name, Options{Now: now}); err != nil {
		t.Fatalf("after a crash: %v", err)
	}
	f.Close()
	b, _ := os.ReadFile(name)
	report, err := Verify(bytes.NewReader(b), head.Digest)
	if err != nil || !slices.Equal(report.Open, []string{"lost"}) || !bytes.Contains(b, []byte(`"bytes_cut_off":20`)) {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	b, _, name := written(t, 1)
	os.WriteFile(name, bytes.Replace(b, []byte("invoice.pay"), []byte("invoice.get"), 1), 0o600)
	if _, err := Open(name, Options{}); err == nil {
		t.Error("a changed audit is gone on with")
	}
	os.WriteFile(name, b, 0o600)
	os.Chmod(name, 0o666)
	if _, err := Open(name, Options{}); err == nil {
		t.Error("others may write to it")
	}
	os.Chmod(name, 0o600)
	link := filepath.Join(t.TempDir(), "link")
	os.Symlink(name, link)
	if _, err := Open(link, Options{}); err == nil {
		t.Error("a symbolic link")
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none", "audit"), Options{}); err == nil {
		t.Error("a folder that is not there")
	}
}

// After a write that failed nothing is taken any more.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no /dev/full")
	}
	_, _, name := written(t, 0)
	f, err := Open(name, Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	good := f.f
	f.f = full
	if f.Intent(t.Context(), outcome.Intent{Effect: "write"}) == nil {
		t.Error("a full disk takes a row")
	}
	f.f = good
	if f.Intent(t.Context(), outcome.Intent{Effect: "write"}) == nil {
		t.Error("it goes on after a failed write")
	}
}

func FuzzVerify(f *testing.F) {
	head := Head{Writer: "w"}
	var all []byte
	for range 2 {
		next, line, err := head.Next(now(), Intent, outcome.Intent{RequestID: "r"})
		if err != nil {
			f.Fatal(err)
		}
		head, all = next, append(append(all, line...), '\n')
	}
	f.Add(all)
	f.Add([]byte(before + "sha256:"))
	f.Fuzz(func(t *testing.T, b []byte) {
		report, err := Verify(bytes.NewReader(b))
		if err == nil && report.Rows != bytes.Count(b, []byte("\n")) {
			t.Errorf("%d rows in %q", report.Rows, b)
		}
	})
}
