//go:build !unix

package source

// nonblock is nothing where opening a file never waits for another process.
const nonblock = 0
