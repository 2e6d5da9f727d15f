package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/compiler"
	"github.com/spf13/cobra"
)

// reviewFlags are the flags of review.
type reviewFlags struct {
	selection
	format
	pins, texts, remove []string
	until, by, server   string
	within              time.Duration
	days                string
}

func reviewCommand(t terminal) *cobra.Command {
	flags := reviewFlags{}
	cmd := &cobra.Command{
		Use:   "review [CONTRACT [METHOD...]]",
		Short: "Show what the contract moved away from, by cause, and write the pins you confirm",
		Long: "Review shows what is stale, orphaned, undecided or about to expire, one question a\n" +
			"cause, with what changed since the pins. On a terminal it asks, and writes the exact\n" +
			"pins of what you confirm into the amendment; comments and order stay. Elsewhere it\n" +
			"takes the names and the exact pins that it printed. Nothing confirms everything.",
		Example: "  rpcgen review\n  rpcgen review billing invoice.get\n" +
			"  rpcgen review billing --pin \"invoice.get=w:... r:...\"\n  rpcgen review billing --remove old.method\n" +
			"  rpcgen review billing invoice.get invoice.list --until 2027-05-31",
		RunE: func(cmd *cobra.Command, args []string) error { return flags.run(cmd.Context(), t, args) },
	}
	flags.selection.bind(cmd)
	flags.format.bind(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&flags.pins, "pin", nil, "write the pin of a method: `METHOD=PIN`, exactly as printed; repeatable")
	f.StringArrayVar(&flags.texts, "text", nil, "acknowledge the words of a method: `METHOD=DIGEST`, exactly as printed; repeatable")
	f.StringArrayVar(&flags.remove, "remove", nil, "remove the entry of a `METHOD` that the contract does not have; repeatable")
	f.StringVar(&flags.server, "server", "", "take the server that the document moved to: its `URL`, exactly as printed")
	f.StringVar(&flags.until, "until", "", "renew the reviews of the named methods until this `DAY`, 2027-05-31")
	f.StringVar(&flags.by, "by", "", "who renews them: a `NAME`")
	f.StringVar(&flags.days, "within", "30d", "also show reviews that end within these `DAYS`")
	return cmd
}

func (f *reviewFlags) run(ctx context.Context, t terminal, args []string) error {
	asJSON, err := f.format.json()
	if err != nil {
		return err
	}
	if f.within, err = days(f.days); err != nil {
		return err
	}
	reviews, project, err := f.reviews(t, args)
	if err != nil {
		return err
	}
	switch {
	case f.answered():
		return f.apply(t, project, reviews, args)
	case asJSON:
		return errors.Join(failed(writeJSON(t, map[string]any{"contracts": reviews})), left(reviews))
	}
	typed := newTypist(ctx, t.ask)
	for _, r := range reviews {
		if err := f.show(t, typed, project, r); err != nil {
			return err
		}
	}
	return left(reviews)
}

// days reads a number of days, "30d".
func days(text string) (time.Duration, error) {
	var n int
	number, ok := strings.CutSuffix(text, "d")
	if _, err := fmt.Sscanf(number, "%d", &n); err != nil || !ok || n < 0 || n > 36500 || fmt.Sprint(n) != number {
		return 0, fmt.Errorf("%q: write a number of days as 30d", text)
	}
	return time.Duration(n) * 24 * time.Hour, nil
}

// answered reports whether answers were given as arguments.
func (f *reviewFlags) answered() bool {
	return len(f.pins)+len(f.texts)+len(f.remove) > 0 || f.until != "" || f.server != ""
}

// reviews compiles what is asked about.
func (f *reviewFlags) reviews(t terminal, args []string) ([]*compiler.Review, *compiler.Project, error) {
	var names, methods []string
	if len(args) > 0 {
		names, methods = args[:1], args[1:]
	}
	if f.single.Document != "" { // the one contract may be named or not
		names = nil
	}
	project, err := f.project(t, names)
	if err != nil {
		return nil, nil, err
	}
	compilations, err := compileIn(t, project)
	if err != nil {
		return nil, nil, err
	}
	var reviews []*compiler.Review
	for _, c := range compilations {
		r, err := project.Review(c, methods, t.now(), f.within)
		if err != nil {
			return nil, nil, failed(err)
		}
		reviews = append(reviews, r)
	}
	return reviews, project, nil
}

// apply writes what the arguments confirm, all of it or nothing.
func (f *reviewFlags) apply(t terminal, project *compiler.Project, reviews []*compiler.Review, args []string) error {
	if len(args) == 0 || len(reviews) != 1 {
		return errors.New("say which contract is meant: rpcgen review CONTRACT ...")
	}
	answer := compiler.Confirmation{Remove: f.remove, Today: today(t), Until: f.until, By: f.by, Server: f.server}
	var err error
	if answer.Pins, err = assignments(f.pins, "=w:"); err != nil {
		return err
	}
	if answer.Texts, err = assignments(f.texts, "=t:"); err != nil {
		return err
	}
	if f.until != "" {
		if answer.Renew = args[1:]; len(answer.Renew) == 0 {
			return errors.New("--until renews the methods that are named: rpcgen review CONTRACT METHOD... --until DAY")
		}
	}
	return f.write(t, project, reviews[0], answer)
}

// assignments reads METHOD=VALUE, where the method's name may hold "=" too.
func assignments(list []string, mark string) (map[string]string, error) {
	out := map[string]string{}
	for _, text := range list {
		at := strings.LastIndex(text, mark)
		if at <= 0 {
			return nil, fmt.Errorf("%q: write METHOD%s... exactly as review printed it", text, mark)
		}
		if _, twice := out[text[:at]]; twice {
			return nil, fmt.Errorf("%q is given twice", text[:at])
		}
		out[text[:at]] = text[at+1:]
	}
	return out, nil
}

