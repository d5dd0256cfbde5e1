package audit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/schema"
)

// Options say what an Audit looks at.
type Options struct {
	Now time.Time // what is past due, and what lies in the future
	// Root is the project directory, for git; "" does without.
	Root string
	// Since leaves out what was stale at that revision already. It needs Root.
	Since string
	// Contexts says in what the CONTEXT.md of projects are behind: whoever writes
	// them knows best. Nil asks nobody.
	Contexts func(r fs.Reader, decisions []schema.Decision) ([]Lag, error)
	// Threads returns what was decided in threads and is in no condensation, as of Now: whoever condenses them
	// knows best. Nil asks nobody.
	Threads func(r fs.Reader, now time.Time) ([]Outcome, error)
	// Condensations returns the condensations of the tree: whoever takes them in reads them best. Nil asks nobody.
	Condensations func(r fs.Reader) ([]Written, error)
	// Repo looks into the text of the repository's other files too. It needs Root.
	Repo bool
}

// A Lag is one thing in which a CONTEXT.md is behind.
type Lag struct {
	Name     string // of the CONTEXT.md
	Line     int    // 0 where there is none
	Decision string // the id of the decision that it is about; "" for others
	Text     string // what it lacks, or shows though it holds no more
}

// An Outcome tells what was decided in a thread and is in no condensation.
type Outcome struct {
	Thread string // its id
	Called string // how commands call it
	File   string // the Name of its document, or if it has none of its messages
	Text   string // what was decided, and by whom
}

// A Written tells what a condensation says of its decision.
type Written struct {
	File     string
	Decision string // what was decided
	ID       string // of the decision that it became, "" if it does not say it
}

// A Report is what an audit came to.
type Report struct {
	Version  int       `json:"version"`  // 1
	Checked  int       `json:"checked"`  // documents and records that were looked at
	Commits  int       `json:"commits"`  // of the history that was read
	Findings []Finding `json:"findings"` // the heaviest first
	// Unread are documents that could not be read; validate says why.
	Unread []string `json:"unread,omitempty"`
	// NotChecked are the checks that were not made, or not wholly.
	NotChecked []Gap `json:"not_checked,omitempty"`
}

// A Gap is something that was not looked at. That nothing was found there says nothing.
type Gap struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

func (g Gap) String() string { return g.What + ": " + g.Why }

// Worst is the highest score; 0 where nothing is stale.
func (r Report) Worst() int {
	if len(r.Findings) == 0 {
		return 0
	}
	return r.Findings[0].Score
}

// Audit says what is stale in the tree that r reads. What is wrong with a document is
// no error. Errors mean that r could not be listed, or that git could not
// answer what Options ask of it: git.ErrUnknown, git.ErrNoRepository, git.ErrNotInstalled.
// Without Since and Repo what git cannot answer is left out, and in NotChecked.
func Audit(ctx context.Context, r fs.Reader, o Options) (Report, error) {
	if o.Root == "" && (o.Since != "" || o.Repo) {
		return Report{}, fmt.Errorf("audit: %w", git.ErrNoRepository)
	}
	var before map[string]bool
	var span git.Span
	if o.Since != "" {
		then, at, err := was(ctx, o)
		if err != nil {
			return Report{}, err
		}
		span.Not = o.Since
		before = then
		if at.After(o.Now) { // a clock that went back
			o.Now = at
		}
	}
	s := &survey{ctx: ctx, reader: r, o: o, span: span}
	if err := s.look(); err != nil {
		return Report{}, err
	}
	report := s.report()
	report.Findings = slices.DeleteFunc(report.Findings, func(f Finding) bool { return before[f.ID] })
	return report, nil
}

// was says what was stale at the revision Since, and when that was. What files
// did until then is left out: History is read from there on only.
func was(ctx context.Context, o Options) (map[string]bool, time.Time, error) {
	then, err := git.At(ctx, o.Root, o.Since)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer then.Close()
	last, err := git.History(ctx, o.Root, git.Span{To: o.Since, Most: 1})
	if err != nil {
		return nil, time.Time{}, err
	}
	if len(last) == 0 {
		return nil, time.Time{}, fmt.Errorf("%q: %w: it names no commit", o.Since, git.ErrUnknown)
	}
	s := &survey{ctx: ctx, reader: then, o: Options{Now: last[0].At, Contexts: o.Contexts, Threads: o.Threads, Condensations: o.Condensations}}
	if err := s.look(); err != nil {
		return nil, time.Time{}, err
	}
	known := map[string]bool{}
	for _, f := range s.report().Findings {
		known[f.ID] = true
	}
	return known, last[0].At, nil
}
