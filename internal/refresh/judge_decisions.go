package refresh

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/validate"
)

// judgeDecisions reports which decisions are lost or altered after a change of names, and which are
// correct again. It compares the changed views, and those that every command reads, with the
// Ledger. It compares the changed files of the Ledger, which are in heard, with HEAD.
func (l *loop) judgeDecisions(ctx context.Context, names []string, heard map[string]bool) {
	views, files := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		switch kind := fs.Place(name); {
		case kind == fs.DocState, kind == fs.DocHotContext:
			views[name] = true
		case kind == fs.DocDecision:
			if heard[name] {
				files[name] = true
			}
			if !heard[name] || l.there(name) {
				l.recorded[strings.TrimSuffix(path.Base(name), ".json")] = true
			}
		}
	}
	if len(views)+len(files) == 0 {
		return
	}
	views[fs.State] = true
	if id, err := session.Active(l.tree); err == nil && id != "" {
		views[session.HotContext(id)] = true
	}
	for view := range l.wrong { // it may be correct now
		views[view] = true
	}
	delete(views, fs.DecisionsDir)
	for _, f := range l.wrong[fs.DecisionsDir] {
		files[f.File] = true
	}
	found := l.decisionFindings(ctx, views, files)
	if l.hasNews(found) { // git and editors remove a file before they write it
		wait(ctx, secondLook)
		if l.watcher != nil {
			l.waitForGit(ctx)
		}
		found = l.decisionFindings(ctx, views, files)
	}
	for _, where := range slices.Sorted(maps.Keys(found)) {
		l.tellDecisions(where, found[where])
	}
}

// decisionFindings validates the decisions in views and the files of the Ledger. The findings are
// grouped by view; those of the Ledger are under decisions/.
func (l *loop) decisionFindings(ctx context.Context, views, files map[string]bool) map[string][]validate.Finding {
	found := map[string][]validate.Finding{fs.DecisionsDir: l.alteredFiles(ctx, slices.Sorted(maps.Keys(files)))}
	for view := range views {
		found[view] = validate.CheckShown(l.tree, []string{view}, func(id string) bool { return l.recorded[id] })
	}
	return found
}

// there reports whether the file at name exists.
func (l *loop) there(name string) bool {
	_, err := l.tree.Look(name)
	return err == nil
}

// hasNews reports whether one of the findings was not reported yet.
func (l *loop) hasNews(found map[string][]validate.Finding) bool {
	told := l.wrongDecisions()
	for _, findings := range found {
		if slices.ContainsFunc(findings, func(f validate.Finding) bool { return !slices.Contains(told[f.File], f.Message) }) {
			return true
		}
	}
	return false
}

// secondLook is the time that a decision must be wrong before it is reported.
const secondLook = 100 * time.Millisecond

// alteredFiles compares files of the Ledger with HEAD. It returns nothing if there is no commit.
func (l *loop) alteredFiles(ctx context.Context, names []string) []validate.Finding {
	if len(names) == 0 {
		return nil
	}
	head, err := git.At(ctx, l.tree.Root(), "HEAD")
	if err != nil {
		return nil
	}
	defer head.Close()
	findings, _ := validate.ChangedRecords(head, l.tree, names) // judge has reported unreadable files
	return findings
}

// tellDecisions reports findings about the decisions of a view or of the Ledger that are new, and
// the files that are correct again.
func (l *loop) tellDecisions(where string, findings []validate.Finding) {
	before := l.wrongDecisions()
	delete(l.wrong, where)
	for _, f := range findings {
		if f.Severity == validate.Error {
			l.wrong[where] = append(l.wrong[where], f)
		}
	}
	after := l.wrongDecisions()
	for _, f := range l.wrong[where] {
		if !slices.Contains(before[f.File], f.Message) {
			l.tellFinding(f)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(before)) {
		if len(after[file]) == 0 {
			l.tell(Occurrence{Time: l.now(), Event: Valid, File: file})
		}
	}
}

// wrongDecisions returns the reported findings about decisions that still hold, by file.
func (l *loop) wrongDecisions() map[string][]string {
	messages := map[string][]string{}
	for _, findings := range l.wrong {
		for _, f := range findings {
			messages[f.File] = append(messages[f.File], f.Message)
		}
	}
	return messages
}

func (l *loop) tellFinding(f validate.Finding) {
	l.tell(Occurrence{
		Time: l.now(), Event: Invalid, File: f.File, Line: f.Line, Column: f.Column, Pointer: f.Pointer,
		Rule: f.Rule, Severity: f.Severity, Message: f.Message, Hint: f.Hint,
	})
}
