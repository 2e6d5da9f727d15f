package compiler_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// place is where a value stands, found by another parser than the one under
// test: first line and column of its key, when it has one, and of itself.
type place struct {
	key, value [2]int
	text       string // of the key and the value; YAML: from the key on
}

// atlas finds the places of one file by JSON pointer.
type atlas map[string]place

// atlases keeps one atlas a file: corpora have many diagnostics in few files.
var atlases = map[*source.File]atlas{}

// pointsAt returns an error unless the diagnostic's line and column are those
// of the key or value that its pointer names, and what the message quotes, or
// the last name of the pointer, stands there.
func pointsAt(d diag.Diagnostic) error {
	f := d.Position.File
	if f == nil || d.Position.Line < 1 || d.Position.Column < 1 {
		return fmt.Errorf("%s at %s: no position", d.Code, d.Pointer)
	}
	if atlases[f] == nil {
		drawn, err := drawAtlas(f)
		if err != nil {
			return err
		}
		atlases[f] = drawn
	}
	p, ok := atlases[f][string(d.Pointer)]
	if !ok {
		return fmt.Errorf("%s:%d: %s: the pointer %q names nothing", f.Name, d.Position.Line, d.Code, d.Pointer)
	}
	if got := [2]int{d.Position.Line, d.Position.Column}; got != p.key && got != p.value {
		return fmt.Errorf("%s: %s: %s stands at %v (key %v), the diagnostic says %v", f.Name, d.Code, d.Pointer, p.value, p.key, got)
	}
	return speaksOf(d, atlases[f], p)
}

var (
	quotedText = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	longNumber = regexp.MustCompile(`-?\d{3,}`)
	sameFile   = regexp.MustCompile(`"\$ref"\s*:\s*"#(/[^"]*)"`)
)

var foundNumber = regexp.MustCompile(`, found (-?[0-9.eE+]+) `)

// foundKinds are what messages say they found, and how it begins.
var foundKinds = map[string]string{
	", found an array": "[", ", found an object": "{", ", found true": "true", ", found false": "false", ", found null": "null",
}

// speaksOf looks for the offending text in the value, or in the one that it
// refers to: something that the message quotes, a long number of the message,
// the kind of value that was found, or the pointer's last name.
func speaksOf(d diag.Diagnostic, a atlas, p place) error {
	text := p.text
	if ref := sameFile.FindStringSubmatch(text); ref != nil {
		text += a[ref[1]].text
	}
	for _, word := range spoken(d.Message) {
		if strings.Contains(text, word) {
			return nil
		}
	}
	for said, begins := range foundKinds {
		if strings.Contains(d.Message, said) && strings.HasPrefix(p.text, begins) {
			return nil
		}
	}
	if number := foundNumber.FindStringSubmatch(d.Message); number != nil && strings.HasPrefix(p.text, number[1]) {
		return nil
	}
	name := string(d.Pointer)[strings.LastIndex(string(d.Pointer), "/")+1:]
	name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	if _, err := strconv.Atoi(name); err != nil && name != "" && strings.HasPrefix(strings.TrimLeft(p.text, `"'`), name) {
		return nil
	}
	return fmt.Errorf("%s:%d: %s: %q holds nothing of %q", d.Position.File.Name, d.Position.Line, d.Code, firstLine(p.text), d.Message)
}

