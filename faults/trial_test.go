//go:build linux

package faults_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A trial is a change that was rehearsed: a command, and what may stand there afterwards.
type trial struct {
	change
	args, before, next []string // of the change

	dir        string // the project directory to begin with
	comparison *comparison
	bare       bool // logs do not count

	old, done         snapshot // before the command and after it
	oldNext, doneNext snapshot // with the next command on top
	unfired           snapshot // after the command alone, without what it fires; see change.fires

	said  map[string]int  // what was said in sessions before it, if it is about them
	stood map[string]bool // the lines of the conversation and of cold storage before it, if it is about them
}

// rehearse runs the command undisturbed, on copies of its base.
func (c change) rehearse(t *testing.T) *trial {
	t.Helper()
	tr := &trial{change: c, dir: c.base(t), comparison: &comparison{known: map[string]bool{}}}
	words := []string{"ASKING", asking, "HONEY", honey}
	if strings.Contains(c.args, "DEC") {
		words = append(words, "DEC", decisionOf(t, tr.dir))
	} else if strings.Contains(c.args, "SESSION") {
		words = append(words, "SESSION", sessionOf(t, tr.dir))
	}
	if _, err := os.Stat(filepath.Join(tr.dir, state)); c.next == "" && err != nil {
		c.next = `remember "the next thing"`
	} else if c.next == "" {
		c.next = "set /notes/next 1"
	}
	tr.args, tr.next = parse(c.args, words...)[0], parse(c.next)[0]
	if c.before != "" {
		tr.before = parse(c.before)[0]
	}
	for _, text := range documents(t, tr.dir) {
		for _, pattern := range []*regexp.Regexp{decisionID, sessionID, derivedID} {
			for _, id := range pattern.FindAllString(text, -1) {
				tr.comparison.known[id] = true
			}
		}
	}
	undone, done, again := tr.prepare(t), tr.prepare(t), tr.prepare(t)
	tr.old = tr.look(t, done)
	tr.oldNext = tr.after(t, undone, tr.next)
	tr.done = tr.after(t, done, tr.args)
	tr.doneNext = tr.after(t, done, tr.next)
	if p := tr.after(t, again, tr.args); !slices.Equal(p, tr.done) {
		t.Fatalf("%v does not do the same twice, so that nothing can be compared:\n%s", tr, p.without(tr.done))
	}
	if c.fires != "" {
		tr.unfired = tr.afterAlone(t)
	}
	if slices.Equal(tr.old, tr.done) || !strings.Contains(strings.Join(tr.done, ""), c.shows) {
		t.Fatalf("%v changes nothing, or there is no %s afterwards", tr, c.shows)
	}
	noLitter(t, done)
	return tr
}

