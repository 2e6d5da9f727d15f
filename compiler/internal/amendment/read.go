package amendment

import (
	"time"

	"github.com/openrpc-go/rpcgen/compiler/internal/correct"
	"github.com/openrpc-go/rpcgen/compiler/internal/diag"
	"github.com/openrpc-go/rpcgen/compiler/internal/fields"
	"github.com/openrpc-go/rpcgen/compiler/internal/source"
)

// Version is the version of the format that Read knows.
const Version = "1"

// reader holds what the members of one file share while it is read.
type reader struct {
	fields.Reader
	contract string // its id, for the commands that help
	review   Review
	profiles map[string]*profile
}

// Read reads an amendment whole. It reports every fault that it finds, and
// returns no file when there is one: no part of a bad file is used.
func Read(f *source.File) (*File, diag.List) {
	r := &reader{}
	file := r.file(f)
	r.Faults.Sort()
	if r.Faults.HasErrors() {
		return nil, r.Faults
	}
	return file, r.Faults
}

func (r *reader) file(f *source.File) *File {
	o := r.Object(f.Root, "an amendment", "version", "contract", "review", "profiles", "methods", "corrections")
	o.Require("version", "contract")
	if v := o.Text("version"); v != "" && v != Version {
		r.Report(o.Get("version"), UnsupportedVersion, "version %q is not known here", v).
			Advice = `this release reads version: "1"`
	}
	id := o.ID("contract")
	r.contract = id
	r.review = r.readReview(o.Get("review"))
	r.profiles = r.readProfiles(o.Get("profiles"))
	entries := r.readEntries(o.Get("methods"))
	corrections := correct.Read(&r.Reader, o.Get("corrections"))
	return &File{
		Contract: id, Review: r.review, Entries: entries, Corrections: corrections,
		Source: f, contract: o.Get("contract"),
	}
}

func (r *reader) readReview(n *source.Node) Review {
	o := r.Object(n, `"review"`, "by", "on", "until")
	review := Review{By: o.Text("by"), On: r.date(o, "on"), Until: r.date(o, "until")}
	if review.On != "" && review.Until != "" && review.Until < review.On {
		d := contradiction(o.Get("until"), "the review ends on %s, before it was done", review.Until)
		r.Faults.Add(d.WithRelated(o.Get("on"), "the review was done here"))
	}
	return review
}

// date reads a day of the calendar. Days are written as text: a bare date is
// another type in YAML 1.1 and a text in YAML 1.2.
func (r *reader) date(o fields.Object, name string) string {
	s := o.Text(name)
	if s == "" {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		r.Report(o.Get(name), BadDate, "%q is %q, which is no day of the calendar", name, s).
			Advice = `write it as "2027-05-31"`
		return ""
	}
	return s
}
