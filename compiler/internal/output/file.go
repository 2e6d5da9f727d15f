// Package output writes the files of a generated package into its folder and
// nothing else: it knows file names and bytes, not what they say. A run that is
// killed leaves the old package or a write that the next run finishes.
// Start with Write.
package output

// File is one generated file. Its name is a plain file name.
type File struct {
	Name string
	Data []byte
}
