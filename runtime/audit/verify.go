package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// maxLine bounds a row.
const maxLine = 1 << 20

// Report is what Verify found in an intact audit.
type Report struct {
	Rows  int
	Heads []Head // of every writer, sorted; keep their digests outside of the host
	// Open are the request ids of intents without an outcome, in order.
	Open        []string
	First, Last time.Time
}

// Fault is where an audit is broken.
type Fault struct {
	Line   int // from 1; 0 concerns the whole
	Reason string
}

// Error names line and reason.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Reason
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Reason)
}

// Verify reads an audit and holds every row against its own digest and the row
// before it of the same writer. heads are digests that were kept elsewhere:
// each must be of one of the rows, or the audit lost its tail, or was rewritten
// as a whole, since then. The error is a *Fault or the reader's.
func Verify(r io.Reader, heads ...string) (Report, error) {
	v := verifier{chains: map[string]Head{}, open: map[string]int{}, wanted: map[string]bool{}}
	for _, h := range heads {
		if len(h) != digestLength || !strings.HasPrefix(h, "sha256:") {
			return Report{}, &Fault{0, fmt.Sprintf("the head %q is not a digest", h)}
		}
		v.wanted[h] = true
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	lines.Split(wholeLines)
	for lines.Scan() {
		if err := v.row(lines.Bytes()); err != nil {
			return v.report, err
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, errTorn):
		return v.report, &Fault{v.report.Rows + 1, "the row has no end: its writing was cut off"}
	case errors.Is(err, bufio.ErrTooLong):
		return v.report, &Fault{v.report.Rows + 1, fmt.Sprintf("the row is longer than %d bytes", maxLine)}
	case err != nil:
		return v.report, err
	}
	return v.end()
}

type verifier struct {
	report Report
	chains map[string]Head
	open   map[string]int // request id to the line of its intent
	wanted map[string]bool
}

func (v *verifier) row(line []byte) error {
	number := v.report.Rows + 1
	row, digest, err := parse(line)
	if err != nil {
		return &Fault{number, err.Error()}
	}
	before := v.chains[row.Writer]
	switch {
	case row.Sequence != before.Sequence+1:
		return &Fault{number, fmt.Sprintf("row %d of writer %s follows row %d: rows were removed or put elsewhere", row.Sequence, row.Writer, before.Sequence)}
	case row.Previous != before.Digest:
		return &Fault{number, fmt.Sprintf("row %d of writer %s does not follow the row before it", row.Sequence, row.Writer)}
	}
	v.chains[row.Writer] = Head{row.Writer, row.Sequence, digest}
	delete(v.wanted, digest)
	v.report.Rows = number
	v.note(row, number)
	return nil
}

// note keeps what the report says of the rows' content.
func (v *verifier) note(row Row, line int) {
	if v.report.First.IsZero() || row.At.Before(v.report.First) {
		v.report.First = row.At
	}
	if row.At.After(v.report.Last) {
		v.report.Last = row.At
	}
	switch row.Kind {
	case Intent:
		v.open[requestID(row.Data)] = line
	case Outcome:
		delete(v.open, requestID(row.Data))
	}
}

func (v *verifier) end() (Report, error) {
	if len(v.wanted) > 0 {
		missing := make([]string, 0, len(v.wanted))
		for h := range v.wanted {
			missing = append(missing, h)
		}
		slices.Sort(missing)
		return v.report, &Fault{0, "no row has the head " + missing[0] + ": the tail was cut, or the audit was rewritten, since it was kept"}
	}
	for _, h := range v.chains {
		v.report.Heads = append(v.report.Heads, h)
	}
	slices.SortFunc(v.report.Heads, func(a, b Head) int { return strings.Compare(a.Writer, b.Writer) })
	for id := range v.open {
		v.report.Open = append(v.report.Open, id)
	}
	slices.SortFunc(v.report.Open, func(a, b string) int { return v.open[a] - v.open[b] })
	return v.report, nil
}

var errTorn = errors.New("torn line")

// wholeLines is bufio.ScanLines that keeps carriage returns, and takes no last
// line without its end.
func wholeLines(data []byte, atEOF bool) (int, []byte, error) {
	for i, c := range data {
		if c == '\n' {
			return i + 1, data[:i], nil
		}
	}
	if atEOF && len(data) > 0 {
		return 0, nil, errTorn
	}
	return 0, nil, nil
}
