package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/schema"
)

// Options are the options of an Audit.
type Options struct {
	Now time.Time // the time for overdue actions and times in the future
	// Root is the project directory, for git. If it is "", git is not used.
	Root string
	// Since leaves out findings that existed at that revision. It needs Root.
	Since string
	// Contexts returns the outdated parts of the CONTEXT.md of projects. The package
	// that writes them implements it. It may be nil.
	Contexts func(r fs.Reader, decisions []schema.Decision) ([]Lag, error)
	// Repo adds the texts of the repository's other files. It needs Root.
	Repo bool
}

// A Lag is one outdated part of a CONTEXT.md.
type Lag struct {
	Name     string // the CONTEXT.md
	Line     int    // 0 if it is not known
	Decision string // the id of its decision; "" if it is about something else
	Text     string // what is missing or outdated
	ByHand   bool   // a person changed the section, so a refresh does not change it
}

// A Report is the result of an audit.
type Report struct {
	Checked  int       `json:"checked"`  // documents and records that were looked at
	Commits  int       `json:"commits"`  // of the history that was read
	Findings []Finding `json:"findings"` // the heaviest first
	// Unread are documents that could not be read; validate says why.
	Unread []string `json:"unread,omitempty"`
	// Without names what was not checked, and why.
	Without string `json:"without,omitempty"`
}

// Worst returns the highest score, 0 without findings.
func (r Report) Worst() int {
	if len(r.Findings) == 0 {
		return 0
	}
	return r.Findings[0].Score
}

// Audit reports what is stale in the tree that r reads. Invalid documents are not
// errors. It returns an error if r could not be listed, or if git could not do what o
// asks: git.ErrUnknown, git.ErrNoRepository, git.ErrNotInstalled. If neither Since nor
// Repo is set, a tree outside of a repository is audited without history.
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
		if at.After(o.Now) { // the clock went back
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

// was returns what was stale at the revision Since, and its time. History is read from
// there on only, so earlier changes of files are left out.
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
	s := &survey{ctx: ctx, reader: then, o: Options{Now: last[0].At, Contexts: o.Contexts}}
	if err := s.look(); err != nil {
		return nil, time.Time{}, err
	}
	known := map[string]bool{}
	for _, f := range s.report().Findings {
		known[f.ID] = true
	}
	return known, last[0].At, nil
}

// noGit reports whether err only means that there is no history to read.
func noGit(err error) bool {
	return errors.Is(err, git.ErrNoRepository) || errors.Is(err, git.ErrNotInstalled)
}
