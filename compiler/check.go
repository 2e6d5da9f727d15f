package compiler

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/config"
	"github.com/openrpc-go/rpcgen/compiler/internal/lock"
	"github.com/openrpc-go/rpcgen/compiler/internal/output"
	"github.com/openrpc-go/rpcgen/runtime/compiled"
)

// CheckOptions choose what Check holds the project against.
type CheckOptions struct {
	Now    func() time.Time // must be set
	Tool   string           // version of rpcgen
	Within time.Duration    // reviews that end within it count as ended
}

// Axis is what a finding of Check is about.
type Axis string

const (
	OfInput     Axis = "input"     // what could not be compiled
	OfAuthority Axis = "authority" // what the amendment says no longer holds
	OfOutput    Axis = "output"    // what generate would write is another
	OfText      Axis = "text"      // words alone
)

// exitCode is the code of a command that found a failing thing on the axis.
func (a Axis) exitCode() int {
	switch a {
	case OfInput:
		return 1
	case OfOutput:
		return 3
	case OfAuthority:
		return 4
	case OfText:
		return 5
	default:
		panic("no such axis: " + string(a))
	}
}

// Codes of the findings of Check.
const (
	OutdatedOutput   = "outdated-output"    // the package is not what generate would write
	OutdatedLock     = "outdated-lock"      // the lock is not what generate would write
	MissingLock      = "missing-lock"       // nothing was ever generated
	StalePin         = "stale-pin"          // a pin that does not fit
	NoPin            = "no-pin"             // an entry without one
	OrphanedEntry    = "orphaned-entry"     // an entry for no method
	ExpiredReview    = "expired-review"     // a review that has ended
	ExpiringReview   = "expiring-review"    // a review that ends within the given days
	UndecidedMethod  = "undecided-method"   // nobody decided
	RefusedMethods   = "refused-methods"    // methods that could not be compiled
	WordsMoved       = "words-moved"        // words have changed since the last generate
	UnreadWords      = "unread-words"       // words that were acknowledged have changed
	MovedServer      = "moved-server"       // the document moved the default server
	NothingToCompile = "nothing-to-compile" // the contract as a whole was refused
)

// Finding is one thing that Check has to say. A finding that is no failure is a
// warning.
type Finding struct {
	Code    string `json:"code"`
	Axis    Axis   `json:"axis"`
	Fails   bool   `json:"fails"`
	Method  string `json:"method,omitzero"`
	Message string `json:"message"`
	Next    string `json:"next,omitzero"`
}

// Checked is what Check found. Its JSON form is stable.
type Checked struct {
	Version   string            `json:"rpcgen_check"`
	Exit      int               `json:"exit"`
	Contracts []CheckedContract `json:"contracts"`
}

// CheckedContract is one contract of a check.
type CheckedContract struct {
	Contract    string      `json:"contract"`
	Authority   string      `json:"authority,omitzero"`
	Findings    []Finding   `json:"findings"`
	Diagnostics Diagnostics `json:"-"`
}

// Check holds the outputs, the lock and the amendment of every target against
// what generate would do. It reads files of the project only, and writes none.
func (p *Project) Check(o CheckOptions) (*Checked, error) {
	old, err := p.readLock()
	if err != nil {
		return nil, err
	}
	run := &checking{project: p, options: o, old: old, record: &lock.Lock{Tool: o.Tool}}
	checked := &Checked{Version: "1"}
	for _, t := range p.Targets {
		c, err := run.contract(t)
		if err != nil {
			return nil, err
		}
		checked.Contracts = append(checked.Contracts, *c)
	}
	run.lock(checked)
	for i := range checked.Contracts {
		checked.Contracts[i].order()
	}
	checked.Exit = checked.exitCode()
	return checked, nil
}

// axes are in the order in which people mend things: what authority says decides
// what is written.
var axes = []Axis{OfAuthority, OfInput, OfOutput, OfText}

// order puts findings first that are mended first.
func (c *CheckedContract) order() {
	slices.SortStableFunc(c.Findings, func(a, b Finding) int { return slices.Index(axes, a.Axis) - slices.Index(axes, b.Axis) })
}

