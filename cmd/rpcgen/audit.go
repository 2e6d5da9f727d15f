package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/openrpc-go/rpcgen/runtime/audit"
	"github.com/openrpc-go/rpcgen/runtime/store/postgres"
	"github.com/openrpc-go/rpcgen/runtime/store/sqlite"
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
	heads    []string
	postgres string
}

func auditVerifyCommand(t terminal) *cobra.Command {
	flags := auditVerifyFlags{}
	cmd := &cobra.Command{
		Use:   "verify FILE | --postgres VARIABLE",
		Short: "Find rows of an audit that were changed, removed or put elsewhere",
		Long: "Verify holds every row of an audit against its digest and the row before it: of an audit\n" +
			"file, of the export of a database, of a SQLite store, or of the PostgreSQL store that the\n" +
			"connection string in an environment variable leads to. A tail that was cut off with care\n" +
			"shows only against a head that was kept outside of the host: keep the heads that verify\n" +
			"prints, and give them back later.\n" +
			"It changes nothing. Exit code 3: the audit is broken; 1: it could not be read; 0: intact.",
		Example: "  rpcgen audit verify audit.jsonl\n  rpcgen audit verify store.db --head sha256:9f2c...\n  rpcgen audit verify --postgres STORE_DSN",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (len(args) == 1) == (flags.postgres != "") {
				return errors.New("audit verify takes either a file or --postgres")
			}
			return flags.run(cmd.Context(), t, strings.Join(args, ""))
		},
	}
	flags.format.bind(cmd)
	cmd.Flags().StringArrayVar(&flags.heads, "head", nil, "a `DIGEST` that was kept; may be given for each writer")
	cmd.Flags().StringVar(&flags.postgres, "postgres", "", "the environment `VARIABLE` with the connection string of a PostgreSQL store")
	return cmd
}

func (f *auditVerifyFlags) run(ctx context.Context, t terminal, name string) error {
	asJSON, err := f.json()
	if err != nil {
		return err
	}
	report, err := f.verify(ctx, name)
	var fault *audit.Fault
	if err != nil && !errors.As(err, &fault) {
		return failed(err)
	}
	if f.postgres != "" {
		name = "$" + f.postgres
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

// verify verifies an audit wherever it lies.
func (f *auditVerifyFlags) verify(ctx context.Context, name string) (audit.Report, error) {
	if f.postgres != "" {
		dsn, ok := os.LookupEnv(f.postgres)
		if !ok {
			return audit.Report{}, fmt.Errorf("the environment variable %s is not set", f.postgres)
		}
		return postgres.VerifyAudit(ctx, dsn, postgres.Options{}, f.heads...)
	}
	file, err := openRegular(name)
	if err != nil {
		return audit.Report{}, err
	}
	defer file.Close()
	if isSQLite(file) {
		return sqlite.VerifyAudit(ctx, name, f.heads...)
	}
	return audit.Verify(file, f.heads...)
}

// isSQLite reports whether a file is a database of SQLite; see "The Database
// Header" of its file format.
func isSQLite(file io.ReaderAt) bool {
	const magic = "SQLite format 3\x00"
	b := make([]byte, len(magic))
	_, err := file.ReadAt(b, 0)
	return err == nil && string(b) == magic
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