// spoken lists what a message quotes and its long numbers.
func spoken(message string) []string {
	words := longNumber.FindAllString(message, -1)
	for _, quoted := range quotedText.FindAllString(message, -1) {
		if text, err := strconv.Unquote(quoted); err == nil && text != "" {
			words = append(words, text)
		}
	}
	return words
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func drawAtlas(f *source.File) (atlas, error) {
	a := atlas{}
	if bytes.HasPrefix(bytes.TrimLeft(f.Bytes, " \t\r\n\ufeff"), []byte("{")) {
		s := &jsonSurvey{atlas: a, text: f.Bytes, dec: json.NewDecoder(bytes.NewReader(f.Bytes))}
		s.dec.UseNumber()
		return a, s.value("", -1)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(f.Bytes, &root); err != nil {
		return nil, err
	}
	a.yaml("", nil, root.Content[0], bytes.SplitAfter(f.Bytes, []byte("\n")))
	return a, nil
}

// jsonSurvey walks a file with the standard library's decoder.
type jsonSurvey struct {
	atlas atlas
	text  []byte
	dec   *json.Decoder
	seen  int // bytes of text whose lines are counted
	line  int
	start int // of the line
}

// next is the offset of the next token.
func (s *jsonSurvey) next() int {
	at := int(s.dec.InputOffset())
	for at < len(s.text) && strings.IndexByte(" \t\r\n,:", s.text[at]) >= 0 {
		at++
	}
	return at
}

// at counts lines and runes up to an offset; offsets only grow.
func (s *jsonSurvey) at(offset int) [2]int {
	for ; s.seen < offset; s.seen++ {
		if s.text[s.seen] == '\n' {
			s.line, s.start = s.line+1, s.seen+1
		}
	}
	return [2]int{s.line + 1, utf8.RuneCount(s.text[s.start:offset]) + 1}
}

func (s *jsonSurvey) value(pointer string, key int) error {
	var p place
	begin := s.next()
	if key >= 0 {
		p.key = s.at(key)
	} else {
		key = begin
	}
	p.value = s.at(begin)
	token, err := s.dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		err = s.object(pointer)
	case json.Delim('['):
		err = s.array(pointer)
	}
	p.text = string(s.text[key:s.dec.InputOffset()])
	s.atlas[pointer] = p
	return err
}

func (s *jsonSurvey) object(pointer string) error {
	for s.dec.More() {
		key := s.next()
		name, err := s.dec.Token()
		if err != nil {
			return err
		}
		token := strings.NewReplacer("~", "~0", "/", "~1").Replace(name.(string))
		if err := s.value(pointer+"/"+token, key); err != nil {
			return err
		}
	}
	_, err := s.dec.Token()
	return err
}

func (s *jsonSurvey) array(pointer string) error {
	for i := 0; s.dec.More(); i++ {
		if err := s.value(pointer+"/"+strconv.Itoa(i), -1); err != nil {
			return err
		}
	}
	_, err := s.dec.Token()
	return err
}

// yaml walks a file with the YAML library's own line numbers.
func (a atlas) yaml(pointer string, key, value *yaml.Node, lines [][]byte) {
	p := place{value: [2]int{value.Line, value.Column}}
	first := value
	if key != nil {
		p.key, first = [2]int{key.Line, key.Column}, key
	}
	last := max(lastLine(value), first.Line)
	p.text = strings.TrimLeft(string(bytes.Join(lines[first.Line-1:last], nil)), " -")
	a[pointer] = p
	for i := 0; i < len(value.Content); i++ {
		if value.Kind == yaml.MappingNode {
			k, v := value.Content[i], value.Content[i+1]
			a.yaml(pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(k.Value), k, v, lines)
			i++
		} else {
			a.yaml(pointer+"/"+strconv.Itoa(i), nil, value.Content[i], lines)
		}
	}
}

func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, c := range n.Content {
		last = max(last, lastLine(c))
	}
	return last
}

// TestPointsAt holds the check itself against right and wrong diagnostics.
func TestPointsAt(t *testing.T) {
	f, err := source.Read("a.json", []byte("{\n  \"one\": {\"two\": \"dé\", \"three\": 4},\n  \"list\": [1, \"six\"]\n}\n"), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := source.Read("a.yaml", []byte("one:\n  two: word\nlist:\n  - 1\n  - six: 7\n"), source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		file         *source.File
		pointer      source.Pointer
		line, column int
		message      string
		want         bool
	}{
		{f, "/one/two", 2, 18, `"dé" is no word`, true},
		{f, "/one/two", 2, 11, `this is no word`, true},
		{f, "/one/three", 2, 24, `not a word`, true},
		{f, "/one/three", 2, 25, `not a word`, false},
		{f, "/one/three", 3, 24, `not a word`, false},
		{f, "/one/four", 2, 24, `"three" is wrong`, false},
		{f, "/list/1", 3, 15, `"six" is no number`, true},
		{f, "/list/1", 3, 15, `"seven" is no number`, false},
		{f, "", 1, 1, `"list" is too long`, true},
		{y, "/one/two", 2, 8, `"word" is wrong`, true},
		{y, "/list/1/six", 5, 5, `wrong`, true},
		{y, "/list/1/six", 4, 5, `wrong`, false},
	}
	for _, test := range tests {
		d := diag.Diagnostic{Code: "code", Pointer: test.pointer, Message: test.message,
			Position: source.Position{File: test.file, Line: test.line, Column: test.column}}
		if err := pointsAt(d); (err == nil) != test.want {
			t.Errorf("pointsAt(%s at %d:%d %s) = %v, want accepted %v", test.pointer, test.line, test.column, test.message, err, test.want)
		}
	}
}