// exitCode is the worst of all findings: authority first, then what could not
// be compiled, then outputs, then words.
func (c *Checked) exitCode() int {
	failing := map[Axis]bool{}
	for _, contract := range c.Contracts {
		for _, f := range contract.Findings {
			failing[f.Axis] = failing[f.Axis] || f.Fails
		}
	}
	for _, axis := range axes {
		if failing[axis] {
			return axis.exitCode()
		}
	}
	return 0
}

// checking carries one check through the contracts.
type checking struct {
	project *Project
	options CheckOptions
	old     *lock.Lock
	record  *lock.Lock // what generate would write
	failed  bool       // a contract could not be compiled, so the record is not whole
}

func (r *checking) contract(t Target) (*CheckedContract, error) {
	compilation, err := r.project.Compile(t, r.options.Now)
	if err != nil {
		return nil, err
	}
	c := &CheckedContract{Contract: t.ID, Findings: []Finding{}, Diagnostics: compilation.Findings()}
	if compilation.Failed() {
		r.failed = true
		axis := OfInput
		if compilation.ExitCode() == OfAuthority.exitCode() {
			axis = OfAuthority
		}
		c.fail(Finding{Code: NothingToCompile, Axis: axis, Message: "the contract cannot be compiled", Next: t.Command("generate")})
		return c, nil
	}
	c.Authority = compilation.Joined.Counts.String()
	if err := r.output(c, compilation); err != nil {
		return nil, err
	}
	if err := r.authority(c, compilation); err != nil {
		return nil, err
	}
	c.levels(compilation)
	return c, nil
}

func (c *CheckedContract) fail(f Finding) {
	f.Fails = true
	c.Findings = append(c.Findings, f)
}

// level adds a finding that the config decides about.
func (c *CheckedContract) level(level string, f Finding) {
	switch config.Level(level) {
	case config.Allow:
	case config.Fail:
		c.fail(f)
	default:
		c.Findings = append(c.Findings, f)
	}
}

// output compares the package's folder with what generate would write.
func (r *checking) output(c *CheckedContract, compilation *Compilation) error {
	pkg, err := compilation.print(GenerateOptions{Now: r.options.Now}, tested(GenerateOptions{}, r.old, c.Contract))
	if err != nil {
		return fmt.Errorf("contract %s: %w", c.Contract, err)
	}
	report, err := output.Compare(r.project.path(compilation.Target.Output), pkg.files)
	if err != nil {
		return fmt.Errorf("contract %s: %w", c.Contract, err)
	}
	record, err := r.project.recorded(pkg, r.old, &GeneratedContract{})
	if err != nil {
		return err
	}
	r.record.Contracts = append(r.record.Contracts, record)
	if report.Fresh() {
		return nil
	}
	var names []string
	for _, name := range slices.Concat(report.Written, report.Removed) {
		names = append(names, path.Join(compilation.Target.Output, name))
	}
	message := fmt.Sprintf("generate would change %s", some(names))
	if report.Interrupted {
		message = "an earlier generate was interrupted"
	}
	c.fail(Finding{Code: OutdatedOutput, Axis: OfOutput, Message: message, Next: compilation.Target.Command("generate")})
	return nil
}

