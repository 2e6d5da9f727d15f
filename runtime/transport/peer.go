package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
)

// peer is a host that is dialled, with the rules for its addresses: the origin,
// or the proxy before it.
type peer struct {
	subject  string // "address" or "proxy address": of errors
	target   target
	networks networks
	pinned   []netip.Addr
	known    []netip.Addr // without a resolver, and judged: set by check
	resolver Resolver
}

var loopback = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}

// check holds the addresses that are known without a resolver against the
// same rules that judge an address before it is dialled.
func (p *peer) check() error {
	if slices.ContainsFunc(append(slices.Clone(p.networks.private), p.networks.plaintext...), badPrefix) {
		return errors.New("a network is not a valid prefix, is an IPv4 one mapped into IPv6, or is wider than any private network")
	}
	if !p.target.encrypted && !p.loopbackName() && !p.target.address.IsValid() && len(p.networks.plaintext) == 0 {
		return errors.New("must be https: http needs a development binding and a loopback host, or a plaintext network")
	}
	p.known = slices.Clone(p.pinned)
	switch {
	case p.target.address.IsValid() && len(p.pinned) > 0:
		return errors.New("is an address itself and has pinned addresses beside it")
	case p.target.address.IsValid():
		p.known = []netip.Addr{p.target.address}
	case p.loopbackName() && len(p.pinned) == 0:
		p.known = slices.Clone(loopback)
	}
	for i, a := range p.known {
		if reason := p.networks.judge(a, p.target.encrypted); reason != "" {
			return fmt.Errorf("leads to the address %s, which must not be dialled: %s", a.WithZone(""), reason)
		}
		p.known[i] = a.Unmap()
	}
	return nil
}

// badPrefix wants exact networks: 10.0.0.0/8 and fc00::/7 are the widest that
// are private.
func badPrefix(p netip.Prefix) bool {
	return !p.IsValid() || p.Addr().Is4In6() || p.Addr().Is4() && p.Bits() < 8 || p.Bits() < 7
}

// loopbackName reports whether the host is the name that a development
// binding may use for loopback.
func (p *peer) loopbackName() bool { return p.networks.development && p.target.host == "localhost" }

// resolve returns the addresses to dial, each of them judged. One denied
// answer refuses the name: filtering would hide an attack.
func (p *peer) resolve(ctx context.Context) ([]netip.Addr, error) {
	if len(p.known) > 0 {
		return p.known, nil
	}
	answers, err := p.lookup(ctx)
	if err != nil {
		return nil, &ConfigError{p.subject, "the host name has no address", ctx.Err()}
	}
	if len(answers) == 0 || len(answers) > maxAnswers {
		return nil, &ConfigError{p.subject, fmt.Sprintf("the host name has none or more than %d addresses", maxAnswers), nil}
	}
	for i, a := range answers {
		if reason := p.networks.judge(a, p.target.encrypted); reason != "" {
			return nil, &ConfigError{p.subject, "the host name leads to an address that must not be dialled: " + string(reason), nil}
		}
		answers[i] = a.Unmap()
	}
	return answers, nil
}

func (p *peer) lookup(ctx context.Context) ([]netip.Addr, error) {
	if p.resolver != nil {
		answers, err := p.resolver.LookupNetIP(ctx, "ip", p.target.host)
		return slices.Clone(answers), err
	}
	// The Go resolver, because the system's takes 0x7f.1 for an address; the
	// dot at the end, so that no search domain is tried.
	r := net.Resolver{PreferGo: true}
	answers, err := r.LookupNetIP(ctx, "ip", p.target.host+".")
	var missing *net.DNSError
	if errors.As(err, &missing) && ctx.Err() != nil {
		err = ctx.Err()
	}
	return answers, err
}
