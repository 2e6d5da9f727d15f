package compiler

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/amendment"
	"github.com/openrpc-go/rpcgen/compiler/internal/config"
	"github.com/openrpc-go/rpcgen/compiler/internal/contract"
	"github.com/openrpc-go/rpcgen/compiler/internal/metaschema"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Start says what Init is asked to begin.
type Start struct {
	Dir      string // the folder that holds, or will hold, rpcgen.yaml
	Document string // path of the document, below Dir, or the URL to download it from
	Name     string // endpoint id; "" takes it from the document's name
	Package  string // output folder; "" is internal/NAME
	Now      func() time.Time
	// Development lets a URL lead to this machine, by http too.
	Development bool
}

// Begun is what Init did.
type Begun struct {
	Contract    string
	Wrote       []string // files, relative to Dir
	Kept        []string // files that were there already, untouched
	Methods     int
	Worksheet   string // the amendment, whoever wrote it
	Added       int    // methods that an existing worksheet lacked
	AddedTo     string // the worksheet that was added to, or that lacks them
	Listed      bool   // false: they could not be added, since the file has no comments
	Declared    bool   // the contract was added to a config that was there
	Diagnostics Diagnostics
	Failed      bool // the document cannot be compiled; nothing was written
	Code        int  // exit code when it failed

	commands commands
}

// Init starts a contract: a config, or its lines in the one that is there, and a
// worksheet in which every method is listed with its pin and nothing is decided.
// A worksheet that exists gets the methods that it lacks, in comments; nothing
// else in an existing file is changed. A document behind a URL is stored first.
func Init(ctx context.Context, s Start) (*Begun, error) {
	if !isURL(s.Document) {
		return s.begin("")
	}
	return s.download(ctx)
}

// begin starts from a document that is there.
func (s Start) begin(origin string) (*Begun, error) {
	target, err := s.target()
	if err != nil {
		return nil, err
	}
	project := &Project{Dir: s.Dir, Targets: []Target{target}}
	existing, declared, err := s.existing(target.ID)
	if err != nil {
		return nil, err
	}
	if existing != nil {
		project.Targets[0].Package, project.Targets[0].Output = existing.Package, existing.Output
		project.Targets[0].Root, project.Targets[0].selects = existing.Root, existing.selects
		if existing.Amendment != "" {
			target.Amendment = existing.Amendment
		}
	}
	worksheet := target.Amendment
	project.Targets[0].Amendment = ""
	if _, err := os.Lstat(project.path(worksheet)); err == nil {
		project.Targets[0].Amendment = worksheet // its corrections are part of the pins
	}
	compilation, err := project.Compile(project.Targets[0], s.Now)
	if err != nil {
		return nil, err
	}
	begun := &Begun{Contract: target.ID, Diagnostics: compilation.Findings(), commands: target.commands}
	if compilation.Failed() {
		begun.Failed, begun.Code = true, compilation.ExitCode()
		return begun, nil
	}
	begun.Methods = len(compilation.Contract.Methods)
	begun.Worksheet = worksheet
	schema := path.Join(path.Dir(worksheet), schemaName)
	if compilation.Amendment != nil {
		if err := project.complete(begun, compilation); err != nil {
			return nil, err
		}
	}
	starter := config.Starter{ID: target.ID, Document: target.Document, Amendment: worksheet, Package: target.Output, Origin: origin}
	files := []starting{{worksheet, amendment.Worksheet(compilation.Contract, compilation.Digests)}}
	if write, err := needsSchema(project.path(schema), compilation.Amendment == nil); err != nil {
		return nil, err
	} else if write {
		files = append(files, starting{schema, metaschema.AmendmentSchema()})
	}
	if existing == nil && declared == nil {
		files = append(files, starting{ConfigName, starter.Write()})
	}
	if err := begun.write(s.Dir, files); err != nil || existing != nil || declared == nil {
		return begun, err
	}
	begun.Declared = true
	return begun, s.declare(declared, starter)
}

