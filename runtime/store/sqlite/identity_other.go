//go:build !unix

package sqlite

import "os"

// othersWrite cannot tell: modes say nothing about access here.
func othersWrite(os.FileInfo) bool { return false }

// identity cannot tell a file from its copy on this system; the count of spent
// approvals beside it still does once one was spent.
func identity(string) (string, error) { return "", nil }
