//go:build !unix

package transport

import "net"

// quiet reports whether an idle connection may be used again. Where it cannot
// be asked it is not: a new connection is slower, never wrong.
func quiet(net.Conn) bool { return false }
