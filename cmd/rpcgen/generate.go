package main

import (
	"fmt"
	"os"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/spf13/cobra"
)

// selection is how every command is told what to work on: a config in a
// folder, or one document.
type selection struct {
	dir    string
	single compiler.Single
}

// generateFlags are the flags of generate.
type generateFlags struct {
	selection
	report   string
	verbose  bool
	noVerify bool
	dryRun   bool
	closing  bool
	tests    bool
}

func generateCommand(t terminal) *cobra.Command {
	flags := generateFlags{}
	cmd := &cobra.Command{
		Use:   "generate [NAME...]",
		Short: "Write the packages of a config, or of one document",
		Example: "  rpcgen generate\n  rpcgen generate -C examples/billing\n" +
			"  rpcgen generate --document api.openrpc.json --out internal/api --amendment api.amend.yaml",
	}
	cmd.RunE = func(_ *cobra.Command, names []string) error {
		return flags.run(t, names, cmd.Flags().Changed("tests"))
	}
	flags.bind(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.report, "report", "", "write a JSON report to `FILE`")
	f.BoolVarP(&flags.verbose, "verbose", "v", false, "print warnings and the time of each stage")
	f.BoolVar(&flags.noVerify, "no-verify", false, "skip the type-check of the output")
	f.BoolVar(&flags.dryRun, "dry-run", false, "say what would be written, write nothing")
	f.BoolVar(&flags.tests, "tests", false, "write a test too that plays the document's examples (default: as the last time)")
	f.BoolVar(&flags.closing, "allow-closing", false, "write although methods that are open would close")
	return cmd
}

// bind declares the flags that select what to work on.
func (s *selection) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&s.dir, "dir", "C", ".", "the `FOLDER` that holds rpcgen.yaml")
	f.StringVar(&s.single.Document, "document", "", "work on one document `FILE` without a config")
	f.StringVar(&s.single.Out, "out", "", "the output `FOLDER` for --document")
	f.StringVar(&s.single.Package, "package", "", "the Go package `NAME` for --document (default: from --out)")
	f.StringVar(&s.single.Root, "root", "", "the `FOLDER` that file references of --document may reach (default: the document's own)")
	f.StringVar(&s.single.Amendment, "amendment", "", "the amendment `FILE` for --document")
}

// project opens what was selected. Diagnostics of the config are printed.
func (s *selection) project(t terminal, names []string) (*compiler.Project, error) {
	if s.single.Document != "" {
		if s.single.Out == "" {
			return nil, fmt.Errorf("--document needs --out")
		}
		if len(names) > 0 {
			return nil, fmt.Errorf("--document takes no contract names")
		}
		project, err := s.single.Project()
		return project, failed(err)
	}
	if s.single != (compiler.Single{}) {
		return nil, fmt.Errorf("--out, --package, --amendment and --root go with --document")
	}
	project, found, err := compiler.Open(s.dir, names)
	if err != nil {
		return nil, failed(err)
	}
	if _, err := found.Print(t.err, true); err != nil {
		return nil, failed(err)
	}
	if project == nil {
		return nil, &exit{code: exitFailed}
	}
	return project, nil
}

func (f *generateFlags) run(t terminal, names []string, tests bool) error {
	spendMemory()
	project, err := f.project(t, names)
	if err != nil {
		return err
	}
	options := compiler.GenerateOptions{
		Now: t.now, Tool: version(), SkipTypeCheck: f.noVerify, DryRun: f.dryRun, AllowClosing: f.closing,
	}
	if tests {
		options.Tests = &f.tests
	}
	result, err := project.Generate(options)
	if result != nil {
		if printErr := f.print(t, project, result); printErr != nil {
			return failed(printErr)
		}
	}
	if err != nil {
		return failed(err)
	}
	return verdict(project, result)
}

// commander spells commands with the flags that name what is worked on.
type commander interface {
	Command(verb string, args ...string) string
}

