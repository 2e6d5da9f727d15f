package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
	"github.com/spf13/cobra"
)

func inspectCommand(t terminal) *cobra.Command {
	var selected selection
	var as format
	cmd := &cobra.Command{
		Use:   "inspect [METHOD]",
		Short: "Show contracts as compiled: methods, effects, digests, refusals",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			asJSON, err := as.json()
			if err != nil {
				return err
			}
			method := strings.Join(args, "")
			compilations, err := compileAll(t, &selected, nil)
			if err != nil {
				return err
			}
			views := inspections(compilations, method)
			if method != "" && len(views) == 0 {
				return failed(fmt.Errorf("no contract has a method %q", method))
			}
			if asJSON {
				return failed(writeJSON(t, map[string]any{"contracts": views}))
			}
			return failed(printInspections(t, views, method != ""))
		},
	}
	selected.bind(cmd)
	as.bind(cmd)
	return cmd
}

// inspections describes every contract, or those that have the method.
func inspections(compilations []*compiler.Compilation, method string) []compiler.Inspection {
	views := []compiler.Inspection{}
	for _, c := range compilations {
		view := c.Inspect(method)
		if method == "" || len(view.Methods) > 0 {
			views = append(views, view)
		}
	}
	return views
}

func printInspections(t terminal, views []compiler.Inspection, whole bool) error {
	for _, v := range views {
		fmt.Fprintf(t.out, "%s: %s %s, %s %s\n  contract %s\n", v.Contract,
			compiler.Escape(v.Title), compiler.Escape(v.Version), v.Document.Kind, compiler.Escape(v.Document.Version), v.Digest)
		print := printMethods
		if whole {
			print = printWhole
		}
		if err := print(t, v.Methods); err != nil {
			return err
		}
	}
	return nil
}

// printMethods prints a line a method.
func printMethods(t terminal, methods []compiler.InspectedMethod) error {
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	for _, m := range methods {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", compiler.Escape(m.Name), standing(m.Authority), compiler.Escape(signature(m)))
	}
	return w.Flush()
}

// standing says in a few words what the amendment made of a method.
func standing(a compiled.Authority) string {
	if a.State != compiled.Open {
		return string(a.State)
	}
	text := fmt.Sprintf("%s (code %s, agents %s)", a.Effect, a.Code, a.Agents)
	if len(a.ClosedTo) > 0 {
		text += ", closed to " + strings.Join(a.ClosedTo, ", ")
	}
	return text
}

// signature prints the params as they travel; optional ones end with "?".
func signature(m compiler.InspectedMethod) string {
	names := make([]string, len(m.Params))
	for i, p := range m.Params {
		names[i] = p.Name
		if !p.Required {
			names[i] += "?"
		}
	}
	list := strings.Join(names, ", ")
	if m.Structure == "by-position" {
		return "[" + list + "]"
	}
	return "{" + list + "}"
}

// printWhole prints everything about each method.
func printWhole(t terminal, methods []compiler.InspectedMethod) error {
	w := tabwriter.NewWriter(t.out, 0, 0, 2, ' ', 0)
	for _, m := range methods {
		row := func(name, value string) { fmt.Fprintf(w, "  %s\t%s\n", name, compiler.Escape(value)) }
		row("method", m.Name)
		row("id", m.ID)
		row("go name", m.GoName)
		row("params", m.Structure+" "+signature(m))
		row("authority", standing(m.Authority))
		if m.Authority.Reason != "" {
			row("reason", m.Authority.Reason)
		}
		if m.Summary != "" {
			row("summary", m.Summary)
		}
		row("pin", m.Pin)
		row("text pin", m.Text)
		row("wire", m.Digests.Wire)
		row("result", m.Digests.Result)
		row("text", m.Digests.Text)
		row("doc", m.Digests.Doc)
		for _, e := range m.Errors {
			row("error", fmt.Sprintf("%d %s", e.Code, e.Message))
		}
		for _, r := range m.Refusals {
			row("refused", fmt.Sprintf("%s:%d:%d: %s: %s (%s)", r.File, r.Line, r.Column, r.Code, r.Message, r.Pointer))
		}
	}
	return w.Flush()
}