// target is what the new contract will be.
func (s Start) target() (Target, error) {
	document, err := s.below(s.Document)
	if err != nil {
		return Target{}, err
	}
	id := s.Name
	if id == "" {
		id = endpointID(path.Base(document))
	}
	if err := contract.CheckID(id); err != nil {
		return Target{}, fmt.Errorf("%w; name the contract with --name", err)
	}
	output := s.Package
	if output == "" {
		output = "internal/" + id
	}
	if fault := config.PackageFault(output); fault != "" {
		return Target{}, fmt.Errorf("package %q: %s; choose another with --package", output, fault)
	}
	return Target{
		ID: id, Document: document, Output: output, Package: path.Base(output),
		Amendment: path.Join(path.Dir(document), id+".amend.yaml"),
		commands:  commands{flags: flagsOf(s.Dir)},
	}, nil
}

// below returns a file's path relative to the project's folder, with slashes.
func (s Start) below(name string) (string, error) {
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return "", err
	}
	file, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	relative, err := filepath.Rel(dir, file)
	if err != nil || !filepath.IsLocal(relative) {
		return "", fmt.Errorf("%s lies outside %s: copy the document below it, so that it is reviewed with the code", name, s.Dir)
	}
	return filepath.ToSlash(relative), nil
}

// endpointID makes an id of a file's name: billing.openrpc.json is billing.
func endpointID(file string) string {
	name, _, _ := strings.Cut(strings.ToLower(file), ".")
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		default:
			return '_'
		}
	}, name)
	return strings.Trim(name, "_")
}

// existing returns the contract as an existing config declares it, or the config
// when it declares no such contract; nothing when there is no config.
func (s Start) existing(id string) (*Target, *source.File, error) {
	if _, err := os.Lstat(filepath.Join(s.Dir, ConfigName)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, err
	}
	project, found, err := Open(s.Dir, nil)
	switch {
	case err != nil:
		return nil, nil, err
	case project == nil:
		return nil, nil, fmt.Errorf("%s has %d errors; to see them: %s", ConfigName, len(found.list.Errors()), commands{flags: flagsOf(s.Dir)}.line("status", nil))
	}
	for i, t := range project.Targets {
		if t.ID == id {
			return &project.Targets[i], nil, nil
		}
	}
	return nil, project.Targets[0].node.File, nil // a config declares at least one
}

// starting is a file that Init may write.
type starting struct {
	name string
	text []byte
}

// write creates the files that are not there yet.
func (b *Begun) write(dir string, files []starting) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		err := create(root, f)
		if errors.Is(err, fs.ErrExist) && path.Base(f.name) == schemaName {
			err = replace(root, f)
		}
		switch {
		case errors.Is(err, fs.ErrExist) && f.name == b.AddedTo && b.Listed:
		case errors.Is(err, fs.ErrExist):
			b.Kept = append(b.Kept, f.name)
		case err != nil:
			return err
		default:
			b.Wrote = append(b.Wrote, f.name)
		}
	}
	return nil
}

// schemaName is the file that a worksheet names on its first line, for editors.
const schemaName = "amendment.schema.json"

// needsSchema reports whether the copy of the schema is to be written: beside a
// new worksheet when there is none, and where an older release wrote one. A
// file that is somebody else's stays.
func needsSchema(name string, fresh bool) (bool, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fresh, nil
	}
	return err == nil && metaschema.IsAmendmentSchema(text) && !bytes.Equal(text, metaschema.AmendmentSchema()), err
}

func replace(root *os.Root, f starting) error {
	if err := root.Remove(filepath.FromSlash(f.name)); err != nil {
		return err
	}
	return create(root, f)
}

func create(root *os.Root, f starting) error {
	file, err := root.OpenFile(filepath.FromSlash(f.name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(f.text)
	return errors.Join(err, file.Close())
}
