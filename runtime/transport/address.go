package transport

import (
	"net/netip"
	"slices"
)

// Denied says why an address must not be dialled. It is a stable code.
type Denied string

// deniedPrefix is one row of the address tables.
type deniedPrefix struct {
	prefix netip.Prefix
	reason Denied
}

// The tables follow the special-purpose registries of IANA: what is not
// globally reachable unicast is denied. The predicates of net/netip pass
// 0.1.2.3, 192.0.0.192, 198.18.0.1, 240.0.0.1 and 100.64.0.1, hence tables.
var denied4 = rows(
	"0.0.0.0/8", "this_network",
	"10.0.0.0/8", "private",
	"100.64.0.0/10", "shared",
	"127.0.0.0/8", "loopback",
	"169.254.0.0/16", "link_local",
	"172.16.0.0/12", "private",
	"192.0.0.0/24", "protocol_assignment",
	"192.0.2.0/24", "documentation",
	"192.88.99.0/24", "relay",
	"192.168.0.0/16", "private",
	"198.18.0.0/15", "benchmark",
	"198.51.100.0/24", "documentation",
	"203.0.113.0/24", "documentation",
	"224.0.0.0/4", "multicast",
	"240.0.0.0/4", "reserved",
)

// Outside 2000::/3 nothing is globally reachable unicast; the rows there only
// give the reason a better name than "reserved".
var denied6 = rows(
	"::/128", "unspecified",
	"::1/128", "loopback",
	"::/96", "compatible",
	"::ffff:0:0:0/96", "translated",
	"64:ff9b::/96", "nat64",
	"64:ff9b:1::/48", "nat64",
	"100::/64", "discard",
	"2001::/32", "teredo",
	"2001::/23", "protocol_assignment",
	"2001:db8::/32", "documentation",
	"2002::/16", "6to4",
	"3fff::/20", "documentation",
	"5f00::/16", "segment_routing",
	"fc00::/7", "private",
	"fe80::/10", "link_local",
	"fec0::/10", "site_local",
	"ff00::/8", "multicast",
)

var unicast6 = netip.MustParsePrefix("2000::/3")

// metadata lists the addresses that hand out credentials to whoever asks.
// A wider network never admits them, only their own single-address prefix.
var metadata = []netip.Addr{
	netip.MustParseAddr("169.254.169.254"),
	netip.MustParseAddr("169.254.170.2"),
	netip.MustParseAddr("169.254.170.23"),
	netip.MustParseAddr("100.100.100.200"),
	netip.MustParseAddr("192.0.0.192"),
	netip.MustParseAddr("168.63.129.16"),
	netip.MustParseAddr("fd00:ec2::254"),
	netip.MustParseAddr("fd00:ec2::23"),
	netip.MustParseAddr("fd20:ce::254"),
}

func rows(pairs ...string) []deniedPrefix {
	table := make([]deniedPrefix, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		table = append(table, deniedPrefix{netip.MustParsePrefix(pairs[i]), Denied(pairs[i+1])})
	}
	return table
}

// Classify returns "" for an address that is globally reachable unicast and
// otherwise the reason to refuse it. IPv4 addresses mapped into IPv6 are
// judged as the IPv4 address they are.
func Classify(a netip.Addr) Denied {
	if !a.IsValid() {
		return "invalid"
	}
	if a.Zone() != "" {
		return "zone"
	}
	a = a.Unmap()
	if slices.Contains(metadata, a) {
		return "metadata"
	}
	if a.Is4() {
		return lookup(denied4, a)
	}
	if reason := lookup(denied6, a); reason != "" {
		return reason
	}
	if !unicast6.Contains(a) {
		return "reserved"
	}
	if isatap(a) {
		return "isatap"
	}
	return ""
}

func lookup(table []deniedPrefix, a netip.Addr) Denied {
	for _, row := range table {
		if row.prefix.Contains(a) {
			return row.reason
		}
	}
	return ""
}

// isatap reports whether the interface identifier embeds an IPv4 address in
// the ISATAP manner, which would reach any IPv4 host by way of a router.
func isatap(a netip.Addr) bool {
	b := a.As16()
	return (b[8] == 0 || b[8] == 2) && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}

// networks are the exceptions of one endpoint.
type networks struct {
	development bool           // loopback is admitted
	private     []netip.Prefix // admitted although not public
	plaintext   []netip.Prefix // admitted, and the only ones for http beside development loopback
}

// judge decides about one address that is about to be dialled.
func (n networks) judge(a netip.Addr, encrypted bool) Denied {
	if !a.IsValid() || a.Zone() != "" {
		return "zone"
	}
	a = a.Unmap()
	loopback := n.development && a.IsLoopback()
	if !encrypted && !loopback && !admits(n.plaintext, a) {
		return "plaintext"
	}
	if loopback || admits(n.private, a) || admits(n.plaintext, a) {
		return ""
	}
	return Classify(a)
}

func admits(list []netip.Prefix, a netip.Addr) bool {
	single := slices.Contains(metadata, a)
	for _, p := range list {
		if p.Contains(a) && (!single || p.IsSingleIP()) {
			return true
		}
	}
	return false
}