// afterAlone returns what stands there once the command ran while the trigger that it fires was switched off.
func (tr *trial) afterAlone(t *testing.T) snapshot {
	t.Helper()
	dir := tr.prepare(t)
	config := filepath.Join(dir, ".quaid", "config.json")
	if err := os.WriteFile(config, []byte(`{"format": 2, "refresh_triggers": [`+tr.fires+`]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	tr.succeed(t, dir, tr.args)
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	return tr.look(t, dir)
}

func (tr *trial) String() string {
	name := strings.Join(tr.args, " ")
	if len(tr.before) > 0 {
		name += " after " + strings.Join(tr.before, " ")
	}
	return name[:min(len(name), 100)]
}

// prepare copies the tree, and runs what comes before the command.
func (tr *trial) prepare(t *testing.T) string {
	t.Helper()
	dir := copyTree(t, tr.dir)
	if len(tr.before) > 0 {
		tr.succeed(t, dir, tr.before)
	}
	return dir
}

func (tr *trial) command(_ *testing.T, dir string) *exec.Cmd { return atHome(dir, tr.args...) }

// succeed runs args beside dir, which has to exit with 0.
func (tr *trial) succeed(t *testing.T, dir string, args []string) {
	t.Helper()
	if r := execute(t, atHome(dir, args...), hang); r.code != 0 {
		t.Errorf("%v: %v", tr, r)
	}
}

// after returns what stands in dir once args ran there.
func (tr *trial) after(t *testing.T, dir string, args []string) snapshot {
	t.Helper()
	tr.succeed(t, dir, args)
	return tr.look(t, dir)
}

func (tr *trial) look(t *testing.T, dir string) snapshot {
	t.Helper()
	p := look(t, dir, tr.comparison)
	if tr.bare {
		p = p.pick(logs, false)
	}
	return p
}

// withoutLogs returns the trial as it is where logs are not written.
func (tr *trial) withoutLogs() *trial {
	other := *tr
	other.bare = true
	for _, p := range []*snapshot{&other.old, &other.done, &other.oldNext, &other.doneNext} {
		*p = p.pick(logs, false)
	}
	return &other
}

// judge checks what a broken command left, what it said of that, and what the next command
// makes of it.
func (tr *trial) judge(t *testing.T, b *broken) (at, after string) {
	t.Helper()
	if b.actionFailed() {
		tr.withoutAction(t, b)
		return did, did
	}
	if b.unlogged() {
		tr = tr.withoutLogs()
	}
	at = tr.stands(t, b)
	after = tr.mended(t, b, at)
	if b.errno != "" && b.within(b.dir) {
		ended := at
		if b.putOff() {
			ended = after
		}
		tr.told(t, b, ended)
	}
	return at, after
}

// stands checks what a broken command left: each document is old or new.
func (tr *trial) stands(t *testing.T, b *broken) (at string) {
	t.Helper()
	snapshots := []snapshot{tr.old, tr.done}
	if b.twice {
		snapshots = append(snapshots, tr.oldNext, tr.doneNext)
	}
	now := tr.look(t, b.dir).pick(scratch, false)
	strange, gone := snapshot(slices.DeleteFunc(now.madeOf(snapshots...), tr.begun)), now.gone(tr.old, tr.done)
	if len(strange) > 0 || len(gone) > 0 {
		t.Errorf("%v: neither old nor new\nagainst old:\n%s\nagainst new:\n%s\ngone: %q", b, strange.without(tr.old), strange.without(tr.done), gone)
	}
	switch {
	case slices.Equal(now, tr.old):
		return undone
	case slices.Equal(now, tr.done), slices.Equal(now.pick(states, false), tr.done.pick(states, false)):
		return did // the State is a view, which may be behind until the next command
	}
	return half
}

// begun reports whether doc is of lines, the first of which, up to anywhere, are there: they
// are appended after the other documents, until the next command.
func (tr *trial) begun(doc string) bool {
	name, _, _ := strings.Cut(doc, " ")
	return strings.HasSuffix(name, ".jsonl") && slices.ContainsFunc(tr.done, func(done string) bool { return strings.HasPrefix(done, doc) })
}

// mended runs the next command, and checks that it makes the documents all old or all new,
// and loses nothing that was done.
func (tr *trial) mended(t *testing.T, b *broken, at string) (after string) {
	t.Helper()
	b.succeed(t, tr.next...)
	if b.byTwoThreads() {
		t.Logf("%v: calls of two threads failed; what is left in .local is not judged", b)
	} else if !noLitter(t, b.dir) {
		t.Errorf("%v: litter stays", b)
	}
	switch now := tr.look(t, b.dir); {
	case slices.Equal(now, tr.doneNext):
		after = did
	case slices.Equal(now, tr.oldNext):
		after = undone
	default:
		after = half
		t.Errorf("%v: a mixture after the next command\nagainst undone:\n%s\nagainst done:\n%s", b, now.without(tr.oldNext), now.without(tr.doneNext))
		t.Logf("expected, if undone:\n%s\nif done:\n%s", tr.oldNext.without(now), tr.doneNext.without(now))
	}
	if at == did && after == undone {
		t.Errorf("%v: what was done is gone after the next command", b)
	}
	if r := b.succeed(t, "validate"); strings.Contains(r.out, "warning:") {
		t.Errorf("%v: %v", b, r)
	}
	tr.saidOnce(t, b)
	tr.stillThere(t, b)
	if tr.undo && after == did {
		tr.comesBack(t, b)
	}
	if tr.check != nil {
		tr.check(t, b)
	}
	return after
}

// told checks what a command said and how it ended that met an error in its tree.
func (tr *trial) told(t *testing.T, b *broken, at string) {
	t.Helper()
	if b.run.code == 0 {
		tr.tolerable(t, b, at)
		return
	}
	err := b.run.err
	says := strings.Contains(err, ".forgemind") || strings.Contains(err, ".quaid") || strings.Contains(err, b.dir) ||
		slices.ContainsFunc(tr.args, func(file string) bool {
			return strings.Contains(b.hits[0], `"`+file+`"`) && strings.Contains(err, file+":")
		})
	if b.run.code != 3 || !says || !strings.Contains(err, errorTexts[b.errno]) {
		t.Errorf("%v\nnot exit 3 with the path and the cause", b)
	}
}

// lesser are the places whose loss costs no document and no acknowledged change.
var lesser = regexp.MustCompile(`\.local/(last|displaced|holder|stage/|txn/[0-9a-f]+/|recovered|watch)`)

// tolerable checks a command that says that it is done although a call failed: so it is, and
// what was not synced is nothing that has to stay.
func (tr *trial) tolerable(t *testing.T, b *broken, at string) {
	t.Helper()
	if tr.bare && slices.Equal(tr.old, tr.done) {
		return // it said that what is missing is missing
	}
	if at != did {
		t.Errorf("%v\nacknowledged, but it is %s", b, at)
	}
	for _, hit := range b.hits {
		if strings.Contains(hit, "fsync(") && !lesser.MatchString(hit) {
			t.Errorf("%v\nacknowledged, but not on the disk", b)
		}
	}
}

// withoutAction checks a command that says that it is done, and of an action that it fired
// that this failed: what fired it stands, for nobody's words are dropped because something
// else could not be read, and nothing of the action does. Where it fires several, a document
// that some of them change holds lines of the old and of the new.
func (tr *trial) withoutAction(t *testing.T, b *broken) {
	t.Helper()
	now := tr.look(t, b.dir)
	strange := snapshot(slices.DeleteFunc(now.madeOf(tr.old, tr.done, tr.unfired), tr.begun))
	if len(tr.stood) > 0 { // what is said fires several
		strange = slices.DeleteFunc(strange, tr.mixed)
	}
	if tr.fires != "" {
		strange = slices.DeleteFunc(strange, func(doc string) bool { return strings.Contains(doc, "/.local/acted.json ") })
	}
	if len(strange) > 0 {
		t.Errorf("%v: neither old nor new\nagainst new:\n%s", b, strange.without(tr.done))
	}
	tr.saidOnce(t, b)
	tr.stillThere(t, b)
	if slices.Equal(now, tr.old) {
		t.Errorf("%v\nacknowledged, but it is %s", b, undone)
	}
	b.succeed(t, "validate")
	if !noLitter(t, b.dir) {
		t.Errorf("%v: litter stays", b)
	}
	if tr.fires != "" {
		b.succeed(t, tr.args...)
		if !strings.Contains(strings.Join(tr.look(t, b.dir), ""), tr.shows) {
			t.Errorf("%v: there is no %s with the next command", b, tr.shows)
		}
	}
}

// mixed reports whether each line of doc stands in the old or the new one; of JSON, whether
// or not a member follows. What remembers the firings tells of those that there were.
func (tr *trial) mixed(doc string) bool {
	name, lines, _ := strings.Cut(doc, "\n")
	if strings.Contains(name, "/.local/acted.json ") {
		return true
	}
	known := map[string]bool{}
	for _, of := range []snapshot{tr.old, tr.done} {
		for line := range strings.Lines(of.named(name)) {
			known[strings.TrimRight(line, ",\n")] = true
		}
	}
	for line := range strings.Lines(lines) {
		if !known[strings.TrimRight(line, ",\n")] {
			return false
		}
	}
	return true
}
