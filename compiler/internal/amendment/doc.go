// Package amendment reads what the owner of a project allows: the local file
// that says what each method does to the world, who may call it, and for which
// exact shape of the method that was decided. It joins the file with a
// contract; every mismatch is a diagnostic.
//
// It never takes authority from a document, never guesses a classification,
// and never uses a part of a file that has faults. docs/amendment.md describes the
// file; the table of what may stand together is laws in law.go. Start with
// ReadTrusted and Join.
package amendment
