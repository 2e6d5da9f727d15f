package main

import (
	"errors"
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/spf13/cobra"
)

func checkCommand(t terminal) *cobra.Command {
	var selected selection
	var as format
	var within string
	cmd := &cobra.Command{
		Use:   "check [NAME...]",
		Short: "Fail when outputs, lock, pins or reviews are not as they should be; for CI",
		Long: "Check compiles everything again and writes nothing. It fails when generate would\n" +
			"write something else, when a pin does not fit, when an entry has no method, when a\n" +
			"review has ended, and on what the config says: undecided, refused, text.",
		RunE: func(_ *cobra.Command, names []string) error {
			asJSON, err := as.json()
			if err != nil {
				return err
			}
			spendMemory()
			span, err := days(within)
			if err != nil {
				return err
			}
			project, err := selected.project(t, names)
			if err != nil {
				return err
			}
			checked, err := project.Check(compiler.CheckOptions{Now: t.now, Tool: version(), Within: span})
			if err != nil {
				return failed(err)
			}
			return errors.Join(failed(printCheck(t, checked, asJSON)), verdictOf(checked))
		},
	}
	selected.bind(cmd)
	as.bind(cmd)
	cmd.Flags().StringVar(&within, "within", "0d", "fail on reviews that end within these `DAYS` too, such as 30d")
	return cmd
}

func verdictOf(checked *compiler.Checked) error {
	if checked.Exit == exitClean {
		return nil
	}
	return &exit{code: checked.Exit}
}

func printCheck(t terminal, checked *compiler.Checked, asJSON bool) error {
	for _, c := range checked.Contracts {
		if _, err := c.Diagnostics.Print(t.err, false); err != nil {
			return err
		}
	}
	if asJSON {
		return writeJSON(t, checked)
	}
	for _, c := range checked.Contracts {
		if len(c.Findings) == 0 {
			fmt.Fprintf(t.out, "%s: clean\n", c.Contract)
		} else {
			fmt.Fprintf(t.out, "%s: %s\n", c.Contract, plural(len(c.Findings), "finding"))
		}
		for _, f := range c.Findings {
			printFinding(t, f)
		}
		if c.Authority != "" {
			fmt.Fprintf(t.out, "  authority: %s\n", c.Authority)
		}
	}
	return nil
}

func printFinding(t terminal, f compiler.Finding) {
	severity := "warning"
	if f.Fails {
		severity = "error"
	}
	fmt.Fprintf(t.out, "  %s: %s: ", severity, f.Code)
	if f.Method != "" {
		fmt.Fprintf(t.out, "%s: ", compiler.Escape(f.Method))
	}
	fmt.Fprintln(t.out, compiler.Escape(f.Message))
	if f.Next != "" {
		fmt.Fprintf(t.out, "      next: %s\n", compiler.Escape(f.Next))
	}
}
