package compiler

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/download"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// isURL reports whether a document is named by a URL rather than by a path.
func isURL(document string) bool { return strings.Contains(document, "://") }

// anyDocument are names that say nothing about whose document it is.
var anyDocument = []string{"", "openrpc", "openapi", "swagger", "spec", "schema", "index", "api", "api_docs"}

// download stores the document behind a URL below the folder and starts from
// there. A document that cannot be compiled is not kept.
func (s Start) download(ctx context.Context) (*Begun, error) {
	origin := s.Document
	if s.Name == "" {
		u, err := url.Parse(origin)
		if err != nil {
			return nil, fmt.Errorf("%.200q is no URL: %w", origin, err)
		}
		s.Name = endpointID(path.Base("/" + u.Path))
		if slices.Contains(anyDocument, s.Name) {
			return nil, fmt.Errorf("the URL does not say what the contract is called; name it with --name")
		}
	}
	if err := contract.CheckID(s.Name); err != nil {
		return nil, fmt.Errorf("%w; name the contract with --name", err)
	}
	existing, _, err := s.existing(s.Name)
	if err != nil {
		return nil, err
	}
	text, err := download.Get(ctx, origin, download.Options{Loopback: s.Development})
	if err != nil {
		return nil, err
	}
	name, err := s.vendored(text, existing)
	if err != nil {
		return nil, err
	}
	if err := s.store(name, text); err != nil {
		return nil, err
	}
	s.Document = filepath.Join(s.Dir, filepath.FromSlash(name))
	begun, err := s.begin(origin)
	if err != nil || begun.Failed {
		return begun, errors.Join(err, os.Remove(s.Document))
	}
	begun.Wrote = append([]string{name}, begun.Wrote...)
	return begun, nil
}

// vendored is where a downloaded document is stored: where the config wants
// it, or under contracts with the ending of its format.
func (s Start) vendored(text []byte, existing *Target) (string, error) {
	if existing != nil {
		return existing.Document, nil
	}
	file, err := source.Read(s.Name, text, source.Limits{})
	if err != nil {
		return "", fmt.Errorf("what was downloaded is no document: %w", err)
	}
	return "contracts/" + s.Name + "." + string(file.Format), nil
}

// store writes a document that is not there yet.
func (s Start) store(name string, text []byte) error {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o777); err != nil {
		return err
	}
	err = create(root, starting{name, text})
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already and was kept; to work with it: %s", name,
			commands{flags: flagsOf(s.Dir)}.line("init", []string{filepath.Join(s.Dir, filepath.FromSlash(name))}, "--name", s.Name))
	}
	return err
}
