package transport

import (
	"net/netip"
	"strings"
	"testing"
)

var addressRows = []struct {
	row, address string
	want         Denied
}{
	{"A1 private", "10.0.0.1", "private"},
	{"A1 below private", "9.255.255.255", ""},
	{"A1 above private", "11.0.0.0", ""},
	{"A1 private", "172.16.0.0", "private"},
	{"A1 private", "172.31.255.255", "private"},
	{"A1 below private", "172.15.255.255", ""},
	{"A1 above private", "172.32.0.0", ""},
	{"A1 private", "192.168.1.1", "private"},
	{"A1 below private", "192.167.255.255", ""},
	{"A1 above private", "192.169.0.0", ""},
	{"A1 loopback", "127.0.0.1", "loopback"},
	{"A1 loopback", "127.255.255.255", "loopback"},
	{"A1 above loopback", "128.0.0.0", ""},
	{"A1 link local", "169.254.1.1", "link_local"},
	{"A1 below link local", "169.253.255.255", ""},
	{"A1 above link local", "169.255.0.0", ""},
	{"A1 metadata", "169.254.169.254", "metadata"},
	{"A2 below shared", "100.63.255.255", ""},
	{"A2 shared", "100.64.0.0", "shared"},
	{"A2 shared", "100.127.255.255", "shared"},
	{"A2 above shared", "100.128.0.1", ""},
	{"A2 metadata", "100.100.100.200", "metadata"},
	{"A2 metadata", "192.0.0.192", "metadata"},
	{"A2 assignments", "192.0.0.1", "protocol_assignment"},
	{"A2 metadata that looks public", "168.63.129.16", "metadata"},
	{"A2 its neighbour", "168.63.129.17", ""},
	{"A2 this network", "0.1.2.3", "this_network"},
	{"A2 benchmark", "198.18.0.1", "benchmark"},
	{"A2 benchmark", "198.19.255.255", "benchmark"},
	{"A2 above benchmark", "198.20.0.0", ""},
	{"A2 documentation", "192.0.2.1", "documentation"},
	{"A2 documentation", "198.51.100.1", "documentation"},
	{"A2 documentation", "203.0.113.255", "documentation"},
	{"A2 reserved", "240.0.0.1", "reserved"},
	{"A2 broadcast", "255.255.255.255", "reserved"},
	{"A2 multicast", "224.0.0.1", "multicast"},
	{"A2 below multicast", "223.255.255.255", ""},
	{"A2 metadata", "fd00:ec2::254", "metadata"},
	{"A3 mapped loopback", "::ffff:127.0.0.1", "loopback"},
	{"A3 mapped metadata", "::ffff:169.254.169.254", "metadata"},
	{"A3 mapped public", "::ffff:8.8.8.8", ""},
	{"A4 compatible", "::127.0.0.1", "compatible"},
	{"A4 unspecified", "::", "unspecified"},
	{"A4 loopback", "::1", "loopback"},
	{"A4 translated", "::ffff:0:127.0.0.1", "translated"},
	{"A4 nat64", "64:ff9b::7f00:1", "nat64"},
	{"A4 nat64", "64:ff9b::808:808", "nat64"},
	{"A4 local nat64", "64:ff9b:1::1", "nat64"},
	{"A4 discard", "100::1", "discard"},
	{"A4 teredo", "2001::1", "teredo"},
	{"A4 orchid", "2001:20::1", "protocol_assignment"},
	{"A4 above assignments", "2001:200::1", ""},
	{"A4 documentation", "2001:db8::1", "documentation"},
	{"A4 documentation", "3fff::1", "documentation"},
	{"A4 above documentation", "3fff:1000::1", ""},
	{"A4 6to4", "2002:7f00:1::1", "6to4"},
	{"A4 segment routing", "5f00::1", "segment_routing"},
	{"A4 private", "fc00::1", "private"},
	{"A4 link local", "fe80::1", "link_local"},
	{"A4 site local", "fec0::1", "site_local"},
	{"A4 multicast", "ff02::1", "multicast"},
	{"A4 not assigned", "4000::1", "reserved"},
	{"A4 isatap", "2606:4700::5efe:7f00:1", "isatap"},
	{"A4 isatap, global bit", "2606:4700::200:5efe:7f00:1", "isatap"},
	{"A4 public", "2606:4700::1111", ""},
	{"A5 zone", "fe80::1%eth0", "zone"},
	{"A5 zone on public", "2606:4700::1%eth0", "zone"},
}

