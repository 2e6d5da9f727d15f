package source_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

func TestReadText(t *testing.T) {
	dir := t.TempDir()
	rows := []struct{ name, text, code string }{
		{"lines", ">> {broken\n<< é\n", ""},
		{"empty", "", ""},
		{"latin1", "a\nb\xe9", source.CodeInvalidUTF8},
		{"bom", "\xef\xbb\xbfa", source.CodeByteOrderMark},
		{"long", "0123456789012345678901234567890", source.CodeTooLarge},
	}
	for _, row := range rows {
		path := filepath.Join(dir, row.name)
		if err := os.WriteFile(path, []byte(row.text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := source.ReadText(path, row.name, source.Limits{Bytes: 30})
		fault, _ := errors.AsType[*source.Error](err)
		switch {
		case row.code == "" && (err != nil || string(f.Bytes) != row.text || f.Root != nil):
			t.Errorf("ReadText(%s) = %+v, %v", row.name, f, err)
		case row.code != "" && (fault == nil || fault.Code != row.code):
			t.Errorf("ReadText(%s): %v, want %s", row.name, err, row.code)
		}
	}
	if _, err := source.ReadText(dir, "folder", source.Limits{}); err == nil {
		t.Error("a folder was read as text")
	}
}
