package compiler

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/config"
	"github.com/openrpc-go/rpcgen/compiler/internal/revise"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// declare adds a contract below those of a config that is there.
func (s Start) declare(file *source.File, starter config.Starter) error {
	_, lines, _ := strings.Cut(string(starter.Write()), "\ncontracts:\n")
	contracts := file.Root.Get("contracts")
	if file.Bytes[contracts.Offset] == '{' {
		return fmt.Errorf("%s is not written in lines; add the contract there yourself:\n%s", ConfigName, lines)
	}
	r := revise.New(file)
	offset, indent := r.AfterLast(contracts)
	var text strings.Builder
	if offset > 0 && file.Bytes[offset-1] != '\n' {
		text.WriteString("\n")
	}
	for line := range strings.Lines(lines) {
		text.WriteString(indent + strings.TrimPrefix(line, "  "))
	}
	r.Add(offset, text.String())
	now, err := r.Bytes()
	if err != nil {
		return err
	}
	if err := declares(file, now, starter.ID); err != nil {
		return fmt.Errorf("the new lines would damage %s, so they were not written (%w); add the contract there yourself:\n%s", ConfigName, err, lines)
	}
	return revise.Replace(filepath.Join(s.Dir, ConfigName), file.Bytes, now)
}

// declares wants of a new config that it has the contract and is else the same.
func declares(was *source.File, text []byte, id string) error {
	now, err := source.ReadOwn(was.Name, text, source.Limits{})
	if err != nil {
		return err
	}
	if _, found := config.Read(now); found.HasErrors() {
		return errors.New(found.Errors()[0].Message)
	}
	if now.Root.Get("contracts").Get(id) == nil || bytes.Equal(was.Bytes, text) {
		return errors.New("the contract is not there")
	}
	return errors.Join(
		sameMembers(was.Root, now.Root, "contracts"),
		sameMembers(was.Root.Get("contracts"), now.Root.Get("contracts"), id),
	)
}
