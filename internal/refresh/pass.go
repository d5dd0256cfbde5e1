package refresh

import (
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
		l.gone, l.told, l.invalid, l.copies, l.wrong = true, false, map[string]verdict{}, map[string][]string{}, map[string][]validate.Finding{}
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

// look judges the documents of a batch, then fires what they fire.
func (l *loop) look(ctx context.Context, batch watch.Batch) error {
	start := time.Now()
	names, heard := slices.Clone(batch.Names), map[string]bool{}
	for _, name := range names {
		heard[name] = true
	}
	if batch.All {
		for name, err := range l.tree.Everything().Names(".") {
			if err == nil && !heard[name] {
				names = append(names, name)
			}
		}
	}
	for _, name := range []string{fs.State, fs.Config} {
		if fi, err := l.tree.Look(name); batch.All && err == nil && fi.IsDir() {
			names = append(names, name) // no file, so it is not among them
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return l.isCopy(name, heard[name]) || heard[name] && l.ours(name) })
	l.judgeCopies(batch.Names, heard)
	if len(batch.Names) > 0 {
		clear(l.own) // a later batch names none of these: the watcher has been told of them by Seen
	}
	if len(names) == 0 && !batch.All {
		return nil // our own writes came back
	}
	for _, name := range names {
		if ctx.Err() != nil {
			return nil
		}
		l.judge(name, heard[name])
	}
	l.judgeDecisions(ctx, names, heard)
	idle := batch.All || l.now().Sub(l.looked) >= idleEvery
	out, err := l.tree.Do(ctx, engine.Event{Heard: names, Idle: idle, Patient: l.watcher != nil}, nil)
	if err != nil {
		return err
	}
	l.again = out.Again
	if idle {
		l.looked = l.now()
	}
	if l.watcher != nil {
		l.watcher.Seen(out.Changes)
		if files := engine.LoadedFiles(l.tree.Tree); !slices.Equal(files, l.loaded) {
			l.loaded = files
			l.watcher.Attend(files)
			l.again = true // what changes before the watcher looks at them is found then
		}
	}
	for _, c := range out.Changes {
		l.own[c.Name] = c
	}
	judged := map[string]bool{}
	for _, name := range names {
		judged[name] = true
	}
	l.meet(ctx, slices.DeleteFunc(out.Found, func(name string) bool { return judged[name] }))
	l.tellOutcome(out, time.Since(start))
	var wrote []string
	for _, c := range out.Changes { // what the effects mended is told as mended
		if l.invalid[c.Name].rules != "" {
			l.judge(c.Name, false)
		}
		wrote = append(wrote, c.Name)
	}
	l.judgeCopies(wrote, nil)
	return nil
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
	rest := map[string]bool{} // what no action wrote: checkpoints and their snapshots
	for _, c := range out.Changes {
		rest[c.Name] = true
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
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			l.tell(Occurrence{Time: l.now(), Event: Wrote, Trigger: f.Trigger, File: name, Ms: ms})
		}
	}
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

func isJSON(name string) bool {
	return fs.Place(name).Schema() != "" && name[len(name)-1] == 'n'
}

// wait returns after d, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
