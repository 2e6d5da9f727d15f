package config

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
)

// url reads an absolute http or https URL. Whether plain http may be used is
// for the runtime to say, which knows the address.
func (r *reader) url(o fields.Object, name string) string {
	s := o.Text(name)
	if s == "" {
		return ""
	}
	if why := URLFault(s); why != "" {
		// The value is not repeated: it may hold a password.
		r.Report(o.Get(name), BadURL, "%q is a URL %s", name, why).
			Advice = "name it whole, as in https://billing.example.com/rpc"
		return ""
	}
	return s
}

// URLFault says why s binds nothing; "" when it may.
func URLFault(s string) string {
	u, err := url.Parse(s)
	switch {
	case strings.ContainsAny(s, "{} \t\r\n"):
		return "which holds spaces or braces"
	case err != nil:
		return "which is no URL"
	case u.Scheme != "https" && u.Scheme != "http":
		return "which is neither https nor http"
	case u.Opaque != "" || u.Hostname() == "":
		return "which names no host"
	case u.User != nil:
		return "which holds a user or a password"
	case strings.Contains(s, "#"):
		return "which holds a fragment"
	case !validPort(u):
		return "which has no valid port"
	}
	return ""
}

func validPort(u *url.URL) bool {
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	n, err := strconv.Atoi(u.Port())
	return err == nil && n > 0 && n < 1<<16
}
