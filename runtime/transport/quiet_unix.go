//go:build unix

package transport

import (
	"net"
	"syscall"
)

// quiet reports whether an idle connection is still open and has nothing to
// read: an answer nobody asked for must not become the answer to the next
// request. A connection that cannot be asked is not quiet.
func quiet(c net.Conn) bool {
	source, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := source.SyscallConn()
	if err != nil {
		return false
	}
	var b [1]byte
	var peeked error
	err = raw.Read(func(fd uintptr) bool {
		_, _, peeked = syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK) // the socket does not block
		return true
	})
	return err == nil && (peeked == syscall.EAGAIN || peeked == syscall.EWOULDBLOCK)
}
