package compiler

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/openrpc-go/rpcgen/compiler/internal/config"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/lock"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// ConfigName is the file that Project looks for.
const ConfigName = config.Name

// Project is a folder and the contracts to compile in it. It is read-only.
type Project struct {
	Dir     string // the folder that holds rpcgen.yaml, or the working folder
	Lock    string // path of the lock file
	Targets []Target

	declared map[string]bool // ids of all contracts, the ones left out included
	single   bool            // of one document, without a config
	commands commands
}

// Target is one contract: where its files are and what the config decides.
// Paths are relative to the project's folder, or absolute.
type Target struct {
	ID        string
	Document  string
	Amendment string // "" when there is none
	Output    string // folder of the generated package
	Package   string // name of the generated package
	Kind      string // "" when the document alone says it
	Server    string // the trusted default server, or ""
	Origin    string
	Root      string // folder that file references may reach; "" is the document's own
	Undecided string
	Refused   string
	Text      string

	selects  func(method string) bool // nil selects every method
	node     *source.Node             // in the config; nil without one
	commands commands
}

// Open reads the config in dir and selects the contracts called names; no names
// select all. A config that breaks its rules yields diagnostics and no Project.
func Open(dir string, names []string) (*Project, Diagnostics, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, Diagnostics{}, err
	}
	defer root.Close()
	file, err := source.ReadOwnFileIn(root, ConfigName, ConfigName, source.Limits{})
	if err != nil {
		return refusedConfig(err)
	}
	settings, faults := config.Read(file)
	if faults.HasErrors() {
		return nil, Diagnostics{list: faults}, nil
	}
	project := &Project{Dir: dir, Lock: filepath.Join(dir, lock.Name), declared: map[string]bool{}, commands: commands{flags: flagsOf(dir)}}
	for _, c := range settings.Contracts {
		project.declared[c.ID] = true
		t := target(c)
		t.commands = project.commands
		project.Targets = append(project.Targets, t)
	}
	return project, Diagnostics{list: faults}, project.keep(names)
}

// refusedConfig sorts a reading error into diagnostics, when it is about the
// user's file, and errors, when it is about the machine.
func refusedConfig(err error) (*Project, Diagnostics, error) {
	faults, ok := fields.Refused(err, func(f *source.File) diag.List {
		_, found := config.Read(f)
		return found
	})
	if !ok {
		return nil, Diagnostics{}, err
	}
	return nil, Diagnostics{list: faults}, nil
}

func target(c *config.Contract) Target {
	return Target{
		ID: c.ID, Document: c.Document, Amendment: c.Amendment,
		Output: c.Package, Package: c.PackageName(),
		Kind: string(c.Kind), Server: c.Server, Origin: c.Origin, Root: c.Root,
		Undecided: string(c.Undecided), Refused: string(c.Refused), Text: string(c.Text),
		selects: c.Selects, node: c.Node,
	}
}

// keep reduces the project to the contracts called names.
func (p *Project) keep(names []string) error {
	if len(names) == 0 {
		return nil
	}
	byID := map[string]Target{}
	for _, t := range p.Targets {
		byID[t.ID] = t
	}
	p.Targets = nil
	for _, name := range names {
		t, ok := byID[name]
		if !ok {
			return &UnknownContractError{Name: name, Known: slices.Sorted(maps.Keys(byID))}
		}
		p.Targets = append(p.Targets, t)
	}
	return nil
}

// UnknownContractError says that the config declares no such contract.
type UnknownContractError struct {
	Name  string
	Known []string // those that it declares
}

func (e *UnknownContractError) Error() string {
	return fmt.Sprintf("the config declares no contract %q; it declares %s", e.Name, some(e.Known))
}

// Single describes one document without a config.
type Single struct {
	Document  string // path of the document
	Out       string // folder of the generated package
	Package   string // Go package name; "" takes it from Out
	Amendment string // path of the amendment, or ""
	Root      string // folder that file references may reach; "" is the document's own
}

// Project returns the project of one document. The contract's id is the
// package name; the lock stands beside the generated files.
func (s Single) Project() (*Project, error) {
	name := s.Package
	if name == "" {
		name = packageName(filepath.Base(filepath.Clean(s.Out)))
	}
	if fault := config.PackageFault(name); fault != "" {
		return nil, fmt.Errorf("package %q: %s; choose another with --package", name, fault)
	}
	c := commands{flags: s.flagsOf(), single: true}
	return &Project{
		Dir:      ".",
		single:   true,
		commands: c,
		Lock:     filepath.Join(s.Out, lock.Name),
		Targets: []Target{{
			ID: name, Document: s.Document, Amendment: s.Amendment, Output: s.Out, Package: name, Root: s.Root, commands: c,
		}},
	}, nil
}

// packageName makes a package name of a folder's name: its ASCII letters and
// digits in lower case.
func packageName(folder string) string {
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') {
			return unicode.ToLower(r)
		}
		return -1
	}, folder)
	return strings.TrimLeft(name, "0123456789_")
}

// path returns where a target's file is.
func (p *Project) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(p.Dir, filepath.FromSlash(name))
}
