package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// readYAML lets the library parse into its own nodes, which are held against
// our rules and copied; nothing is ever resolved or constructed by the library.
func (b *builder) readYAML(own bool) error {
	if err := b.file.checkIndicators(b.limits.Nodes); err != nil {
		return err
	}
	// The library skips a byte order mark at the start of any line.
	if at := bytes.Index(b.file.Bytes, []byte("\n\ufeff")); at >= 0 {
		return b.file.fail(at+1, CodeByteOrderMark, "a byte order mark inside the file").advise(utf8Advice)
	}
	text, err := b.file.stripDirective(own)
	if err != nil {
		return err
	}
	r := yamlReader{builder: b, own: own, text: text, marks: newMarks(text), sizes: map[*yaml.Node]int{}}
	root, err := r.parse()
	if err != nil {
		return err
	}
	size, err := r.measure(root)
	if err != nil {
		return err
	}
	// A few aliases of aliases make millions of values out of a few lines. An
	// honest document repeats some of itself, never tenfold.
	if written := r.written; size > b.limits.Nodes || size > 10*written+10_000 {
		return b.file.fail(root.Line, CodeTooManyNodes,
			"aliases turn %d written values into more than %d", written, min(b.limits.Nodes, 10*written+10_000))
	}
	return r.emit(root)
}

// checkIndicators bounds what the library may build: it has no limit of its
// own on nodes, and every node needs one of these characters before it.
func (f *File) checkIndicators(nodes int) error {
	limit := 2 * max(nodes, 1<<20)
	count := 0
	for _, c := range f.Bytes {
		switch c {
		case ',', ':', '[', '{', '-', '?':
			count++
		}
	}
	if count > limit {
		return f.fail(0, CodeTooManyNodes, "more than %d marks that may start a value", limit)
	}
	return nil
}

type yamlReader struct {
	*builder
	own     bool
	text    []byte // what the library reads: the file, but for directives
	marks   *marks
	written int                // nodes in the text
	sizes   map[*yaml.Node]int // anchored node to its expanded size
}

// depthLimit stops the library early; builder has the exact limit. The
// library counts block and flow levels apart.
type depthLimit struct {
	limit int
	hit   bool
}

func (d *depthLimit) CheckDepth(depth int, _ *yaml.DepthContext) error {
	if depth > d.limit {
		d.hit = true
		return errors.New("nested too deep")
	}
	return nil
}

func (d *depthLimit) CheckAlias(int, int) error { return nil }

// parse returns the content of the one document. After it, Line of a node that
// measure has seen holds the byte offset.
func (r *yamlReader) parse() (root *yaml.Node, err error) {
	depth := &depthLimit{limit: r.limits.Depth + 2}
	defer func() {
		// The library panics on states it thinks impossible. Its input is
		// not ours, so that is a fault of the file.
		if p := recover(); p != nil {
			err = r.file.fail(0, CodeSyntaxYAML, "the YAML reader gave up: %q", clip(fmt.Sprint(p)))
		}
	}()
	loader, err := yaml.NewLoader(bytes.NewReader(r.text), yaml.WithPlugin(depth))
	if err != nil {
		return nil, err
	}
	for {
		node := new(yaml.Node)
		switch err := loader.Load(node); {
		case err == io.EOF:
			if root == nil {
				return nil, r.file.fail(0, CodeEmpty, "the file holds no value")
			}
			return root, nil
		case err != nil:
			return nil, r.syntax(err, depth)
		}
		if root != nil {
			return nil, r.file.fail(r.marks.offset(node.Line, node.Column), CodeSecondDocument,
				"a second document starts here").advise("one file holds one document")
		}
		if node.Kind != yaml.DocumentNode || len(node.Content) != 1 {
			return nil, r.file.fail(0, CodeSyntaxYAML, "the YAML reader found no document")
		}
		root = node.Content[0]
	}
}

func (r *yamlReader) syntax(err error, depth *depthLimit) error {
	offset, message := 0, err.Error()
	if e, ok := errors.AsType[*yaml.LoadError](err); ok {
		offset, message = r.marks.offset(e.Mark.Line, e.Mark.Column), e.Message
		if e.ContextMsg != "" {
			message = e.ContextMsg + ": " + message
		}
	}
	if depth.hit {
		return r.file.fail(offset, CodeTooDeep, "nested more than %d deep", r.limits.Depth)
	}
	e := r.file.fail(offset, CodeSyntaxYAML, "%s", message)
	e.cause = err
	return e
}

// measure walks the text in order. It turns marks into offsets, checks
// what does not depend on where an alias stands, and returns how many values n
// makes once aliases are expanded.
func (r *yamlReader) measure(n *yaml.Node) (int, error) {
	n.Line, n.Column = r.marks.offset(n.Line, n.Column), 0
	r.written++
	if err := r.checkNode(n); err != nil {
		return 0, err
	}
	if n.Kind == yaml.AliasNode {
		size, ok := r.sizes[n.Alias]
		if !ok {
			return 0, r.file.fail(n.Line, CodeYAMLAlias, "alias %q is part of what it stands for", clip(n.Value))
		}
		return size, nil
	}
	size := 1
	for i, child := range n.Content {
		s, err := r.measure(child)
		if err != nil {
			return 0, err
		}
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			s = 0 // a key is no value
		}
		size = min(size+s, r.limits.Nodes+1)
	}
	if n.Anchor != "" {
		r.sizes[n] = size
	}
	return size, nil
}

