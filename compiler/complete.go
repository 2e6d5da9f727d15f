package compiler

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/revise"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// complete adds to an existing amendment a comment for each method that it
// names nowhere, below its entries. Comments decide nothing.
func (p *Project) complete(begun *Begun, c *Compilation) error {
	file := c.Amendment.Source
	missing := c.unlisted()
	if len(missing) == 0 {
		return nil
	}
	begun.Added, begun.AddedTo = len(missing), c.Amendment.Source.Name
	if file.Format == source.JSON || bytes.HasPrefix(bytes.TrimSpace(file.Bytes), []byte("{")) {
		return nil // it has no comments: the caller says what is missing
	}
	text, err := c.withLines(missing)
	if err != nil {
		return err
	}
	begun.Listed = true
	return revise.Replace(p.path(c.Target.Amendment), file.Bytes, text)
}

// unlisted are the methods that have no entry and whose name stands in quotes
// nowhere in the file, so that a line that somebody left in a comment counts.
func (c *Compilation) unlisted() map[string]bool {
	missing := map[string]bool{}
	for i, m := range c.Contract.Methods {
		if c.Joined.Entries[i] == nil && !c.listed(m.Name) {
			missing[m.Name] = true
		}
	}
	return missing
}

// listed reports whether the amendment names a method, or never can.
func (c *Compilation) listed(method string) bool {
	return c.Amendment == nil || !amendment.Writable(method) ||
		bytes.Contains(c.Amendment.Source.Bytes, []byte(strconv.QuoteToASCII(method)))
}

// withLines is the amendment with worksheet lines for the methods.
func (c *Compilation) withLines(missing map[string]bool) ([]byte, error) {
	file := c.Amendment.Source
	lines := c.worksheetLines(missing)
	r := revise.New(file)
	offset := len(file.Bytes)
	if methods := file.Root.Get("methods"); methods != nil && file.Bytes[methods.Offset] != '{' {
		offset, _ = r.AfterLast(methods)
	}
	if offset > 0 && file.Bytes[offset-1] != '\n' {
		lines = "\n" + lines
	}
	r.Add(offset, lines)
	text, err := r.Bytes()
	if err != nil {
		return nil, err
	}
	return text, sameMeaning(file, text)
}

// worksheetLines are the lines of a worksheet about some methods.
func (c *Compilation) worksheetLines(missing map[string]bool) string {
	part := contract.Select(c.Contract, func(name string) bool { return missing[name] })
	var digests []compiled.Digests
	for i, m := range c.Contract.Methods {
		if missing[m.Name] {
			digests = append(digests, c.Digests[i])
		}
	}
	_, lines, _ := strings.Cut(string(amendment.Worksheet(part, digests)), "\n#methods:\n")
	return strings.TrimRight(lines, "\n") + "\n"
}

// sameMeaning refuses a text that says anything else than the file.
func sameMeaning(file *source.File, text []byte) error {
	again, err := source.ReadOwn(file.Name, text, source.Limits{}, correct.Nulls)
	if err != nil {
		return fmt.Errorf("the new lines would damage %s, so nothing was written: %w", file.Name, err)
	}
	if !bytes.Equal(again.Root.JSON(), file.Root.JSON()) {
		return errors.New("the new lines would change what " + file.Name + " says, so nothing was written")
	}
	return nil
}
