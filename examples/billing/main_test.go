package main

import (
	"bytes"
	"context"
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/openrpc-go/rpcgen/examples/billing/service"
)

var update = flag.Bool("update", false, "rewrite testdata/tour.txt")

// TestTour runs the host program and compares what it says with the kept text,
// and what the service saw with the calls that the amendment admits.
func TestTour(t *testing.T) {
	remote := service.New()
	server := httptest.NewServer(remote)
	defer server.Close()
	var said bytes.Buffer
	if err := tour(context.Background(), &said, server.URL); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join("testdata", "tour.txt")
	if *update {
		if err := os.WriteFile(kept, said.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	if said.String() != string(want) {
		t.Errorf("the tour says\n%s\nwant\n%s", said.String(), want)
	}
	// Two reads and one approved write; the refused method and the write that
	// was not approved yet never arrived.
	if got, want := remote.Calls(), []string{"invoice.get", "invoice.get", "invoice.pay"}; !slices.Equal(got, want) {
		t.Errorf("the service saw %q, want %q", got, want)
	}
}

// TestTourNeedsTheService tells a host what happened when nobody listens.
func TestTourNeedsTheService(t *testing.T) {
	server := httptest.NewServer(service.New())
	server.Close()
	if err := tour(context.Background(), &bytes.Buffer{}, server.URL); err == nil {
		t.Error("the tour ended well without a service")
	}
}
