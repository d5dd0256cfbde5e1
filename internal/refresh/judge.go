package refresh

import (
	"bytes"
	"context"
	"errors"
	iofs "io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/validate"
	"github.com/forgemind/forgemind/watch"
)

// A fault is the part of a finding that tells it from others of its file. The places of items in
// lists, and the numbers in the message, are no part of it.
type fault struct {
	rule, pointer, message string
	severity               validate.Severity
}

func faultOf(f validate.Finding) fault {
	words := strings.Fields(f.Message)
	for i, word := range words {
		if strings.Trim(word, "0123456789.,:;%()") == "" {
			words[i] = "0"
		}
	}
	places := strings.Split(f.Pointer, "/")
	for i, place := range places {
		if place != "" && strings.Trim(place, "0123456789") == "" {
			places[i] = "0"
		}
	}
	return fault{f.Rule, strings.Join(places, "/"), strings.Join(words, " "), f.Severity}
}

// secondLook is the time that something must be wrong before it is told: git and editors take
// files away before they write them, and a program may write one file after another.
const secondLook = 100 * time.Millisecond

// check judges the files that others changed and those that were written, or all where it is
// not known which changed, and tells what it finds.
func (l *loop) check(ctx context.Context, batch watch.Batch, changed []string, written []fs.Change) error {
	if ctx.Err() != nil {
		return nil
	}
	if batch.All {
		if err := l.checker.CheckAll(); err != nil {
			return err
		}
	} else {
		names := slices.Clone(changed)
		for _, c := range written {
			names = append(names, c.Name)
		}
		slices.Sort(names)
		l.checker.Check(slices.Compact(names)...)
	}
	l.tellFindings(ctx)
	return nil
}

// settled tells what was found wrong before and still is, unless git is in the middle of
// something: then all is looked at.
func (l *loop) settled(ctx context.Context) (again <-chan time.Time, err error) {
	l.due = nil
	if l.repo.Busy() != "" {
		return l.pass(ctx, watch.Batch{All: true})
	}
	l.tellFindings(ctx)
	return nil, nil
}

// tellFindings tells what is wrong in the tree and was not told before, and which files are
// right again. The errors of files that changed are told again. After the first look what is
// wrong is told once it has been so for a while.
func (l *loop) tellFindings(ctx context.Context) {
	found := l.findings(ctx)
	if ctx.Err() != nil {
		return // not all of it may be known
	}
	for file := range l.waits {
		if len(found[file]) == 0 {
			delete(l.waits, file)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(found)) {
		l.tellFile(file, found[file])
	}
	for _, file := range slices.Sorted(maps.Keys(l.faults)) {
		if len(found[file]) > 0 {
			continue
		}
		if delete(l.faults, file); l.there(file) || !l.changed[file] { // else it was told as gone
			l.tell(Occurrence{Time: l.now(), Event: Valid, File: file})
		}
	}
	maps.DeleteFunc(l.changed, func(file string, _ bool) bool { return l.waits[file].IsZero() })
	if l.due = nil; len(l.waits) > 0 {
		l.due = time.After(secondLook)
	}
}

// tellFile tells what was found in a file, if it is time for it.
func (l *loop) tellFile(file string, findings []validate.Finding) {
	told := maps.Clone(l.faults[file])
	if told == nil {
		told = map[fault]int{}
	}
	faults, isNew, news := map[fault]int{}, make([]bool, len(findings)), false
	for i, f := range findings {
		fault := faultOf(f)
		faults[fault]++
		told[fault]--
		isNew[i] = told[fault] < 0
		news = news || isNew[i]
	}
	if news {
		if l.waits[file].IsZero() {
			l.waits[file] = time.Now()
		}
		if l.told && time.Since(l.waits[file]) < secondLook {
			return
		}
	}
	for i, f := range findings {
		if isNew[i] || l.changed[file] && f.Severity == validate.Error {
			l.tellFinding(f)
		}
	}
	l.faults[file] = faults
	delete(l.waits, file)
}

// findings returns what is wrong in the tree, by file.
func (l *loop) findings(ctx context.Context) map[string][]validate.Finding {
	report := l.checker.Report()
	l.compareDecisions(ctx)
	for _, f := range l.altered {
		report.Add(f.File, f)
	}
	report.Finish()
	l.invalid = false
	found := map[string][]validate.Finding{}
	for _, f := range report.Findings {
		found[f.File] = append(found[f.File], f)
		l.invalid = l.invalid || f.Severity == validate.Error || f.Rule == "torn-view"
	}
	return found
}

// compareDecisions compares the files of decisions that changed, or differed before, with
// HEAD. Without a commit there is nothing to compare with; while git does not answer, what it
// said holds.
func (l *loop) compareDecisions(ctx context.Context) {
	if len(l.compared) == 0 {
		return
	}
	head, err := git.At(ctx, l.tree.Root(), "HEAD")
	switch {
	case errors.Is(err, git.ErrNoRepository), errors.Is(err, git.ErrNotInstalled), errors.Is(err, git.ErrOwner):
		l.altered = nil
		clear(l.compared)
		return
	case err != nil:
		return
	}
	defer head.Close()
	l.altered, _ = validate.Altered(head, l.tree, slices.Sorted(maps.Keys(l.compared))) // what cannot be read is a finding of the checker's
	clear(l.compared)
	for _, f := range l.altered {
		l.compared[f.File] = true
	}
}

func (l *loop) tellFinding(f validate.Finding) {
	l.tell(Occurrence{
		Time: l.now(), Event: Invalid, File: f.File, Line: f.Line, Column: f.Column, Pointer: f.Pointer,
		Rule: f.Rule, Severity: f.Severity, Message: f.Message, Hint: f.Hint,
	})
}

// tellChanged tells that somebody changed the file at name, or took it away.
func (l *loop) tellChanged(name string) {
	l.changed[name] = true
	if fs.Place(name) == fs.DocDecision {
		l.compared[name] = true
		l.checker.Check(name) // at once: it may be gone after the round
	}
	o := Occurrence{Time: l.now(), Event: Changed, File: name}
	if !l.there(name) {
		o.Message = "gone"
		clear(l.faults[name]) // if it comes back as it was, that is news
	}
	l.tell(o)
}

// there reports whether the file at name exists.
func (l *loop) there(name string) bool {
	_, err := l.tree.Look(name)
	return err == nil
}

// ours reports whether a document is as the last round left it: the watcher may
// look at it between the write and Seen.
func (l *loop) ours(name string) bool {
	c, ok := l.own[name]
	if !ok {
		return false
	}
	src, err := l.tree.ReadUnsettled(name)
	switch {
	case c.Appended != nil:
		return err == nil && bytes.HasSuffix(src, c.Appended)
	case c.After == nil:
		return errors.Is(err, iofs.ErrNotExist)
	}
	return err == nil && bytes.Equal(src, c.After)
}
