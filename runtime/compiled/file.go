package compiled

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/openrpc-go/rpcgen/runtime/canonical"
	"github.com/openrpc-go/rpcgen/runtime/internal/scan"
	"github.com/openrpc-go/rpcgen/runtime/schema"
)

// Digest returns the SHA-256 digest of the bytes of a contract.json without
// its carriage returns, so that a checkout that changes line ends changes
// nothing: inside JSON strings they cannot stand.
func Digest(b []byte) string {
	h := sha256.New()
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte{'\r'})
		h.Write(line)
		b = rest
	}
	return canonical.Sum(h.Sum(nil)).String()
}

// File is a contract.json that was read. Methods and schemas are read when they are
// asked for, each once; what was not asked for is not checked. A File is safe
// for concurrent use.
type File struct {
	src     []byte
	header  Header
	names   []string // of the methods, in document order
	methods map[string]value
	schemas map[string]value

	mu   sync.Mutex
	read map[string]*Method
	node map[string]*schema.Node
}

// Read finds the sections of a contract.json and reads its header. It refuses
// any other format than Generation. The File keeps b, which must not change.
func Read(b []byte) (*File, error) {
	f := &File{
		src:     b,
		methods: map[string]value{},
		schemas: map[string]value{},
		read:    map[string]*Method{},
		node:    map[string]*schema.Node{},
	}
	if err := f.index(); err != nil {
		return nil, fmt.Errorf("contract.json: %w", err)
	}
	return f, nil
}

// index walks the outermost object by balancing brackets only.
func (f *File) index() error {
	start := scan.Space(f.src, 0)
	if start == len(f.src) || f.src[start] != '{' {
		return fmt.Errorf("is not an object")
	}
	end, err := scan.Skip(f.src, start)
	if err != nil {
		return err
	}
	if rest := scan.Space(f.src, end); rest != len(f.src) {
		return &scan.Error{Offset: rest, Code: scan.TrailingData}
	}
	sections := map[string]value{}
	header := []byte{'{'}
	err = scan.Members(f.src, start, func(name []byte, start, end int) error {
		if s := string(name); s == `"methods"` || s == `"schemas"` {
			if sections[s] != (value{}) {
				return fmt.Errorf("has two members %s", s)
			}
			sections[s] = value{start, end}
			return nil
		}
		header = append(separate(header, len(header)-1), name...)
		header = append(append(header, ':'), f.src[start:end]...)
		return nil
	})
	if err != nil {
		return err
	}
	if err := f.readHeader(append(header, '}')); err != nil {
		return err
	}
	if err := f.indexMethods(sections[`"methods"`]); err != nil {
		return fmt.Errorf("methods: %w", err)
	}
	if err := f.indexSchemas(sections[`"schemas"`]); err != nil {
		return fmt.Errorf("schemas: %w", err)
	}
	return nil
}

func (f *File) readHeader(b []byte) error {
	// The format comes first: another one may have other members.
	var format struct {
		Format int            `json:"rpcgen"`
		Rest   jsontext.Value `json:",inline"`
	}
	if err := json.Unmarshal(b, &format); err != nil {
		return err
	}
	if format.Format != Generation {
		return fmt.Errorf("has format %d, this program reads %d: generate it again", format.Format, Generation)
	}
	return json.Unmarshal(b, &f.header, json.RejectUnknownMembers(true))
}

func (f *File) indexMethods(v value) error {
	if v == (value{}) || f.src[v.start] != '[' {
		return fmt.Errorf("is not an array")
	}
	return scan.Elements(f.src, v.start, func(start, end int) error {
		name, err := f.methodName(start)
		if err != nil {
			return err
		}
		if _, ok := f.methods[name]; ok {
			return fmt.Errorf("two are called %.80q", name)
		}
		f.methods[name] = value{start, end}
		f.names = append(f.names, name)
		return nil
	})
}

// methodName reads the first member of a method, which is its name.
func (f *File) methodName(start int) (string, error) {
	const first = `"name"`
	at := scan.Space(f.src, start+1)
	if f.src[start] != '{' || len(f.src) < at+len(first) || string(f.src[at:at+len(first)]) != first {
		return "", fmt.Errorf("one does not start with its name")
	}
	at, err := scan.Colon(f.src, at+len(first))
	if err != nil {
		return "", err
	}
	end, err := scan.Value(f.src, at, limits)
	if err != nil {
		return "", err
	}
	d := decoder{src: f.src}
	return d.text(value{at, end})
}

