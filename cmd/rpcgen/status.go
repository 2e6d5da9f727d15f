package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/spf13/cobra"
)

// format is how a command prints: text or json.
type format struct{ name string }

func (f *format) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "format", "text", "how to print: `text or json`")
}

// json reports whether JSON was asked for; anything but text or json is an error.
func (f *format) json() (bool, error) {
	switch f.name {
	case "text":
		return false, nil
	case "json":
		return true, nil
	default:
		return false, fmt.Errorf("--format %q: text or json", f.name)
	}
}

func statusCommand(t terminal) *cobra.Command {
	var selected selection
	var as format
	cmd := &cobra.Command{
		Use:   "status [NAME...]",
		Short: "Show per contract what is open, closed and undecided, and what to do next",
		RunE: func(_ *cobra.Command, names []string) error {
			asJSON, err := as.json()
			if err != nil {
				return err
			}
			compilations, err := compileAll(t, &selected, names)
			if err != nil {
				return err
			}
			rows := make([]compiler.Status, len(compilations))
			for i, c := range compilations {
				rows[i] = c.Status(t.now())
			}
			if asJSON {
				return failed(writeJSON(t, map[string]any{"contracts": rows}))
			}
			return failed(printStatus(t, rows))
		},
	}
	selected.bind(cmd)
	as.bind(cmd)
	return cmd
}

// compileAll compiles what was selected. It fails when a contract cannot be
// compiled at all, after its diagnostics were printed.
func compileAll(t terminal, s *selection, names []string) ([]*compiler.Compilation, error) {
	project, err := s.project(t, names)
	if err != nil {
		return nil, err
	}
	return compileIn(t, project)
}

// compileIn is compileAll for a project at hand.
func compileIn(t terminal, project *compiler.Project) ([]*compiler.Compilation, error) {
	var compilations []*compiler.Compilation
	code := exitClean
	for _, target := range project.Targets {
		c, err := project.Compile(target, t.now)
		if err != nil {
			return nil, failed(err)
		}
		if err := printDiagnostics(t, c.Findings(), false, project); err != nil {
			return nil, failed(err)
		}
		if c.Failed() {
			code = max(code, c.ExitCode())
			continue
		}
		compilations = append(compilations, c)
	}
	if code != exitClean {
		return nil, &exit{code: code}
	}
	return compilations, nil
}

func writeJSON(t terminal, value any) error {
	encoder := json.NewEncoder(t.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func printStatus(t terminal, rows []compiler.Status) error {
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "contract\tmethods\topen\task\trefused\tundecided\tstale\torphaned\tuncompiled\texpired\texpiring")
	for _, s := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", s.Contract, s.Methods, s.Open, s.Ask,
			s.Refused, s.Undecided, s.Stale, s.Orphaned, s.Uncompiled, s.Expired, s.Expiring)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range rows {
		if s.Next != "" {
			fmt.Fprintf(t.out, "next for %s: %s\n", s.Contract, s.Next)
		}
	}
	return nil
}
