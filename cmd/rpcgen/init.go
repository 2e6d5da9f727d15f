package main

import (
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/spf13/cobra"
)

func initCommand(t terminal) *cobra.Command {
	start := compiler.Start{Now: t.now}
	cmd := &cobra.Command{
		Use:   "init DOCUMENT",
		Short: "Start a contract: a config and a worksheet in which nothing is decided",
		Long: "Init writes rpcgen.yaml, unless there is one, and beside the document a worksheet\n" +
			"NAME.amend.yaml that lists every method with its pin. No method is open until you\n" +
			"decide about it there. Files that exist are never changed.",
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			start.Document = args[0]
			return begin(t, start)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&start.Dir, "dir", "C", ".", "the `FOLDER` for rpcgen.yaml")
	f.StringVar(&start.Name, "name", "", "the contract's `ID` (default: from the document's name)")
	f.StringVar(&start.Package, "package", "", "the output `FOLDER` (default: internal/ID)")
	return cmd
}

func begin(t terminal, start compiler.Start) error {
	begun, err := compiler.Init(start)
	if err != nil {
		return failed(err)
	}
	if err := printDiagnostics(t, begun.Diagnostics, false); err != nil {
		return failed(err)
	}
	if begun.Failed {
		return &exit{code: exitFailed}
	}
	for _, name := range begun.Wrote {
		fmt.Fprintf(t.out, "wrote %s\n", name)
	}
	for _, name := range begun.Kept {
		fmt.Fprintf(t.out, "kept  %s: it exists\n", name)
	}
	fmt.Fprintf(t.out, "%s: %d methods, none decided\n", begun.Contract, begun.Methods)
	fmt.Fprintf(t.out, "next: decide in the worksheet what each method does, then run rpcgen generate\n")
	return nil
}
