package main

import (
	"context"
	"fmt"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/spf13/cobra"
)

func initCommand(t terminal) *cobra.Command {
	start := compiler.Start{Now: t.now}
	cmd := &cobra.Command{
		Use:   "init DOCUMENT or URL",
		Short: "Start a contract: a config and a worksheet in which nothing is decided",
		Long: "Init writes rpcgen.yaml, or adds the contract to the one that is there, and beside the\n" +
			"document a worksheet NAME.amend.yaml that lists every method with its pin. No method is\n" +
			"open until you decide about it there. A worksheet that exists gets the methods that it\n" +
			"lacks, in comments; nothing else in an existing file is changed.\n\n" +
			"A URL is downloaded once, by the rules that hold for calls: https, no redirect, no\n" +
			"address inside a network. The document is stored below the folder, and the URL in the\n" +
			"config as its origin.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			start.Document = args[0]
			return begin(cmd.Context(), t, start)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&start.Dir, "dir", "C", ".", "the `FOLDER` for rpcgen.yaml")
	f.StringVar(&start.Name, "name", "", "the contract's `ID` (default: from the document's name)")
	f.StringVar(&start.Package, "package", "", "the output `FOLDER` (default: internal/ID)")
	f.BoolVar(&start.Development, "development", false, "let the URL lead to this machine, by http too")
	return cmd
}

func begin(ctx context.Context, t terminal, start compiler.Start) error {
	begun, err := compiler.Init(ctx, start)
	if err != nil {
		return failed(err)
	}
	if err := printDiagnostics(t, begun.Diagnostics, false, begun); err != nil {
		return failed(err)
	}
	if begun.Failed {
		return &exit{code: begun.Code}
	}
	for _, name := range begun.Wrote {
		fmt.Fprintf(t.out, "wrote %s\n", name)
	}
	for _, name := range begun.Kept {
		fmt.Fprintf(t.out, "kept  %s: it exists\n", name)
	}
	if begun.Declared {
		fmt.Fprintf(t.out, "added %s to %s\n", begun.Contract, compiler.ConfigName)
	}
	printAdded(t, begun)
	if begun.Added == 0 && len(begun.Kept) > 0 {
		fmt.Fprintf(t.out, "%s: %s\nnext: %s\n", begun.Contract, plural(begun.Methods, "method"), begun.Command("status", begun.Contract))
		return nil
	}
	if begun.Added > 0 {
		fmt.Fprintf(t.out, "%s: %s, %d of them new and undecided\nnext: decide them in %s, then run %s\n",
			begun.Contract, plural(begun.Methods, "method"), begun.Added, begun.AddedTo, begun.Command("generate"))
		return nil
	}
	fmt.Fprintf(t.out, "%s: %s, none decided\n", begun.Contract, plural(begun.Methods, "method"))
	fmt.Fprintf(t.out, "next: decide in %s what each method does, then run %s\n", begun.Worksheet, begun.Command("generate"))
	return nil
}

// printAdded says what became of methods that an existing worksheet lacked.
func printAdded(t terminal, begun *compiler.Begun) {
	switch {
	case begun.Added == 0:
	case begun.Listed:
		fmt.Fprintf(t.out, "added %s to %s, in comments\n", plural(begun.Added, "method"), begun.AddedTo)
	default:
		fmt.Fprintf(t.out, "%s lacks %s, and JSON has no comments: add entries by hand; to see the pin of each: %s\n",
			begun.AddedTo, plural(begun.Added, "method"), begun.Command("inspect", "METHOD"))
	}
}