func today(t terminal) string { return t.now().UTC().Format(time.DateOnly) }

// write changes the amendment and says what was written.
func (f *reviewFlags) write(t terminal, project *compiler.Project, r *compiler.Review, answer compiler.Confirmation) error {
	if answer.Empty() {
		return nil
	}
	if err := project.Confirm(r, answer); err != nil {
		return &exit{code: exitAuthority, err: err}
	}
	if answer.Server != "" {
		fmt.Fprintf(t.out, "wrote %s: the server\n", compiler.ConfigName)
	}
	for _, count := range []struct {
		n    int
		what string
	}{
		{len(answer.Pins), "pin"}, {len(answer.Texts), "text"}, {len(answer.Remove), "removed entry"}, {len(answer.Renew), "renewed review"},
	} {
		if count.n > 0 {
			fmt.Fprintf(t.out, "wrote %s: %s\n", r.Amendment, plural(count.n, count.what))
		}
	}
	fmt.Fprintf(t.out, "next: %s\n", r.Command("generate"))
	return nil
}

// show prints the questions of a contract, and asks them where a person can
// answer.
func (f *reviewFlags) show(t terminal, typed *typist, project *compiler.Project, r *compiler.Review) error {
	fmt.Fprintf(t.out, "%s: %s\n", r.Contract, plural(len(r.Questions), "question"))
	ask := typed != nil && len(r.Questions) > 0
	answers := newAnswers(typed, t, f)
	for i, q := range r.Questions {
		fmt.Fprintf(t.out, "\n%d of %d  %s\n", i+1, len(r.Questions), headed(q))
		printQuestion(t, q)
		if !ask {
			continue
		}
		if answers.ask(q); answers.interrupted() {
			return failed(fmt.Errorf("interrupted: nothing was written about %s", r.Contract))
		}
	}
	printUndecided(t, r)
	if !ask {
		f.printArguments(t, r)
		return nil
	}
	answer := answers.confirmed(r)
	if err := f.write(t, project, r, answer); err != nil {
		return err
	}
	r.Questions = slices.DeleteFunc(r.Questions, func(q compiler.Question) bool { return answers.settled(q, answer) })
	if n := len(r.Questions); n > 0 {
		fmt.Fprintf(t.out, "%s not confirmed\n", plural(n, "question"))
	}
	return nil
}

func printQuestion(t terminal, q compiler.Question) {
	for _, line := range q.Lines {
		fmt.Fprintln(t.out, "  "+line)
	}
	for _, m := range q.Methods {
		fmt.Fprintf(t.out, "    %s: %s", compiler.Escape(m.Name), standing(m.Granted))
		if m.Side != "" {
			fmt.Fprintf(t.out, ", %s", m.Side)
		}
		if m.Detail != "" {
			fmt.Fprintf(t.out, ", %s", compiler.Escape(m.Detail))
		}
		fmt.Fprintln(t.out)
	}
}

func printUndecided(t terminal, r *compiler.Review) {
	if len(r.Undecided) == 0 {
		return
	}
	fmt.Fprintf(t.out, "\nundecided, and closed: %s\n", plural(len(r.Undecided), "method"))
	const shown = 20 // the worksheet lists all of them
	for i, name := range r.Undecided {
		if i == shown {
			fmt.Fprintf(t.out, "    and %d more\n", len(r.Undecided)-shown)
			break
		}
		fmt.Fprintf(t.out, "    %s\n", compiler.Escape(name))
	}
	fmt.Fprintf(t.out, "  next: %s\n", r.Decide())
}

// printArguments prints the command line that confirms what was shown.
func (f *reviewFlags) printArguments(t terminal, r *compiler.Review) {
	var args []string
	seen := map[string]bool{}
	add := func(flag, value string) {
		if arg := flag + " " + shellQuote(value); !seen[arg] {
			seen[arg] = true
			args = append(args, arg)
		}
	}
	for _, q := range r.Questions {
		if q.Server != "" {
			add("--server", q.Server)
		}
		for _, m := range q.Methods {
			switch q.Kind {
			case compiler.Moved, compiler.Unpinned:
				add("--pin", m.Name+"="+m.Pin)
			case compiler.Words:
				add("--text", m.Name+"="+m.Text)
			case compiler.Orphan:
				add("--remove", m.Name)
			}
		}
	}
	if len(args) == 0 {
		return
	}
	fmt.Fprintf(t.out, "\nto confirm without a terminal, with those that you have looked at:\n  %s", r.Command("review"))
	for _, arg := range args {
		fmt.Fprintf(t.out, " \\\n    %s", arg)
	}
	fmt.Fprintln(t.out)
}

// shellQuote quotes a name for a POSIX shell; what does not show is spelled
// out, so that such a name cannot be confirmed by pasting.
func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(compiler.Escape(s), "'", `'\''`) + "'"
}

// left is the exit code when something waits for a person.
func left(reviews []*compiler.Review) error {
	for _, r := range reviews {
		if r.Gates() {
			return &exit{code: exitAuthority}
		}
	}
	return nil
}

func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(what, "y"))
	default:
		return fmt.Sprintf("%d %ss", n, what)
	}
}

// answerer returns where a person answers, or nil when nobody can.
func answerer(f *os.File) *os.File {
	if interactive(f) {
		return f
	}
	return nil
}

// headed names a question and how many methods it is about.
func headed(q compiler.Question) string {
	if len(q.Methods) == 0 {
		return string(q.Kind)
	}
	return fmt.Sprintf("%s, %s", q.Kind, plural(len(q.Methods), "method"))
}
