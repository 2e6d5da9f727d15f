package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Exit codes; DESIGN section 9 of the command line.
const (
	exitClean     = 0
	exitFailed    = 1 // could not do it: input, I/O
	exitUsage     = 2
	exitMisfit    = 3 // contract and the world disagree
	exitAuthority = 4 // stale, orphan, bad amendment; wins over everything else
)

// terminal is what a command may touch of the world.
type terminal struct {
	out, err io.Writer
	ask      *os.File // where a person answers; nil when nobody can
	now      func() time.Time
}

// exit is an error that carries an exit code. A silent one was already
// explained by diagnostics.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exit) Unwrap() error { return e.err }

// run executes one command line and returns the exit code.
func run(ctx context.Context, args []string, t terminal) int {
	root := rootCommand(t)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var coded *exit
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &coded):
		if coded.err != nil {
			fmt.Fprintf(t.err, "rpcgen: %v\n", coded.err)
		}
		return coded.code
	default:
		fmt.Fprintf(t.err, "rpcgen: %v\nrun \"rpcgen %s\" for help\n", err, "--help")
		return exitUsage
	}
}

// rootCommand builds the command tree anew, so that runs share no state.
func rootCommand(t terminal) *cobra.Command {
	root := &cobra.Command{
		Use:           "rpcgen",
		Version:       version(),
		Short:         "Compile API documents into Go packages that stay closed until you open them",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetOut(t.out)
	root.SetErr(t.err)
	root.AddCommand(auditCommand(t), checkCommand(t), explainCommand(t), generateCommand(t), initCommand(t), inspectCommand(t), replayCommand(t),
		reviewCommand(t), statusCommand(t))
	return root
}

// failed wraps an error about the machine or the input.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return &exit{code: exitFailed, err: err}
}

// module is the module that this command belongs to.
const module = "github.com/openrpc-go/rpcgen"

// pseudo matches the version that the go command makes up for a commit.
var pseudo = regexp.MustCompile(`[0-9]{14}-[0-9a-f]{12}`)

// version is the release this binary was built from: as the main module, or as
// a dependency of the module whose "go tool" runs it. A build from a working
// tree is "devel", so that every checkout writes the same bytes.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	for _, dependency := range info.Deps {
		if dependency.Path == module && dependency.Replace == nil {
			return dependency.Version
		}
	}
	release := info.Main.Version
	if info.Main.Path != module || release == "" || release == "(devel)" || strings.Contains(release, "+dirty") || pseudo.MatchString(release) {
		return "devel"
	}
	return release
}
