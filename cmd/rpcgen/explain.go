package main

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/spf13/cobra"
)

func explainCommand(t terminal) *cobra.Command {
	var selected selection
	var as format
	cmd := &cobra.Command{
		Use:     "explain METHOD or CODE",
		Short:   "Say why a method is closed and for whom, or what a diagnostic means",
		Example: "  rpcgen explain invoice.get\n  rpcgen explain stale-entry",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			asJSON, err := as.json()
			if err != nil {
				return err
			}
			return explain(t, &selected, args[0], asJSON)
		},
	}
	selected.bind(cmd)
	as.bind(cmd)
	return cmd
}

// explain takes a code first: it needs no project.
func explain(t terminal, s *selection, name string, asJSON bool) error {
	if code, ok := compiler.ExplainCode(name); ok {
		if asJSON {
			return failed(writeJSON(t, map[string]any{"code": code}))
		}
		_, err := fmt.Fprintf(t.out, "%s: %s\n  %s\n", code.Code, code.Means, code.Do)
		return failed(err)
	}
	compilations, err := compileAll(t, s, nil)
	if err != nil {
		return err
	}
	rows := []compiler.Explained{}
	for _, c := range compilations {
		if e, ok := c.Explain(name, t.now()); ok {
			rows = append(rows, e)
		}
	}
	if len(rows) == 0 {
		return failed(fmt.Errorf("%q is neither a method nor a code; to list the methods: %s", name, compilations[0].Target.Command("inspect")))
	}
	if asJSON {
		return failed(writeJSON(t, map[string]any{"methods": rows}))
	}
	for _, e := range rows {
		printExplained(t, e)
	}
	return nil
}

func printExplained(t terminal, e compiler.Explained) {
	fmt.Fprintf(t.out, "%s of %s: %s\n", compiler.Escape(e.Method), e.Contract, e.State)
	if e.Entry != "" {
		fmt.Fprintf(t.out, "  entry       %s\n", compiler.Escape(e.Entry))
	}
	fmt.Fprintf(t.out, "  Go callers  %s\n", standingOf(e.Go))
	fmt.Fprintf(t.out, "  agents      %s\n", standingOf(e.Agents))
	for _, r := range e.Reasons {
		fmt.Fprintf(t.out, "  because     %s\n", compiler.Escape(fmt.Sprintf("%s:%d:%d: %s: %s (%s)", r.File, r.Line, r.Column, r.Code, r.Message, r.Pointer)))
	}
	if e.Next != "" {
		fmt.Fprintf(t.out, "  next        %s\n", compiler.Escape(e.Next))
	}
}

func standingOf(s compiler.Standing) string {
	word := "closed"
	if s.Open {
		word = "open"
	}
	return word + ": " + compiler.Escape(s.Why)
}
