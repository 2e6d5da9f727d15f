// Package lock is the format of rpcgen.lock: what the last generate saw and
// wrote. It is data for comparing, and grants nothing: a lock edited by hand
// opens no method, because pins stand in the amendment.
//
// The file is JSON with one member a line, so that a merge or a review shows
// what moved. Same contents, same bytes. Start with Lock; read the file with
// source.Read, not ReadOwn: it repeats names of documents.
package lock

import (
	"encoding/json"

	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/openrpc-go/rpcgen/runtime/effect"
)

// Name is the name of the file; it lies beside the config.
const Name = "rpcgen.lock"

// Version is the version of the format that Read knows.
const Version = "1"

// Lock is the whole file. Lists may be in any order; Bytes sorts them.
type Lock struct {
	Version   string     `json:"rpcgen_lock"` // set by Bytes
	Tool      string     `json:"tool"`        // version of rpcgen that wrote the outputs
	Contracts []Contract `json:"contracts"`
}

// Contract is what was seen and written for one contract.
type Contract struct {
	ID            string   `json:"contract"`
	Digest        string   `json:"digest"` // over all methods' digests
	Package       string   `json:"package"`
	DefaultServer string   `json:"default_server,omitzero"`
	Authority     string   `json:"authority"` // counts by class, for people
	Inputs        []Input  `json:"inputs"`
	Outputs       []Output `json:"outputs"`
	Methods       []Method `json:"methods"`
	Stale         []Shape  `json:"stale,omitzero"`
}

// Role says what an input is.
type Role string

const (
	Document  Role = "document"
	Reference Role = "reference" // a file that the document refers to
	Amendment Role = "amendment"
)

// Input is a file that was read; its name is relative to the lock.
type Input struct {
	File   string `json:"file"`
	Role   Role   `json:"role"`
	Digest string `json:"digest"` // sha256 of its bytes
}

// Output is a file that was written; its name is relative to the package.
type Output struct {
	File   string `json:"file"`
	Digest string `json:"digest"` // sha256 of its bytes
}

// Method is one method as it was.
type Method struct {
	Name     string           `json:"name"` // wire name
	Class    Class            `json:"class"`
	ClosedTo []string         `json:"closed_to,omitzero"` // kinds of caller that lost it
	Digests  compiled.Digests `json:"digests"`
}

// Shape is what a stale entry was pinned to, kept until it is reviewed.
type Shape struct {
	Method string          `json:"method"`
	Pin    string          `json:"pin"`
	Shape  json.RawMessage `json:"shape"`
}

// Class is what the amendment made of a method: the effect of one that somebody
// may call, else its state.
type Class string

const (
	ClassRead        Class = "read"
	ClassWrite       Class = "write"
	ClassDestructive Class = "destructive"
	ClassRefused     Class = "refused"
	ClassUndecided   Class = "undecided"
	ClassStale       Class = "stale"
	ClassUncompiled  Class = "uncompiled"
)

// ClassOf returns the class of an authority.
func ClassOf(a compiled.Authority) Class {
	if state := a.Standing(); state != compiled.Open {
		return Class(state)
	}
	return Class(a.Effect)
}

// Open reports whether somebody may call a method of the class.
func (c Class) Open() bool {
	return effect.Effect(c).Valid()
}