// printDiagnostics writes diagnostics to the error stream: errors always, the
// rest when all is set, and a count of what was left out.
func printDiagnostics(t terminal, found compiler.Diagnostics, all bool, c commander) error {
	hidden, err := found.Print(t.err, all)
	switch {
	case hidden == 1:
		fmt.Fprintf(t.err, "1 warning or note is not shown; to see it: %s\n", c.Command("generate", "--dry-run", "-v"))
	case hidden > 1:
		fmt.Fprintf(t.err, "%d warnings and notes are not shown; to see them: %s\n", hidden, c.Command("generate", "--dry-run", "-v"))
	}
	return err
}

// print says what was written, contract by contract, or why nothing was.
func (f *generateFlags) print(t terminal, project *compiler.Project, g *compiler.Generated) error {
	for _, c := range g.Contracts {
		if err := printDiagnostics(t, c.Findings(), f.verbose, project); err != nil {
			return err
		}
		if !c.Failed() {
			f.printContract(t, g, c)
		}
	}
	for _, c := range g.Contracts {
		printChanges(t, c)
	}
	for _, c := range g.Closing {
		fmt.Fprintf(t.err, "%s: %s was %s and would become %s\n", c.Contract, compiler.Escape(c.Method), c.Was, c.Now)
	}
	return f.writeReport(g)
}

// printChanges says why entries no longer fit, in short; review shows more.
func printChanges(t terminal, c compiler.GeneratedContract) {
	const shown = 10
	for i, change := range c.Changes {
		if i == shown {
			fmt.Fprintf(t.err, "%s: and %d causes more\n", c.Target.ID, len(c.Changes)-shown)
			break
		}
		fmt.Fprintf(t.err, "%s: cause %d of %d, reaching %s\n", c.Target.ID, i+1, len(c.Changes), plural(len(change.Methods), "method"))
		for _, line := range change.Lines {
			fmt.Fprintln(t.err, "    "+line)
		}
	}
	if len(c.Lost) > 0 {
		fmt.Fprintf(t.err, "%s: %s not fit, and what changed is not known: the package of the last generate is gone or is another\n",
			c.Target.ID, doNot(len(c.Lost)))
	}
	if len(c.Changes)+len(c.Lost) > 0 {
		fmt.Fprintf(t.err, "next: %s\n", c.Target.Command("review"))
	}
}

func doNot(entries int) string {
	if entries == 1 {
		return "1 entry does"
	}
	return fmt.Sprintf("%d entries do", entries)
}

func (f *generateFlags) printContract(t terminal, g *compiler.Generated, c compiler.GeneratedContract) {
	report := c.Report()
	fmt.Fprintf(t.out, "%s: %s, %d compiled, %d refused\n", c.Target.ID, plural(report.Methods, "method"), report.Compiled, report.Methods-report.Compiled)
	for _, line := range c.Wrote() {
		fmt.Fprintln(t.out, "  "+line)
	}
	fmt.Fprintf(t.out, "authority: %s\n", c.Joined.Counts)
	if c.Changed != "" {
		fmt.Fprintf(t.out, "changed: %s\n", c.Changed)
	}
	if f.verbose {
		for _, stage := range c.Stages {
			fmt.Fprintf(t.err, "  %-10s %8.1f ms\n", stage.Name, float64(stage.Took.Microseconds())/1000)
		}
	}
}

// writeReport writes the report file, also for a run that failed.
func (f *generateFlags) writeReport(g *compiler.Generated) error {
	if f.report == "" {
		return nil
	}
	report := compiler.Report{Contracts: []compiler.ContractReport{}}
	for _, c := range g.Contracts {
		report.Contracts = append(report.Contracts, c.Report())
	}
	text, err := report.JSON()
	if err != nil {
		return err
	}
	return os.WriteFile(f.report, text, 0o644)
}

// verdict is the exit code of a run that met no error of the machine.
func verdict(project *compiler.Project, g *compiler.Generated) error {
	code := exitClean
	for _, c := range g.Contracts {
		code = max(code, c.ExitCode())
	}
	switch {
	case g.Stopped:
		return &exit{exitAuthority, fmt.Errorf("methods that are open would close, so nothing was written: run %s, or pass --allow-closing", project.Command("review"))}
	case code != exitClean:
		return &exit{code: code}
	default:
		return nil
	}
}