func (r *yamlReader) checkNode(n *yaml.Node) error {
	if !utf8.ValidString(n.Value) {
		return r.file.fail(n.Line, CodeSyntaxYAML, "an escape here is not a character")
	}
	if !r.own {
		return nil
	}
	const local = "this file is read as it stands: write the value out"
	switch {
	case n.Kind == yaml.AliasNode:
		return r.file.fail(n.Line, CodeYAMLAlias, "aliases are not allowed here").advise(local)
	case n.Anchor != "":
		return r.fault(r.file.fail(n.Line, CodeYAMLAnchor, "anchors are not allowed here").advise(local))
	case tagged(n):
		return r.fault(r.file.fail(n.Line, CodeYAMLTag, "tags are not allowed here").advise("remove the tag"))
	default:
		return r.file.checkDecoded(n.Value, n.Line)
	}
}

// tagged reports an explicit tag; the library fills in implicit ones.
func tagged(n *yaml.Node) bool { return n.Style&yaml.TaggedStyle != 0 || n.Tag == "!" }

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

func plain(n *yaml.Node) bool { return n.Style&quotedStyles == 0 && n.Tag != "!" }

// emit hands n to the builder, which bounds the recursion by its depth.
func (r *yamlReader) emit(n *yaml.Node) error {
	switch n.Kind {
	case yaml.AliasNode:
		return r.emit(n.Alias)
	case yaml.ScalarNode:
		return r.scalar(n)
	case yaml.SequenceNode:
		if err := r.collection(n, Array, "!!seq"); err != nil {
			return err
		}
		for _, item := range n.Content {
			if err := r.emit(item); err != nil {
				return err
			}
		}
		return r.end()
	case yaml.MappingNode:
		return r.mapping(n)
	default:
		return r.file.fail(n.Line, CodeSyntaxYAML, "unknown kind of node")
	}
}

func (r *yamlReader) collection(n *yaml.Node, kind Kind, tag string) error {
	if tagged(n) && n.Tag != tag && n.Tag != "!" {
		return r.badTag(n)
	}
	return r.begin(kind, n.Line)
}

func (r *yamlReader) mapping(n *yaml.Node) error {
	if err := r.collection(n, Object, "!!map"); err != nil {
		return err
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if err := r.checkKey(key); err != nil {
			return err
		}
		r.name(key.Value, key.Line)
		if err := r.emit(n.Content[i+1]); err != nil {
			return err
		}
	}
	return r.end()
}

// checkKey lets any single scalar be a name: 200, no and null are the words
// that stand there, as JSON would have them.
func (r *yamlReader) checkKey(key *yaml.Node) error {
	switch {
	case key.Kind != yaml.ScalarNode:
		return r.file.fail(key.Line, CodeYAMLKey, "a name must be one word or text").at(r.pointer())
	case key.Value == "<<" && plain(key), key.Tag == "!!merge":
		return r.file.fail(key.Line, CodeYAMLMerge, "merge keys are not read").at(r.pointer()).
			advise("write the members out")
	case tagged(key) && key.Tag != "!!str" && key.Tag != "!":
		return r.badTag(key)
	case key.Value == "" && plain(key):
		return r.file.fail(key.Line, CodeYAMLKey, "a name is missing").at(r.pointer())
	case r.own && plain(key):
		if p := checkOwnKey(key.Value); p.code != "" {
			return r.fault(r.refuse(key, p))
		}
	}
	return nil
}

func (r *yamlReader) scalar(n *yaml.Node) error {
	kind, text := String, n.Value
	if plain(n) && !(tagged(n) && n.Tag == "!!str") {
		var p problem
		if r.own {
			kind, text, p = r.ownPlain(n.Value)
		} else {
			kind, text, p = readPlain(n.Value)
		}
		if p.code != "" {
			if err := r.fault(r.refuse(n, p)); err != nil {
				return err
			}
			kind, text = String, n.Value
			if p.code == CodeNull {
				kind, text = Null, ""
			}
		}
	}
	if tagged(n) && !tagFits(n.Tag, kind) {
		return r.badTag(n)
	}
	_, err := r.value(kind, text, n.Line)
	return err
}

// ownPlain resolves a plain scalar of our own file.
func (r *yamlReader) ownPlain(s string) (Kind, string, problem) {
	if s == "null" && r.rules.nullAt(r.pointer()) {
		return Null, "", problem{}
	}
	return readOwnPlain(s)
}

// tagFits admits the tags of the core schema where they say what is so anyway.
func tagFits(tag string, kind Kind) bool {
	switch tag {
	case "!", "!!str":
		return kind == String
	case "!!bool":
		return kind == Bool
	case "!!null":
		return kind == Null
	case "!!int", "!!float":
		return kind == Number
	default:
		return false
	}
}

func (r *yamlReader) badTag(n *yaml.Node) error {
	return r.file.fail(n.Line, CodeYAMLTag, "tag %q is not read, or does not fit the value", clip(n.Tag)).
		at(r.pointer()).advise("remove the tag")
}

func (r *yamlReader) refuse(n *yaml.Node, p problem) *Error {
	message := p.message
	if p.code != CodeNull {
		message = fmt.Sprintf(message, clip(n.Value))
	}
	return r.file.fail(n.Line, p.code, "%s", message).at(r.pointer()).advise(p.advice)
}
