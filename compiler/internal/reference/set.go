// Package reference finds the value that a $ref names: in the same file, in a
// file below a declared folder, or in a schema that states the URI as its own
// $id. It never touches the network and never leaves the folder.
//
// It knows URIs, files and JSON Pointers; what a schema keyword means it is
// told through [Set.Use]. Start with [New] and [Set.Resolve].
package reference

import (
	"net/url"
	"os"
	"path"

	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Options bound what references may reach. The zero value allows the document
// itself and nothing else.
type Options struct {
	// Root is the folder that file references may reach; nil allows none.
	Root *os.Root
	// Dir is the document's folder inside Root, with slashes; empty is Root
	// itself. A reference is looked for beside the file that holds it, then,
	// when nothing is there, below Root: some families of documents write
	// their references relative to a folder above them.
	Dir    string
	Limits source.Limits
	// Mend returns what stands for a file below Root, which was just read from
	// where; nil takes every file as it is.
	Mend func(where string, f *source.File) *source.File
	// Base is the URI that the document was published under; empty: its name.
	Base string
	// Remotes are documents by their URI, for whoever has fetched them before.
	Remotes map[string][]byte
}

// Identifier is a name that a schema gives itself.
type Identifier struct {
	Node   *source.Node
	URI    string // $id as written, without a plain-name fragment; "" for none
	Anchor string // plain name; "" for none
}

// Set resolves the references of one document and of the files it leads to.
// It is not safe for concurrent use.
type Set struct {
	options  Options
	document *source.File
	files    []*source.File
	identify func(*source.File) []Identifier
	library  map[string][]byte

	paths     map[string]*source.File   // files below Root
	resources map[*source.Node]*url.URL // root of a resource -> its URI, without fragment
	uris      map[string]*source.Node   // the other way round
	twins     map[string]*source.Node   // a second node that claims a URI
	anchors   map[anchor]*source.Node
	declared  map[string][]string // $id of files below Root that nothing has loaded -> paths
	loaded    map[string]bool     // remotes and library entries read
	effort    int                 // spent on suggestions
}

type anchor struct {
	resource *source.Node
	name     string
}

// scheme is the base of files that state no URI of their own. It is never
// shown and no document can name it: see splitURI.
const scheme = "rpcgen-file"

// New returns a Set for references that start in document.
func New(document *source.File, o Options) *Set {
	s := &Set{
		options:   o,
		document:  document,
		files:     []*source.File{document},
		paths:     map[string]*source.File{},
		resources: map[*source.Node]*url.URL{},
		uris:      map[string]*source.Node{},
		twins:     map[string]*source.Node{},
		anchors:   map[anchor]*source.Node{},
		loaded:    map[string]bool{},
	}
	where := path.Join(o.Dir, path.Base(path.Clean("/"+slashed(document.Name))))
	s.paths[where] = document
	u := fileURI(where)
	if base, err := url.Parse(o.Base); err == nil && base.IsAbs() {
		u = base
	}
	s.index(document, u)
	return s
}

// Use tells the set how schemas state identifiers, and which published schemas
// it may hand out by URI beside the options' Remotes. Files that were loaded
// before are looked through again.
func (s *Set) Use(identify func(*source.File) []Identifier, library map[string][]byte) {
	s.identify, s.library = identify, library
	for _, f := range s.files {
		s.identifiers(f)
	}
}

// Files returns the document and the files that references led to, in the
// order of first use. Schemas out of the library are not among them.
func (s *Set) Files() []*source.File { return s.files }

// Resource returns the root of the schema resource that n lies in: the nearest
// node upwards that states a URI, or the root of its file.
func (s *Set) Resource(n *source.Node) *source.Node {
	for n.Parent != nil {
		if _, ok := s.resources[n]; ok {
			return n
		}
		n = n.Parent
	}
	return n
}

// base returns the URI that references in n are relative to. A root that was
// never indexed is the document's, mended by a correction.
func (s *Set) base(n *source.Node) *url.URL {
	if u := s.resources[s.Resource(n)]; u != nil {
		return u
	}
	return s.resources[s.document.Root]
}

// index makes the root of f a resource and takes in the names below it.
func (s *Set) index(f *source.File, u *url.URL) {
	s.resources[f.Root] = u
	s.claim(u, f.Root)
	s.identifiers(f)
}

func (s *Set) identifiers(f *source.File) {
	if s.identify == nil {
		return
	}
	for _, id := range s.identify(f) {
		if id.URI != "" {
			s.identifyNode(id)
		}
		if id.Anchor != "" {
			s.anchors[anchor{s.Resource(id.Node), id.Anchor}] = id.Node
		}
	}
}

func (s *Set) identifyNode(id Identifier) {
	written, err := url.Parse(id.URI)
	if err != nil {
		return // the schema compiler reports it at the keyword
	}
	var base *url.URL
	if id.Node.Parent == nil {
		base = s.resources[id.Node]
	} else {
		base = s.base(id.Node.Parent)
	}
	u := base.ResolveReference(written)
	u.Fragment, u.RawFragment = "", ""
	s.resources[id.Node] = u
	s.claim(u, id.Node)
}

// claim records who states a URI. Two that state the same one make every
// reference to it a fault; which of them came first must not matter.
func (s *Set) claim(u *url.URL, n *source.Node) {
	key := u.String()
	if first, ok := s.uris[key]; ok && first != n {
		s.twins[key] = n
		return
	}
	s.uris[key] = n
}

func fileURI(where string) *url.URL { return &url.URL{Scheme: scheme, Path: "/" + where} }
