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

// judgeDecisions tells which decisions are lost or altered after a change of names,
// and which are right again. The views that changed, and those that every command
// reads, are compared with the Ledger; the files of the Ledger that changed, which
// are among heard, are compared with HEAD.
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
				l.recorded[idOf(name)] = true
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
	for view := range l.wrong { // it may be right by now
		views[view] = true
	}
	delete(views, fs.DecisionsDir)
	for _, f := range l.wrong[fs.DecisionsDir] {
		files[f.File] = true
	}
	found := l.decisionFindings(ctx, views, files)
	if l.hasNews(found) { // git and editors take a file away before they write it
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

// meet judges decisions that a transaction acted on before the watcher heard of their files, which may
// be gone again.
func (l *loop) meet(ctx context.Context, names []string) {
	if len(names) == 0 {
		return
	}
	heard := map[string]bool{}
	var seen []fs.Change
	for _, name := range names {
		heard[name], l.recorded[idOf(name)] = true, true
		if src, err := l.tree.ReadUnsettled(name); err == nil {
			seen = append(seen, fs.Change{Name: name, After: src})
		}
	}
	if l.watcher != nil {
		l.watcher.Seen(seen)
	}
	for _, name := range names {
		l.judge(name, true)
	}
	l.judgeDecisions(ctx, names, heard)
}

// idOf returns the id of the decision in the file at name.
func idOf(name string) string { return strings.TrimSuffix(path.Base(name), ".json") }

// decisionFindings judges what views show, and files of the Ledger. The findings are
// by the view, those of the Ledger by decisions/.
func (l *loop) decisionFindings(ctx context.Context, views, files map[string]bool) map[string][]validate.Finding {
	found := map[string][]validate.Finding{fs.DecisionsDir: l.alteredFiles(ctx, slices.Sorted(maps.Keys(files)))}
	for view := range views {
		found[view] = validate.Shown(l.tree, []string{view}, func(id string) bool { return l.recorded[id] })
	}
	return found
}

// there reports whether the file at name exists.
func (l *loop) there(name string) bool {
	_, err := l.tree.Look(name)
	return err == nil
}

// hasNews reports whether one of the findings was not told yet.
func (l *loop) hasNews(found map[string][]validate.Finding) bool {
	told := l.wrongDecisions()
	for _, findings := range found {
		if slices.ContainsFunc(findings, func(f validate.Finding) bool { return !slices.Contains(told[f.File], f.Message) }) {
			return true
		}
	}
	return false
}

// secondLook is how long a decision must be wrong before that is told.
const secondLook = 100 * time.Millisecond

// alteredFiles compares files of the Ledger with HEAD. Without a commit there is
// nothing to compare with.
func (l *loop) alteredFiles(ctx context.Context, names []string) []validate.Finding {
	if len(names) == 0 {
		return nil
	}
	head, err := git.At(ctx, l.tree.Root(), "HEAD")
	if err != nil {
		return nil
	}
	defer head.Close()
	findings, _ := validate.Altered(head, l.tree, names) // what cannot be read was told by judge
	return findings
}

// tellDecisions tells what is wrong with the decisions of a view, or of the Ledger,
// that was not told before, and which files are right again.
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

// wrongDecisions returns what was told of decisions that are still wrong, by file.
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
