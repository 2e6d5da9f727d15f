package contract

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestCheckID(t *testing.T) {
	for _, id := range []string{"billing", "a", "a1_b", strings.Repeat("a", 64)} {
		if err := CheckID(id); err != nil {
			t.Errorf("CheckID(%q) = %v, want nil", id, err)
		}
	}
	for _, id := range []string{"", "1a", "_a", "A", "a-b", "a.b", "ä", "a b", "a\n", strings.Repeat("a", 65)} {
		if CheckID(id) == nil {
			t.Errorf("CheckID(%q) = nil, want an error", id)
		}
	}
}

func TestLogicalID(t *testing.T) {
	long := strings.Repeat("abcdefgh.", 10)
	for name, want := range map[string]string{
		"invoice.get":                  "invoice_get",
		"invoice_get":                  "invoice_get",
		"invoiceGet":                   "invoice_get",
		"invoice/get item":             "invoice_get_item",
		"eth_getBlockByNumber":         "eth_get_block_by_number",
		"getURLByID":                   "get_url_by_id",
		"HTTPServer":                   "http_server",
		"net_version2":                 "net_version2",
		"sha3X":                        "sha3_x",
		"__a__b__":                     "a_b",
		"GET /invoices/{id}":           "get_invoices_id",
		"ABC":                          "abc",
		"rpc.discover":                 "rpc_discover",
		"2fa.enable":                   "2fa_enable",
		strings.Repeat("a", 64):        strings.Repeat("a", 64),
		"naïve":                        "na_ve_" + hashOf("naïve"),
		"发票":                           hashOf("发票"),
		"...":                          hashOf("..."),
		"":                             hashOf(""),
		"a\x00b":                       "a_b_" + hashOf("a\x00b"),
		long:                           strings.Repeat("abcdefgh_", 6) + "a_" + hashOf(long),
		"a" + strings.Repeat(".", 200): "a",
	} {
		if got := LogicalIDs([]string{name})[0]; got != want {
			t.Errorf("LogicalIDs(%q) = %q, want %q", name, got, want)
		}
	}
}

func hashOf(name string) string { return withHash("", name, 8) }

// The hash is part of names that hosts and owners write down: it must not move.
func TestLogicalIDHashIsFixed(t *testing.T) {
	if got, want := LogicalIDs([]string{"発票.取得"})[0], "414da769"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLogicalIDsCollide(t *testing.T) {
	names := []string{"invoice.get", "other", "invoiceGet", "invoice.list"}
	ids := LogicalIDs(names)
	if ids[0] != "invoice_get_"+hashOf(names[0]) || ids[2] != "invoice_get_"+hashOf(names[2]) {
		t.Errorf("colliding names got %q and %q, want both with their hash", ids[0], ids[2])
	}
	if ids[1] != "other" || ids[3] != "invoice_list" {
		t.Errorf("a collision moved other methods: %q", ids)
	}
	// Order and neighbours change nothing.
	turned := LogicalIDs([]string{"x", "invoiceGet", "invoice.get"})
	if turned[1] != ids[2] || turned[2] != ids[0] {
		t.Errorf("ids depend on order: %q and %q", ids, turned)
	}
}

// A method may be called what another one's suffix would give.
func TestLogicalIDsCollideWithSuffix(t *testing.T) {
	names := []string{"a.b", "aB", "a_b_" + hashOf("a.b"), "a.b." + hashOf("aB")}
	ids := LogicalIDs(names)
	unique(t, names, ids)
	if ids[0] == "a_b" || ids[1] == "a_b" {
		t.Errorf("a colliding name kept the bare id: %q", ids)
	}
}

var idForm = regexp.MustCompile(`^[a-z0-9_]{1,64}$`)

func unique(t *testing.T, names, ids []string) {
	t.Helper()
	seen := map[string]string{}
	for i, id := range ids {
		if !idForm.MatchString(id) {
			t.Errorf("id %q of %q is not of the form %s", id, names[i], idForm)
		}
		if other, taken := seen[id]; taken && other != names[i] {
			t.Errorf("%q and %q share the id %q", other, names[i], id)
		}
		seen[id] = names[i]
	}
}

func TestLogicalIDsOfMany(t *testing.T) {
	var names []string
	for i := range 3000 {
		names = append(names, fmt.Sprintf("group%d.getItem", i), fmt.Sprintf("group%d_get_item", i), fmt.Sprintf("Group%dGetItem", i))
	}
	unique(t, names, LogicalIDs(names))
}

func FuzzLogicalIDs(f *testing.F) {
	f.Add("invoice.get", "invoiceGet", "invoice_get")
	f.Add("", "\xff", "\x00")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		names := []string{a, b, c}
		unique(t, names, LogicalIDs(names))
	})
}
