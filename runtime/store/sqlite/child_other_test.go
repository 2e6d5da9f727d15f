//go:build !unix

package sqlite

func beChild() {}
