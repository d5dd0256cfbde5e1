package refresh

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/validate"
	"github.com/forgemind/forgemind/watch"
)

// pass looks at a batch and acts on it. It returns when to look again, where
// something kept it from its work. An error ends the watcher.
func (l *loop) pass(ctx context.Context, batch watch.Batch) (again <-chan time.Time, err error) {
	if l.replaced = l.replaced || batch.Replaced; l.replaced {
		if err := l.reopen(); err != nil {
			return l.fail(err), nil
		}
		l.replaced, batch.All = false, true
	}
	if batch.Gone {
		if !l.gone {
			l.tell(Occurrence{Time: l.now(), Event: Failed, Message: "the tree is gone; waiting for it to come back"})
		}
		l.gone, l.told, l.due = true, false, nil
		clear(l.faults)
		clear(l.waits)
		clear(l.changed)
		return nil, nil
	}
	l.gone = false
	if l.waitForGit(ctx) {
		batch.All = true
	}
	if err := l.keepLock(ctx); err != nil {
		return nil, err
	}
	if err := l.look(ctx, batch); errors.Is(err, errGit) {
		return l.pass(ctx, watch.Batch{All: true})
	} else if err != nil && ctx.Err() == nil {
		return l.fail(err), nil
	}
	if batch.All {
		l.failure = ""
	}
	if !l.told {
		l.ready()
	}
	if l.again {
		return time.After(tryAgain), nil
	}
	return nil, nil
}

// look does what the documents of a batch call for, and tells what is wrong in the tree then.
func (l *loop) look(ctx context.Context, batch watch.Batch) error {
	start := time.Now()
	changed, heard := l.changes(batch)
	if len(batch.Names) > 0 {
		clear(l.own) // a later batch names none of these: the watcher has been told of them by Seen
	}
	if len(changed) == 0 && !batch.All {
		return nil // our own writes came back
	}
	for _, name := range changed {
		l.tellChanged(name)
	}
	idle := batch.All || l.now().Sub(l.looked) >= idleEvery
	out, err := l.tree.Do(ctx, engine.Event{Heard: heard, Idle: idle, Patient: l.watcher != nil}, nil)
	if errors.Is(err, errGit) {
		return err // and all is looked at again
	}
	if err == nil {
		if l.again = out.Again; idle {
			l.looked = l.now()
		}
		l.attend(out)
		l.meet(out.Found, heard)
		l.tellOutcome(out, time.Since(start))
	}
	for _, c := range out.Changes {
		l.own[c.Name] = c
	}
	return cmp.Or(err, l.check(ctx, batch, changed, out.Changes))
}

// changes returns the names of the files in a batch that others changed, and of all that are
// to be acted on: not those that readers pass over.
func (l *loop) changes(batch watch.Batch) (changed, heard []string) {
	named := map[string]bool{}
	for _, name := range batch.Names {
		of, over := fs.PassedOver(l.tree, name)
		if named[name] = true; over && of == "" || l.ours(name) {
			continue
		}
		if changed = append(changed, name); !over {
			heard = append(heard, name)
		}
	}
	if batch.All {
		for name, err := range l.tree.Names(".") {
			if err == nil && !named[name] {
				heard = append(heard, name)
			}
		}
	}
	return changed, heard
}

// attend has the watcher know what a round wrote, and hear of the files that are loaded now.
func (l *loop) attend(out engine.Outcome) {
	if l.watcher == nil {
		return
	}
	l.watcher.Seen(out.Changes)
	if files := engine.LoadedFiles(l.tree.Tree); !slices.Equal(files, l.loaded) {
		l.loaded = files
		l.watcher.Attend(files)
		l.again = true // what changes before the watcher looks at them is found then
	}
}

// meet tells of the decisions that a transaction acted on before the watcher heard of their
// files, which may be gone again.
func (l *loop) meet(found, heard []string) {
	known := map[string]bool{}
	for _, name := range heard {
		known[name] = true
	}
	var seen []fs.Change
	for _, name := range found {
		if known[name] {
			continue
		}
		if src, err := l.tree.ReadUnsettled(name); err == nil {
			seen = append(seen, fs.Change{Name: name, After: src})
		}
		l.tellChanged(name)
	}
	if l.watcher != nil {
		l.watcher.Seen(seen)
	}
}

// waitForGit waits while git is in the middle of something, and returns
// whether it was.
func (l *loop) waitForGit(ctx context.Context) bool {
	if l.repo == (git.Repo{}) {
		l.repo = git.Find(l.tree.Root()) // there may be one by now
	}
	what := l.repo.Busy()
	if what == "" {
		return false
	}
	since, told, noted := time.Now(), false, false
	for ; what != "" && ctx.Err() == nil; what = l.repo.Busy() {
		waited := time.Since(since)
		if !told && waited >= gitTold {
			told = true
			l.tell(Occurrence{Time: l.now(), Event: Paused, Message: "git is in the middle of something: " + what})
		}
		if !noted && waited >= gitNoted {
			noted = true
			l.jot("git is in the middle of something: " + what)
		}
		wait(ctx, gitEvery)
	}
	if noted {
		l.jot("")
	}
	return true
}

