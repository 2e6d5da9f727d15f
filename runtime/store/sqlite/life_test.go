//go:build unix

package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/outcome"
	"github.com/openrpc-go/rpcgen/runtime/store"
	"github.com/openrpc-go/rpcgen/runtime/store/storetest"
)

var tuple = store.Tuple{Kind: "agent", Principal: "bot", Endpoint: "billing", Method: "pay", Params: "p", Authority: "a", Generation: 1}

// approve returns the id of an approval that is good.
func approve(t *testing.T, s store.Store, params string) (string, store.Tuple) {
	t.Helper()
	call := tuple
	call.Params = params
	if _, err := s.Generation(t.Context(), start(), call.Endpoint, call.Authority, false); err != nil {
		t.Fatal(err)
	}
	a, err := s.Request(t.Context(), start(), store.Question{Tuple: call, View: "v", ViewDigest: "v", Expires: start().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Decide(t.Context(), start(), store.Decision{ID: a.ID, By: "alice", Approve: true, ViewDigest: "v"}); err != nil {
		t.Fatal(err)
	}
	return a.ID, call
}

func consume(s store.Store, request, approval string, call store.Tuple) error {
	return s.Consume(context.Background(), start(), store.Consumption{RequestID: request, ApprovalID: approval, Tuple: call})
}

// copyFile writes over the file that is there, as cp does, or makes one.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// P11: an old copy of the file that was put back revives nothing, in whatever
// way; a restart does no harm.
func testRestore(t *testing.T) {
	const good = "an approval that was good when the copy was made"
	restore := map[string]func(t *testing.T, name, backup string){
		"written over": func(t *testing.T, name, backup string) { copyFile(t, backup, name) },
		"renamed over": func(t *testing.T, name, backup string) {
			copyFile(t, backup, name+".new")
			os.Rename(name+".new", name)
		},
		"with what lies beside it": func(t *testing.T, name, backup string) {
			copyFile(t, backup, name+".new")
			os.Rename(name+".new", name)
			copyFile(t, backup+"-spent", name+"-spent")
		},
		"without what lies beside it": func(t *testing.T, name, backup string) {
			copyFile(t, backup, name)
			os.Remove(name + "-spent")
		},
	}
	for how, restore := range restore {
		t.Run(how, func(t *testing.T) {
			name, backup := filepath.Join(t.TempDir(), "store.db"), filepath.Join(t.TempDir(), "backup.db")
			s := openAt(t, name)
			id, call := approve(t, s, good)
			before, _ := s.Epoch(t.Context())
			s.Close()
			copyFile(t, name, backup)
			copyFile(t, name+"-spent", backup+"-spent")
			s = openAt(t, name)
			if epoch, _ := s.Epoch(t.Context()); epoch != before {
				t.Fatal("a restart is taken for a restore")
			}
			if err := consume(s, "r1", id, call); err != nil {
				t.Fatal(err)
			}
			s.Close()
			restore(t, name, backup)
			s = openAt(t, name)
			if epoch, _ := s.Epoch(t.Context()); epoch == before {
				t.Error("the copy goes on with the old epoch")
			}
			if err := consume(s, "r2", id, call); !errors.Is(err, store.ErrEpoch) {
				t.Errorf("the approval is spent twice: %v", err)
			}
			id, call = approve(t, s, good)
			if err := consume(s, "r3", id, call); err != nil {
				t.Errorf("a new approval: %v", err)
			}
			epoch, _ := s.Epoch(t.Context())
			s.Close()
			if again, _ := openAt(t, name).Epoch(t.Context()); again != epoch {
				t.Error("it starts another life each time it is opened")
			}
		})
	}
}

var errLost = errors.New("the answer was lost")

// When the answer to a commit is lost the store looks whether it was done.
func TestLostAnswer(t *testing.T) {
	var do func(*sql.Tx) error
	s, err := open(t.Context(), filepath.Join(t.TempDir(), "store.db"), Options{Now: start}, func(tx *sql.Tx) error {
		if do != nil {
			return do(tx)
		}
		return tx.Commit()
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	first, one := approve(t, s, "one")
	second, two := approve(t, s, "two")
	do = func(tx *sql.Tx) error { return errors.Join(tx.Commit(), errLost) }
	if err := consume(s, "r1", first, one); err != nil {
		t.Errorf("done, and the answer lost: %v", err)
	}
	do = func(tx *sql.Tx) error { return errors.Join(tx.Rollback(), errLost) }
	if err := consume(s, "r2", second, two); !errors.Is(err, errLost) {
		t.Errorf("not done, and the answer lost: %v", err)
	}
	do = nil
	if err := consume(s, "r3", first, one); !errors.Is(err, store.ErrConsumed) {
		t.Errorf("what was done: %v", err)
	}
	if err := consume(s, "r4", second, two); err != nil {
		t.Errorf("what was not done: %v", err)
	}
	if list, _ := s.Unknown(t.Context()); len(list) != 2 {
		t.Errorf("intents: %+v", list)
	}
}

// The audit in the database has every change, is chained, and cannot be written
// over.
func TestAudit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "store.db")
	s := openAt(t, name)
	id, call := approve(t, s, "one")
	if err := consume(s, "r1", id, call); err != nil {
		t.Fatal(err)
	}
	consume(s, "r2", id, call) // refused: no row
	end := outcome.Outcome{RequestID: "r1", Status: outcome.OK, Delivery: outcome.Completed, ReadBack: &outcome.ReadBack{Params: "PARAM-canary"}}
	if err := s.Outcome(t.Context(), start(), "r1", end); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.ExportAudit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	heads, err := s.Heads(t.Context())
	if err != nil || len(heads) != 1 {
		t.Fatalf("%+v, %v", heads, err)
	}
	report, err := audit.Verify(&b, heads[0].Digest)
	if err != nil || report.Rows != 6 { // opened, generation, request, decision, intent, outcome
		t.Errorf("%+v, %v", report, err)
	}
	if strings.Contains(b.String(), "PARAM-canary") {
		t.Error("the audit holds params")
	}
	s.Close()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{`update rpcgen_audit set line = ''`, `delete from rpcgen_audit`} {
		if _, err := db.Exec(statement); err == nil {
			t.Errorf("%s is done", statement)
		}
	}
}

// TestVerifyAudit tampers with the audit in every way.
func TestVerifyAudit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "store.db")
	s := openAt(t, name)
	db, err := sql.Open("sqlite", name+"?_pragma=busy_timeout(60000)&_pragma=synchronous(OFF)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, trigger := range []string{"update", "delete"} {
		if _, err := db.Exec(`drop trigger rpcgen_audit_` + trigger); err != nil {
			t.Fatal(err)
		}
	}
	storetest.Audit(t, s, db, func(heads ...string) (audit.Report, error) { return VerifyAudit(t.Context(), name, heads...) })
	for _, bad := range []string{"", filepath.Join(t.TempDir(), "none.db"), t.TempDir()} {
		if _, err := VerifyAudit(t.Context(), bad); err == nil {
			t.Errorf("%q is verified", bad)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.db")
	openAt(t, good).Close()
	if info, err := os.Stat(good); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("made with mode %v, %v", info.Mode(), err)
	}
	link, open, text := filepath.Join(dir, "link"), filepath.Join(dir, "open"), filepath.Join(dir, "text")
	os.Symlink(good, link)
	os.WriteFile(open, nil, 0o600)
	os.Chmod(open, 0o666)
	os.WriteFile(text, []byte(strings.Repeat("no database ", 100)), 0o600)
	shared := filepath.Join(dir, "shared")
	os.Mkdir(shared, 0o700)
	os.Chmod(shared, 0o777)
	for _, name := range []string{
		"", ":memory:", "file:x.db", "https://host/x.db", `\\host\share\x.db`, "//host/share/x.db",
		link, open, text, dir, filepath.Join(dir, "none", "x.db"), filepath.Join(shared, "x.db"),
	} {
		if s, err := Open(t.Context(), name, Options{}); err == nil {
			t.Errorf("%q is opened", name)
			s.Close()
		}
	}
	newer := filepath.Join(dir, "newer.db")
	openAt(t, newer).Close()
	db, _ := sql.Open("sqlite", newer)
	db.Exec("pragma user_version = 99")
	db.Close()
	if _, err := Open(t.Context(), newer, Options{}); err == nil {
		t.Error("a database of a later release is opened")
	}
}

// A database that cannot be written spends nothing.
func TestReadOnly(t *testing.T) {
	var do func(*sql.Tx) error
	name := filepath.Join(t.TempDir(), "store.db")
	s, err := open(t.Context(), name, Options{Now: start}, func(tx *sql.Tx) error {
		if do != nil {
			return do(tx)
		}
		return tx.Commit()
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	id, call := approve(t, s, "one")
	do = func(tx *sql.Tx) error {
		_, err := tx.Exec("pragma query_only = 1")
		return errors.Join(err, tx.Commit())
	}
	if err := s.Freeze(t.Context(), store.Freeze{Endpoint: "other", At: start()}); err != nil {
		t.Fatal(err)
	}
	if err := consume(s, "r1", id, call); err == nil {
		t.Error("a read-only database spends an approval")
	}
	s.Close()
	s = openAt(t, name)
	if err := consume(s, "r2", id, call); err != nil {
		t.Errorf("it was not spent: %v", err)
	}
}

// An approval has one intent, even when its state was tampered with.
func TestSecondBarrier(t *testing.T) {
	name := filepath.Join(t.TempDir(), "store.db")
	s := openAt(t, name)
	id, call := approve(t, s, "one")
	if err := consume(s, "r1", id, call); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`update rpcgen_approvals set state = 'approved'`); err != nil {
		t.Fatal(err)
	}
	if err := consume(s, "r2", id, call); !errors.Is(err, store.ErrConsumed) {
		t.Errorf("got %v", err)
	}
}

// What is over is forgotten, but in the audit: a store that is used for years
// keeps its size.
func TestForgets(t *testing.T) {
	name := filepath.Join(t.TempDir(), "store.db")
	s := openAt(t, name)
	if _, err := s.Generation(t.Context(), start(), tuple.Endpoint, tuple.Authority, false); err != nil {
		t.Fatal(err)
	}
	now := start()
	charge := store.Charge{Key: "k", Name: "k", Window: time.Hour, Limit: store.Use{Calls: 10}, Use: store.Use{Calls: 1}}
	for i := range 40 {
		now = now.Add(13 * time.Hour)
		id, call := fmt.Sprint("r", i), tuple
		call.Params = id
		a, err := s.Request(t.Context(), now, store.Question{Tuple: call, ViewDigest: "v", Expires: now.Add(time.Minute)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Decide(t.Context(), now, store.Decision{ID: a.ID, By: "alice", Approve: true, ViewDigest: "v"}); err != nil {
			t.Fatal(err)
		}
		c := store.Consumption{RequestID: id, ApprovalID: a.ID, Tuple: call, Charges: []store.Charge{charge}}
		lost := store.Consumption{RequestID: id + "/lost", Tuple: call, Charges: []store.Charge{charge}, Read: true}
		for _, err := range []error{
			s.Consume(t.Context(), now, c), s.Outcome(t.Context(), now, id, outcome.Outcome{Delivery: outcome.Completed}),
			s.Consume(t.Context(), now, lost),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	s.Close()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for table, most := range map[string]int{"approvals": 2, "intents": 6, "charges": 3, "used": 3, "freezes": 0} {
		var n int
		if err := db.QueryRow(`select count(*) from rpcgen_` + table).Scan(&n); err != nil || n > most {
			t.Errorf("%s: %d rows, want at most %d, %v", table, n, most, err)
		}
	}
}

const fullStore = "RPCGEN_FULL_STORE"

// filling consumes until the disk is full, and says how often it could.
func filling() {
	name := os.Getenv(fullStore)
	s, err := Open(context.Background(), name, Options{Now: start})
	if err != nil {
		panic(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: 512 << 10, Max: 512 << 10}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		panic(err)
	}
	refused := 0
	for i := 0; refused < 5 && i < 100_000; i++ {
		if err := consume(s, fmt.Sprint("r", i), "", tuple); err != nil {
			refused++
			continue
		}
		fmt.Println("won", i)
	}
	fmt.Println("refused", refused)
	os.Exit(0)
}

// On a full disk what was said to be done is done, and nothing else.
func TestFullDisk(t *testing.T) {
	name := filepath.Join(t.TempDir(), "store.db")
	openAt(t, name).Close()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), fullStore+"="+name)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "refused 5") {
		t.Fatalf("%v: %s", err, out)
	}
	won := map[string]bool{}
	for _, line := range strings.Split(string(out), "\n") {
		if i, ok := strings.CutPrefix(line, "won "); ok {
			won["r"+i] = true
		}
	}
	s := openAt(t, name)
	list, err := s.Unknown(t.Context())
	if err != nil || len(list) != len(won) || len(won) == 0 {
		t.Errorf("%d intents for %d that were said to be done, %v", len(list), len(won), err)
	}
	for _, i := range list {
		if !won[i.RequestID] {
			t.Errorf("%s was said not to be done", i.RequestID)
		}
	}
}
