package main

import (
	"fmt"
	"strings"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/spf13/cobra"
)

// replayFlags are the flags of replay.
type replayFlags struct {
	selection
	format
	contract string
	all      bool
}

func replayCommand(t terminal) *cobra.Command {
	flags := replayFlags{}
	cmd := &cobra.Command{
		Use:   "replay TRAFFIC...",
		Short: "Hold recorded requests and responses against a contract",
		Long: "Replay reads recorded traffic and says per exchange whether request and response fit\n" +
			"the contract, and where they do not. It sends nothing. TRAFFIC is files, or folders\n" +
			"of them:\n\n" +
			"  .io             lines: >> request, << response, // comment\n" +
			"  .jsonl .ndjson  a line is {\"request\": ..., \"response\": ...} or one message;\n" +
			"                  responses belong to the request with their id\n" +
			"  .json           one {\"request\": ..., \"response\": ..., \"statusCode\": 200}\n" +
			"  .har            HTTP archive; what is not JSON-RPC is counted as skipped\n\n" +
			"Errors that a method does not declare are reported and are no misfits. Batches are\n" +
			"not supported and do not fit. Exit code 3: something does not fit; 1: a file could\n" +
			"not be read; 0: all of it fits.",
		Example: "  rpcgen replay recordings --contract billing\n" +
			"  rpcgen replay --document api.openrpc.json --out internal/api --format json session.har",
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error { return flags.run(t, paths) },
	}
	flags.selection.bind(cmd)
	flags.format.bind(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.contract, "contract", "", "the contract's `NAME` (default: the only one of the config)")
	f.BoolVar(&flags.all, "all", false, "list the exchanges that fit, too")
	return cmd
}

func (f *replayFlags) run(t terminal, paths []string) error {
	asJSON, err := f.json()
	if err != nil {
		return err
	}
	c, err := f.compile(t)
	if err != nil {
		return err
	}
	replayed, found, err := c.Replay(paths)
	if err != nil {
		return failed(err)
	}
	if replayed == nil {
		if _, err := found.Print(t.err, true); err != nil {
			return failed(err)
		}
		return &exit{code: exitFailed}
	}
	if asJSON {
		err = writeJSON(t, replayed)
	} else {
		printReplayed(t, replayed, f.all)
	}
	switch {
	case err != nil:
		return failed(err)
	case !replayed.Fits:
		return &exit{code: exitMisfit}
	default:
		return nil
	}
}

// compile compiles the one contract that was chosen.
func (f *replayFlags) compile(t terminal) (*compiler.Compilation, error) {
	var names []string
	if f.contract != "" {
		names = []string{f.contract}
	}
	project, err := f.project(t, names)
	if err != nil {
		return nil, err
	}
	if len(project.Targets) != 1 {
		return nil, fmt.Errorf("the config has %d contracts: choose one with --contract", len(project.Targets))
	}
	c, err := project.Compile(project.Targets[0], t.now)
	if err != nil {
		return nil, failed(err)
	}
	if !c.Failed() {
		return c, nil
	}
	if err := printDiagnostics(t, c.Findings(), false, project); err != nil {
		return nil, failed(err)
	}
	return nil, &exit{code: c.ExitCode()}
}

// printReplayed prints the exchanges with something to say, or all, and the totals.
func printReplayed(t terminal, r *compiler.Replayed, all bool) {
	for _, x := range r.Exchanges {
		if len(x.Findings) > 0 || !x.Fits || all {
			printExchange(t, x)
		}
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(t.out, "%s: skipped: %s\n", place(s.ReplayPlace), s.Reason)
	}
	n := r.Totals
	fmt.Fprintf(t.out, "%s: %d exchanges in %d files, %d skipped\n", r.Contract, n.Exchanges, n.Files, n.Skipped)
	fmt.Fprintf(t.out, "requests: %d fit, %d misfit (%d of them answered with an error), %d unsupported\n",
		n.Requests.Fit, n.Requests.Misfit, n.Requests.Refused, n.Requests.Unsupported)
	fmt.Fprintf(t.out, "responses: %d fit, %d misfit, %d declared errors, %d undeclared errors, %d not recorded, %d not judged, %d unsupported\n",
		n.Responses.Fit, n.Responses.Misfit, n.Responses.Declared, n.Responses.Undeclared,
		n.Responses.None, n.Responses.Unjudged, n.Responses.Unsupported)
	fmt.Fprintf(t.out, "methods: %d exercised, %d never%s\n", n.Methods.Exercised, n.Methods.Never, list(r.Never))
}

// list prints names behind a colon.
func list(names []compiler.Foreign) string {
	if len(names) == 0 {
		return ""
	}
	text := make([]string, len(names))
	for i, name := range names {
		text[i] = name.String()
	}
	return ": " + strings.Join(text, ", ")
}

func printExchange(t terminal, x compiler.ReplayExchange) {
	method := x.Method.String()
	if method == "" {
		method = "no method"
	}
	fmt.Fprintf(t.out, "%s: %s: request %s, response %s\n", place(x.ReplayPlace), method, words(x.Request), words(x.Response))
	for _, f := range x.Findings {
		fmt.Fprintf(t.out, "  %s: %s: %s: %s\n", place(f.ReplayPlace), f.Side, f.Code, sentence(f))
	}
}

// words spells a state.
func words(state string) string { return strings.ReplaceAll(state, "_", " ") }

func place(p compiler.ReplayPlace) string {
	if p.Line == 0 {
		return p.File.String()
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// sentence says what a finding found.
func sentence(f compiler.ReplayFinding) string {
	text := f.Message.String()
	if f.Expected != "" {
		text = fmt.Sprintf("expected %s", f.Expected)
		if f.Found != "" {
			text += fmt.Sprintf(", found %s", f.Found)
		}
	}
	if f.Pointer != "" {
		text = f.Pointer.String() + ": " + text
	}
	switch {
	case f.Schema != "":
		text += fmt.Sprintf(" (%s of %s)", f.Keyword, f.Schema)
	case f.Keyword != "":
		text += fmt.Sprintf(" (%s)", f.Keyword)
	}
	if !f.Misfit {
		text = "note: " + text
	}
	return text
}