func (f *File) indexSchemas(v value) error {
	if v == (value{}) || f.src[v.start] != '{' {
		return fmt.Errorf("is not an object")
	}
	last := ""
	return scan.Members(f.src, v.start, func(quoted []byte, start, end int) error {
		id := string(scan.Unquote(nil, quoted))
		if id <= last {
			return fmt.Errorf("id %.80q is empty or out of order", id)
		}
		last = id
		f.schemas[id] = value{start, end}
		return nil
	})
}

// Header returns the header.
func (f *File) Header() Header { return f.header }

// MethodNames returns the wire names of all methods in document order.
func (f *File) MethodNames() []string { return append([]string(nil), f.names...) }

// Method reads a method and the schemas it reaches, or returns what was read
// before. It is an error when the contract has no such method or when anything
// it needs is damaged. The Method is shared: do not change it.
func (f *File) Method(name string) (*Method, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m := f.read[name]; m != nil {
		return m, nil
	}
	v, ok := f.methods[name]
	if !ok {
		return nil, fmt.Errorf("contract %q has no method %.80q", f.header.ID, name)
	}
	m, err := f.readMethod(v)
	if err != nil {
		return nil, fmt.Errorf("contract.json: method %.80q: %w", name, err)
	}
	f.read[name] = m
	return m, nil
}

// Contract reads everything.
func (f *File) Contract() (*Contract, error) {
	c := &Contract{Header: f.header}
	for _, name := range f.names {
		m, err := f.Method(name)
		if err != nil {
			return nil, err
		}
		c.Methods = append(c.Methods, m)
	}
	return c, nil
}

func (f *File) readMethod(v value) (*Method, error) {
	var section methodSection
	if err := json.Unmarshal(f.src[v.start:v.end], &section, json.RejectUnknownMembers(true)); err != nil {
		return nil, err
	}
	r := &reading{file: f, node: map[string]*schema.Node{}}
	m := section.Method
	m.ParamsNode = r.root(section.Params)
	m.ResultNode = r.root(section.Result)
	m.Authority.AllowIf = r.root(section.AllowIf)
	for _, x := range section.Errors {
		x.Error.Data = r.root(x.Data)
		m.Errors = append(m.Errors, x.Error)
	}
	if err := r.finish(); err != nil {
		return nil, err
	}
	return &m, nil
}

// reading collects the nodes that one method reaches. They join the file's
// only when all of them are sound.
type reading struct {
	file  *File
	node  map[string]*schema.Node
	queue []string
	err   error
}

// root returns the node that a method refers to; none for no id.
func (r *reading) root(id string) *schema.Node {
	if id == "" {
		return nil
	}
	n := r.refer(id)
	if n == nil && r.err == nil {
		r.err = fmt.Errorf("no schema has the id %.80q", id)
	}
	return n
}

// refer returns the node of an id, which may be filled later, or nil.
func (r *reading) refer(id string) *schema.Node {
	if n := r.file.node[id]; n != nil {
		return n
	}
	if n := r.node[id]; n != nil {
		return n
	}
	if _, ok := r.file.schemas[id]; !ok {
		return nil
	}
	n := new(schema.Node)
	r.node[id] = n
	r.queue = append(r.queue, id)
	return n
}

// finish fills every node that was referred to.
func (r *reading) finish() error {
	d := &decoder{src: r.file.src, refer: r.refer}
	for i := 0; i < len(r.queue) && r.err == nil; i++ {
		id := r.queue[i]
		v := r.file.schemas[id]
		if end, err := scan.Value(d.src[:v.end], v.start, limits); err != nil || end != v.end {
			return fmt.Errorf("schema %.80q is damaged: %w", id, err)
		}
		if err := d.body(r.node[id], v, id); err != nil {
			return fmt.Errorf("schema %.80q: %w", id, err)
		}
	}
	if r.err != nil {
		return r.err
	}
	for id, n := range r.node {
		r.file.node[id] = n
	}
	return nil
}
