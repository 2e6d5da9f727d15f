//go:build !unix

package sqlite

// identity cannot tell a file from its copy on this system; the count of spent
// approvals beside it still does once one was spent.
func identity(string) (string, error) { return "", nil }