// some lists the first of many names.
func some(names []string) string {
	const shown = 5
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

// authority lists what is not as it was reviewed, as review asks it.
func (r *checking) authority(c *CheckedContract, compilation *Compilation) error {
	review, err := r.project.Review(compilation, nil, r.options.Now(), r.options.Within)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, q := range review.Questions {
		if q.Kind == Server {
			c.fail(Finding{Code: MovedServer, Axis: OfAuthority, Message: "the document moved the default server, so nothing is bound", Next: compilation.Target.Command("review")})
		}
		for _, m := range q.Methods {
			f := q.finding(m)
			f.Next = compilation.Target.Command("review", m.Name)
			if seen[f.Code+" "+m.Name] {
				continue // stale for two causes
			}
			seen[f.Code+" "+m.Name] = true
			if f.Axis == OfText {
				c.level(compilation.Target.Text, f)
			} else {
				c.fail(f)
			}
		}
	}
	return nil
}

// finding is what a question says about one of its methods.
func (q Question) finding(m ReviewedMethod) Finding {
	f := Finding{Axis: OfAuthority, Method: m.Name}
	switch q.Kind {
	case Moved:
		f.Code, f.Message = StalePin, fmt.Sprintf("the %s moved since the pin", m.Side)
	case Unpinned:
		f.Code, f.Message = NoPin, "the entry has no pin"
	case Words:
		f.Code, f.Axis, f.Message = UnreadWords, OfText, "the words that were acknowledged have changed"
	case Orphan:
		f.Code, f.Message = OrphanedEntry, "the contract has no such method"
	case Expired:
		f.Code, f.Message = ExpiredReview, "the review has ended"
	case Expiring:
		f.Code, f.Message = ExpiringReview, "the review ends soon"
	default:
		panic("no such question: " + string(q.Kind))
	}
	return f
}

// levels adds what the config decides about.
func (c *CheckedContract) levels(compilation *Compilation) {
	t := compilation.Target
	var undecided, refused []string
	for _, m := range compilation.Sealed.Methods {
		switch m.Authority.State {
		case compiled.Undecided:
			undecided = append(undecided, m.Name)
		case compiled.Uncompiled:
			refused = append(refused, m.Name)
		}
	}
	if len(undecided) > 0 {
		c.level(t.Undecided, Finding{Code: UndecidedMethod, Axis: OfAuthority,
			Message: fmt.Sprintf("nobody decided about %d: %s", len(undecided), some(undecided)), Next: compilation.decide(undecided...)})
	}
	if len(refused) > 0 && config.Level(t.Refused) == config.Fail {
		c.fail(Finding{Code: RefusedMethods, Axis: OfInput,
			Message: fmt.Sprintf("%d cannot be compiled: %s", len(refused), some(refused)), Next: t.Command("explain", refused[0])})
	}
}

// lock compares the lock with the one that generate would write.
func (r *checking) lock(checked *Checked) {
	if r.failed {
		return
	}
	if r.old == nil {
		for i := range checked.Contracts {
			checked.Contracts[i].fail(Finding{Code: MissingLock, Axis: OfOutput, Message: "there is no lock: nothing was generated yet", Next: r.project.Command("generate")})
		}
		return
	}
	r.record.Contracts = append(r.record.Contracts, r.project.others(r.old)...)
	byContract := map[string][]lock.Change{}
	for _, change := range lock.Compare(r.old, r.record) {
		byContract[change.Contract] = append(byContract[change.Contract], change)
	}
	for i := range checked.Contracts {
		c := &checked.Contracts[i]
		c.changes(append(byContract[c.Contract], byContract[""]...), r.project.Targets[i])
		delete(byContract, c.Contract)
	}
	delete(byContract, "")
	if len(byContract) > 0 && len(checked.Contracts) > 0 {
		checked.Contracts[0].fail(Finding{Code: OutdatedLock, Axis: OfOutput,
			Message: "the lock speaks of contracts that the config does not declare", Next: r.project.Command("generate")})
	}
}

// changedName is what a difference of the lock is about.
func changedName(c lock.Change) string {
	switch {
	case c.Kind == lock.ToolChanged:
		return "the release of rpcgen"
	case c.Kind == lock.ServerChanged:
		return "the default server"
	case c.Name == "":
		return "the contract itself"
	default:
		return c.Name
	}
}

// changes tells how the lock differs: in one line, since one generate mends all
// of it, and the words apart, since the config decides about them.
func (c *CheckedContract) changes(changes []lock.Change, t Target) {
	var names, words []string
	for _, change := range changes {
		if change.Kind == lock.TextChanged {
			words = append(words, change.Name)
			continue
		}
		if name := changedName(change); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(words) > 0 {
		c.level(t.Text, Finding{Code: WordsMoved, Axis: OfText,
			Message: fmt.Sprintf("the words of %d have changed since the last generate: %s", len(words), some(words)), Next: t.Command("generate")})
	}
	if len(names) > 0 {
		c.fail(Finding{Code: OutdatedLock, Axis: OfOutput,
			Message: "generate would write another lock, about " + some(names), Next: t.Command("generate")})
	}
}
