package source_test

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

const corpusFolder = "../../../../shared/corpus"

// TestCorpus reads real documents: each is read in good time or refused with
// a position, and every node of it is found again through its own pointer.
func TestCorpus(t *testing.T) {
	corpus, err := filepath.EvalSymlinks(corpusFolder)
	if err != nil {
		t.Skip("the corpus of real documents is not here")
	}
	read, refused := 0, map[string]int{}
	err = filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !isDocument(path) {
			return err
		}
		name, _ := filepath.Rel(corpus, path)
		start := time.Now()
		f, err := source.ReadFile(path, name, source.Limits{})
		if took := time.Since(start); took > slow {
			t.Errorf("%s: read in %v", name, took)
		}
		if err != nil {
			e := err.(*source.Error)
			if e.Position.Line == 0 {
				t.Errorf("%s: no position: %v", name, err)
			}
			refused[e.Code]++
			t.Logf("refused: %v", err)
			return nil
		}
		read++
		checkTree(t, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d read, refused %v", read, refused)
	if read == 0 {
		t.Error("nothing was read")
	}
}

func isDocument(path string) bool {
	switch filepath.Ext(path) {
	case ".json", ".yaml", ".yml":
		return true
	}
	return false
}

// checkTree samples the tree: pointers lead back, positions lie in the file,
// and plain text is where its node says.
func checkTree(t *testing.T, f *source.File) {
	t.Helper()
	count := 0
	walk(f.Root, func(n *source.Node) {
		count++
		if count%97 != 1 {
			return
		}
		if got, err := f.Root.At(n.Pointer()); err != nil || got != n && !sameValue(got, n) {
			t.Errorf("%s: %s leads to %v, %v", f.Name, n.Pointer(), got, err)
		}
		if p := n.Position(); p.Line < 1 || p.Column < 1 || n.Offset > len(f.Bytes) {
			t.Errorf("%s: %s stands at %v", f.Name, n.Pointer(), p)
		}
		at := string(f.Bytes[n.Offset:])
		if n.Kind == source.Number && !strings.HasPrefix(at, n.Text) && f.Format == source.JSON {
			t.Errorf("%s: %s: %q is not at %v", f.Name, n.Pointer(), n.Text, n.Position())
		}
		word, _, _ := strings.Cut(n.Text, " ")
		if n.Kind == source.String && isWord(word) && at[0] != '|' && at[0] != '>' && at[0] != '&' && at[0] != '!' {
			if !strings.HasPrefix(strings.TrimLeft(at, `"'`), word) {
				t.Errorf("%s: %s: %q is not at %v", f.Name, n.Pointer(), word, n.Position())
			}
		}
	})
	if f.Format == source.JSON && !json.Valid(f.Root.JSON()) {
		t.Errorf("%s: written as invalid JSON", f.Name)
	}
}

func isWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

func sameValue(a, b *source.Node) bool { return string(a.JSON()) == string(b.JSON()) }

func walk(n *source.Node, visit func(*source.Node)) {
	visit(n)
	for _, item := range n.Items {
		walk(item, visit)
	}
	for _, m := range n.Members {
		walk(m.Value, visit)
	}
}