// classifies holds the addresses of one row of the tables.
func classifies(id string) func(*testing.T) {
	return func(t *testing.T) {
		n := 0
		for _, row := range addressRows {
			if !concerns(row.row, id) {
				continue
			}
			n++
			if got := Classify(netip.MustParseAddr(row.address)); got != row.want {
				t.Errorf("%s: Classify(%s) = %q, want %q", row.row, row.address, got, row.want)
			}
		}
		if n == 0 {
			t.Error("no address")
		}
	}
}

// concerns reports whether the name of a test's row begins with the id of a row
// of the tables of threats; with "" whether it names none of them.
func concerns(row, id string) bool {
	first, _, _ := strings.Cut(row, " ")
	if id == "" {
		return len(first) < 2 || !strings.Contains("ABC", first[:1]) || strings.Trim(first[1:], "0123456789") != ""
	}
	return first == id
}

func TestClassifyZero(t *testing.T) {
	if Classify(netip.Addr{}) == "" {
		t.Error("the zero address is admitted")
	}
}

// What a host allows, and nothing beside it.
func testJudge(t *testing.T) {
	prefixes := func(text ...string) (list []netip.Prefix) {
		for _, s := range text {
			list = append(list, netip.MustParsePrefix(s))
		}
		return list
	}
	private := networks{private: prefixes("10.1.0.0/16")}
	link := networks{private: prefixes("169.254.0.0/16")}
	exact := networks{private: prefixes("169.254.169.254/32")}
	plain := networks{plaintext: prefixes("10.2.0.0/16")}
	development := networks{development: true}
	rows := []struct {
		n         networks
		address   string
		encrypted bool
		want      Denied
	}{
		{private, "10.1.2.3", true, ""},
		{private, "10.2.0.1", true, "private"},
		{private, "::ffff:10.1.2.3", true, ""},
		{private, "10.1.2.3", false, "plaintext"},
		{private, "127.0.0.1", true, "loopback"},
		{link, "169.254.1.1", true, ""},
		{link, "169.254.169.254", true, "metadata"},
		{exact, "169.254.169.254", true, ""},
		{plain, "10.2.0.1", false, ""},
		{plain, "10.2.0.1", true, ""},
		{plain, "8.8.8.8", false, "plaintext"},
		{plain, "127.0.0.1", false, "plaintext"},
		{development, "127.0.0.2", false, ""},
		{development, "::1", false, ""},
		{development, "127.0.0.1", true, ""},
		{development, "8.8.8.8", false, "plaintext"},
		{development, "8.8.8.8", true, ""},
		{development, "10.0.0.1", true, "private"},
		{networks{}, "8.8.8.8", true, ""},
		{networks{}, "8.8.8.8", false, "plaintext"},
	}
	for _, row := range rows {
		if got := row.n.judge(netip.MustParseAddr(row.address), row.encrypted); got != row.want {
			t.Errorf("%+v.judge(%s, encrypted %v) = %q, want %q", row.n, row.address, row.encrypted, got, row.want)
		}
	}
}

// FuzzClassify holds the IPv4 table against a model made of bit comparisons.
func FuzzClassify(f *testing.F) {
	for _, n := range []uint32{0, 0x0a000000, 0x64400000, 0x7f000001, 0xa9fea9fe, 0xc0000000, 0xc6120000, 0xe0000000, 0xffffffff, 0x08080808} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n uint32) {
		a := netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
		denied := n>>24 == 0 || n>>24 == 10 || n>>24 == 127 || n>>28 >= 14 ||
			n&0xffc00000 == 0x64400000 || n>>16 == 0xa9fe || n&0xfff00000 == 0xac100000 || n>>16 == 0xc0a8 ||
			n>>8 == 0xc00000 || n>>8 == 0xc00002 || n>>8 == 0xc05863 || n&0xfffe0000 == 0xc6120000 ||
			n>>8 == 0xc63364 || n>>8 == 0xcb0071 || n == 0xa83f8110
		if got := Classify(a); (got != "") != denied {
			t.Errorf("Classify(%s) = %q, the model denies: %v", a, got, denied)
		}
		if mapped := netip.AddrFrom16(a.As16()); Classify(mapped) != Classify(a) {
			t.Errorf("%s and %s are judged differently", mapped, a)
		}
	})
}