// errGit says that git began something between a look and its writes.
var errGit = errors.New("git is in the middle of something")

// yieldToGit makes every transaction of the watcher's tree fail with errGit while git is
// in the middle of something. Commands have trees of their own, and do not wait: a person
// gave them.
func (l *loop) yieldToGit() {
	check := l.tree.Check
	l.tree.Check = func(before, after fs.Reader, names []string) error {
		err := check(before, after, names)
		if l.repo.Busy() != "" {
			return errGit
		}
		return err
	}
}

// tellOutcome tells of the firings of a round, after they are durable.
func (l *loop) tellOutcome(out engine.Outcome, took time.Duration) {
	ms := float64(took.Microseconds()) / 1000
	for _, note := range out.Notes {
		l.tell(Occurrence{Time: l.now(), Event: Warned, Message: note})
	}
	rest := map[string]bool{} // what no action wrote: records of what people edited, checkpoints and their snapshots
	changes := map[string]fs.Change{}
	for _, c := range out.Changes {
		rest[c.Name], changes[c.Name] = true, c
	}
	for _, f := range out.Fired {
		for _, a := range f.Actions {
			for _, name := range a.Wrote {
				delete(rest, name)
			}
		}
	}
	for i, f := range out.Fired {
		l.tell(Occurrence{Time: l.now(), Event: FiredOn, Trigger: f.Trigger, By: f.By, Message: f.Reason, Ms: ms})
		var names []string
		if i == 0 {
			names = slices.Collect(maps.Keys(rest))
		}
		for _, a := range f.Actions {
			l.tell(l.acted(f.Trigger, a, ms))
			names = append(names, a.Wrote...)
		}
		l.tellWrote(f.Trigger, names, changes, ms)
	}
	if len(out.Fired) == 0 {
		l.tellWrote("", slices.Collect(maps.Keys(rest)), changes, ms)
	}
}

// tellWrote tells of the files at names, which are among changes, that they were written for a trigger, or
// for what others changed.
func (l *loop) tellWrote(trigger string, names []string, changes map[string]fs.Change, ms float64) {
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		o := Occurrence{Time: l.now(), Event: Wrote, Trigger: trigger, File: name, Ms: ms}
		if c := changes[name]; c.After == nil && c.Appended == nil {
			o.Message = "gone"
		} else {
			o.By = recordedBy(c.After)
		}
		l.tell(o)
	}
}

// recordedBy returns who made a record, or a change of one, as its file says; nil if it says nothing.
func recordedBy(file []byte) []string {
	doc, err := jsonedit.Parse(file)
	if err != nil {
		return nil
	}
	for _, name := range []string{"by", "recorded_by", "created_by", "asked_by"} {
		if who, _ := doc.Str(doc.Member(0, name)); who != "" {
			return []string{who}
		}
	}
	return nil
}

func (l *loop) acted(trigger string, a engine.Acted, ms float64) Occurrence {
	o := Occurrence{Time: l.now(), Event: ActedOn, Trigger: trigger, Action: a.Action, Built: &a.Built, Ms: ms}
	switch {
	case !a.Built:
		o.Message = a.Unbuilt()
	case a.Due:
		o.Message = "due; 'forgemind trigger fire --due' does it"
	case a.Err != nil:
		o.Event, o.Message = Failed, a.Err.Error()
	}
	return o
}

// ready tells that every change is heard from now on, and that what stood
// before was looked at.
func (l *loop) ready() {
	l.told = true
	mode, why := l.watcher.Mode()
	message := mode
	if why != "" {
		message = fmt.Sprintf("%s: %s", mode, why)
	}
	l.jot("")
	l.tell(Occurrence{Time: l.now(), Event: Ready, Message: message})
}

// jot notes for `status` and `doctor` how the watcher does. It is of use to
// people only, so that its failure is none of the watcher's.
func (l *loop) jot(paused string) {
	mode, why := l.watcher.Mode()
	text, err := jsonedit.Marshal(health.Watch{PID: os.Getpid(), Since: l.since, Mode: mode, Why: why, Paused: paused})
	home, unknown := engine.Home(l.tree)
	if err == nil && unknown == nil {
		l.tree.Jot(fs.LocalName(home, fs.WatchFile), text)
	}
}

// fail tells why a pass failed, unless the one before it failed with the same, and
// returns when the next is due: what stays wrong fills no log.
func (l *loop) fail(err error) (again <-chan time.Time) {
	if l.failure == "" {
		l.pause = tryAgain
	} else {
		l.pause = min(2*l.pause, tryAtMost)
	}
	again = time.After(l.pause)
	if l.failure == err.Error() {
		return again
	}
	l.failure = err.Error()
	o := Occurrence{Time: l.now(), Event: Failed, Message: err.Error()}
	var refused *validate.Refused
	if errors.As(err, &refused) && len(refused.Findings) > 0 {
		f := refused.Findings[0]
		o.File, o.Line, o.Column, o.Rule = f.File, f.Line, f.Column, f.Rule
	}
	l.tell(o)
	return again
}

func (l *loop) now() time.Time { return l.tree.Edge().Now().UTC() }

// wait returns after d, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
