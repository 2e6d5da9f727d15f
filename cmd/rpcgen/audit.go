package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/spf13/cobra"
)

func auditCommand(t terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Look after audits that hosts write",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(auditVerifyCommand(t))
	return cmd
}

// auditVerifyFlags are the flags of audit verify.
type auditVerifyFlags struct {
	format
	heads []string
}

func auditVerifyCommand(t terminal) *cobra.Command {
	flags := auditVerifyFlags{}
	cmd := &cobra.Command{
		Use:   "verify FILE",
		Short: "Find rows of an audit that were changed, removed or put elsewhere",
		Long: "Verify holds every row of an audit file, or of the export of a database, against its\n" +
			"digest and the row before it. A tail that was cut off shows only against a head that was\n" +
			"kept outside of the host: keep the heads that verify prints, and give them back later.\n" +
			"It changes nothing. Exit code 3: the audit is broken; 1: it could not be read; 0: intact.",
		Example: "  rpcgen audit verify audit.jsonl\n  rpcgen audit verify audit.jsonl --head sha256:9f2c...",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return flags.run(t, args[0]) },
	}
	flags.format.bind(cmd)
	cmd.Flags().StringArrayVar(&flags.heads, "head", nil, "a `DIGEST` that was kept; may be given for each writer")
	return cmd
}

func (f *auditVerifyFlags) run(t terminal, name string) error {
	asJSON, err := f.json()
	if err != nil {
		return err
	}
	file, err := openRegular(name)
	if err != nil {
		return failed(err)
	}
	defer file.Close()
	report, err := audit.Verify(file, f.heads...)
	var fault *audit.Fault
	if err != nil && !errors.As(err, &fault) {
		return failed(err)
	}
	print := printAudit
	if asJSON {
		print = writeAudit
	}
	if err := print(t, name, report, fault); err != nil {
		return failed(err)
	}
	if fault != nil {
		return &exit{code: exitMisfit}
	}
	return nil
}

// openRegular opens a file and nothing that never ends.
func openRegular(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	return os.Open(name)
}

func printAudit(t terminal, name string, r audit.Report, fault *audit.Fault) error {
	if fault != nil {
		_, err := fmt.Fprintf(t.out, "%s: broken: %s\n", name, compiler.Escape(fault.Error()))
		return err
	}
	fmt.Fprintf(t.out, "%s: intact: %d rows", name, r.Rows)
	if r.Rows > 0 {
		fmt.Fprintf(t.out, ", %s to %s", r.First.UTC().Format(time.RFC3339), r.Last.UTC().Format(time.RFC3339))
	}
	fmt.Fprintln(t.out)
	for _, h := range r.Heads {
		fmt.Fprintf(t.out, "  head %s  row %d of writer %s\n", h.Digest, h.Sequence, compiler.Escape(h.Writer))
	}
	return printOpen(t.out, r.Open)
}

// printOpen lists calls of which the audit does not say how they ended.
func printOpen(w io.Writer, open []string) error {
	const most = 20
	for _, id := range open[:min(len(open), most)] {
		fmt.Fprintf(w, "  no outcome: request %s\n", compiler.Escape(id))
	}
	if more := len(open) - most; more > 0 {
		fmt.Fprintf(w, "  and of %d more\n", more)
	}
	return nil
}

// auditView is the JSON of audit verify.
type auditView struct {
	Intact bool            `json:"intact"`
	Rows   int             `json:"rows"`
	Line   int             `json:"line,omitzero"` // of the fault
	Fault  string          `json:"fault,omitzero"`
	Heads  []auditHeadView `json:"heads,omitzero"`
	Open   []string        `json:"without_outcome,omitzero"` // request ids
}

type auditHeadView struct {
	Writer   string `json:"writer"`
	Sequence uint64 `json:"sequence"`
	Digest   string `json:"digest"`
}

func writeAudit(t terminal, _ string, r audit.Report, fault *audit.Fault) error {
	view := auditView{Intact: fault == nil, Rows: r.Rows, Open: r.Open}
	if fault != nil {
		view.Line, view.Fault = fault.Line, fault.Reason
	}
	for _, h := range r.Heads {
		view.Heads = append(view.Heads, auditHeadView(h))
	}
	return writeJSON(t, view)
}
