//go:build unix

package source_test

import (
	"net"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// TestReadFilePipe covers files that would hold whoever opens them.
func TestReadFilePipe(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.json")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip("no pipes here:", err)
	}
	link(t, "pipe.json", filepath.Join(dir, "link.json"))
	socket := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip("no sockets here:", err)
	}
	defer listener.Close()
	for _, path := range []string{pipe, filepath.Join(dir, "link.json"), socket} {
		e := refusedFast(t, func() error {
			_, err := source.ReadFile(path, "doc", source.Limits{})
			return err
		})
		if e.Code != source.CodeNotRegular {
			t.Errorf("%s: got %v, want %s", path, e, source.CodeNotRegular)
		}
	}
}
