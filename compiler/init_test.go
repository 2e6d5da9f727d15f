package compiler_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
)

// TestInitURL downloads from this machine alone.
func TestInitURL(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if strings.HasSuffix(r.URL.Path, "broken.json") {
			fmt.Fprint(w, `{"openrpc": "1.3.2"}`)
			return
		}
		fmt.Fprint(w, `{"openrpc": "1.3.2", "info": {"title": "t", "version": "1"}, "methods": [
			{"name": "a", "params": [], "result": {"name": "r", "schema": {"$ref": "https://example.invalid/schema"}}},
			{"name": "b", "params": [], "result": {"name": "r", "schema": {}}}]}`)
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	start := func(path, name string, near bool) (*compiler.Begun, error) {
		return compiler.Init(t.Context(), compiler.Start{Dir: dir, Document: server.URL + path, Name: name, Now: time.Now, Development: near})
	}

	if _, err := start("/shop.json", "", false); err == nil || asked != 0 {
		t.Fatalf("this machine was asked without --development: %v", err)
	}
	if _, err := start("/openrpc.json", "", true); err == nil || !strings.Contains(err.Error(), "--name") || asked != 0 {
		t.Errorf("a URL that names no contract: %v", err)
	}
	begun, err := start("/broken.json", "", true)
	if err != nil || !begun.Failed {
		t.Fatalf("a broken document: %+v, %v", begun, err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*", "*.json")); len(files) > 0 {
		t.Errorf("a broken document was kept: %v", files)
	}

	begun, err = start("/docs/shop.json", "", true)
	if err != nil || begun.Failed {
		t.Fatalf("%+v, %v", begun, err)
	}
	want := []string{"contracts/shop.json", "contracts/shop.amend.yaml", "contracts/amendment.schema.json", "rpcgen.yaml"}
	if !slices.Equal(begun.Wrote, want) || asked != 2 {
		t.Errorf("wrote %v after %d requests, want %v after 2", begun.Wrote, asked, want)
	}
	config, err := os.ReadFile(filepath.Join(dir, "rpcgen.yaml"))
	if err != nil || !strings.Contains(string(config), `origin: "`+server.URL+`/docs/shop.json"`) {
		t.Errorf("the config does not say where the document is from: %v\n%s", err, config)
	}
	if _, err := start("/docs/shop.json", "", true); err == nil || !strings.Contains(err.Error(), "there already") {
		t.Errorf("a document that is there was downloaded over: %v", err)
	}
}
