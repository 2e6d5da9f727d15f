//go:build unix

package postgres

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// cluster is a server of this test's own: in a folder of its own, on a free port
// of the loopback address, as a user that is not root.
type cluster struct {
	dir, port string
	cmd       *exec.Cmd
}

var shared *cluster // nil: there are no binaries

var absent = "PostgreSQL is not installed: neither initdb in /usr/lib/postgresql/*/bin nor in PATH"

// binaries returns the folder of the newest server.
func binaries() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.SortFunc(found, func(a, b string) int { return len(a) - len(b) })
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1])
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	return ""
}

// runAs returns the user that the server runs as, nil for this one: it refuses
// to run as root.
func runAs() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, _ := strconv.Atoi(u.Uid)
			gid, _ := strconv.Atoi(u.Gid)
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, fmt.Errorf("there is no user to run the server as")
}

func startCluster() (*cluster, error) {
	bin := binaries()
	if bin == "" || runtime.GOOS == "windows" {
		return nil, nil
	}
	as, err := runAs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "rpcgen-postgres-")
	if err != nil {
		return nil, err
	}
	if as != nil {
		if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
			return nil, err
		}
	}
	c := &cluster{dir: dir}
	command := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.Env = dir, []string{"LC_ALL=C", "TZ=UTC", "PATH=" + bin + ":/usr/bin:/bin"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
		return cmd
	}
	data := filepath.Join(dir, "data")
	if out, err := command("initdb", "-D", data, "-U", "rpcgen", "-A", "trust", "-E", "UTF8", "--no-sync").CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return nil, fmt.Errorf("initdb: %v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	c.port = strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	l.Close()
	c.cmd = command("postgres", "-D", data, "-p", c.port, "-h", "127.0.0.1", "-k", "", "-c", "max_connections=200", "-c", "shared_buffers=16MB", "-c", "fsync=off")
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	return c, c.wait()
}

// wait waits until the server answers.
func (c *cluster) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	db, err := sql.Open("pgx", c.dsn("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	for {
		err := db.PingContext(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (c *cluster) stop() {
	if c != nil {
		c.cmd.Process.Signal(syscall.SIGINT)
		c.cmd.Wait()
		os.RemoveAll(c.dir)
	}
}

func (c *cluster) dsn(database string) string {
	return fmt.Sprintf("postgres://rpcgen@127.0.0.1:%s/%s?sslmode=disable", c.port, database)
}

var databases atomic.Int64

// database makes an empty schema, which takes less time than a database, and
// returns the DSN that leads to it.
func database(t testing.TB) string {
	t.Helper()
	if shared == nil {
		t.Skip(absent)
	}
	name := fmt.Sprintf("test%d", databases.Add(1))
	execute(t, shared.dsn("postgres"), "create schema "+name)
	return shared.dsn("postgres") + "&search_path=" + name
}

// execute runs a statement as the server's owner.
func execute(t testing.TB, dsn, statement string) {
	t.Helper()
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
