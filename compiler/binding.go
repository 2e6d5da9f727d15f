package compiler

import (
	"net/url"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/config"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
)

// Binding is the server that a package calls unless its host binds another.
type Binding struct {
	URL        string // "" binds nothing
	Held       string // the default that the lock holds, when the document moved away from it
	Advertised string // what the document names now on the host that it came from; "" for nothing
	Moved      bool   // the document moved it, so nothing is bound until that is confirmed
}

// kept is the default that the lock keeps: one that moved stays what it was
// until somebody has looked.
func (b Binding) kept() string {
	if b.Moved {
		return b.Held
	}
	return b.URL
}

// bind finds the default server. The config's word counts alone. Without it, a
// server that the document names is taken only on the origin that the document
// itself came from, and only the one that was taken before.
func (p *Project) bind(t Target, c *contract.Contract) (Binding, error) {
	if t.Server != "" || t.Origin == "" {
		return Binding{URL: t.Server}, nil
	}
	advertised := sameOrigin(t.Origin, c.Servers)
	old, err := p.readLock()
	if err != nil {
		return Binding{}, err
	}
	if old != nil {
		for _, known := range old.Contracts {
			if known.ID == t.ID && known.DefaultServer != advertised {
				return Binding{Held: known.DefaultServer, Advertised: advertised, Moved: true}, nil
			}
		}
	}
	return Binding{URL: advertised, Advertised: advertised}, nil
}

// sameOrigin returns the first server with the scheme, host and port of origin.
// Relative URLs are resolved against it; templated ones are nobody's.
func sameOrigin(origin string, servers []contract.Server) string {
	from, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	for _, s := range servers {
		to, err := from.Parse(s.URL)
		if err != nil || strings.ContainsAny(s.URL, "{}\\") {
			continue
		}
		resolved := to.String()
		if originOf(to) == originOf(from) && config.URLFault(resolved) == "" {
			return resolved
		}
	}
	return ""
}

// originOf spells scheme, host and effective port.
func originOf(u *url.URL) string {
	scheme, port := strings.ToLower(u.Scheme), u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[scheme]
	}
	return scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
