//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !dragonfly && !windows

package main

import "os"

// interactive is false where nothing tells terminals from files: nobody is
// asked there, and answers are given as arguments.
func interactive(*os.File) bool { return false }
