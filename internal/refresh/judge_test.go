package refresh

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/validate"
	"github.com/forgemind/forgemind/watch"
)

// A house is a tree with a watcher that looks when it is told to.
type house struct {
	*testing.T
	*loop
	root string
	said []string // what was told of findings: event, base name of the file, rule
}

func newHouse(t *testing.T) *house {
	t.Parallel()
	h := &house{T: t, root: t.TempDir()}
	h.put(fs.Config, "{}")
	tree, err := engine.Open(h.root, engine.Edge{Now: time.Now, Author: func(string) (string, error) { return "ann", nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	h.loop = newLoop(tree, func(o Occurrence) {
		if o.Event == Invalid || o.Event == Valid {
			h.said = append(h.said, strings.TrimSpace(o.Event+" "+filepath.Base(o.File)+" "+o.Rule))
		}
	})
	h.all()
	h.told = true
	return h
}

// put writes a file that is no longer being saved; no text removes it.
func (h *house) put(name, text string) {
	h.Helper()
	path := filepath.Join(h.root, filepath.FromSlash(name))
	if text == "" {
		if err := os.Remove(path); err != nil {
			h.Fatal(err)
		}
		return
	}
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644), os.Chtimes(path, old, old)); err != nil {
		h.Fatal(err)
	}
}

func (h *house) all() {
	h.Helper()
	if err := h.look(h.Context(), watch.Batch{All: true}); err != nil {
		h.Fatal(err)
	}
}

// save puts a file and looks at it.
func (h *house) save(name, text string) {
	h.Helper()
	h.put(name, text)
	if err := h.look(h.Context(), watch.Batch{Names: []string{name}}); err != nil {
		h.Fatal(err)
	}
}

// rest has the watcher tell what is wrong still.
func (h *house) rest() {
	h.Helper()
	for looks := 0; h.due != nil; looks++ {
		if looks == 20 {
			h.Fatalf("it waits for ever: %v", h.waits)
		}
		<-h.due
		if _, err := h.settled(h.Context()); err != nil {
			h.Fatal(err)
		}
	}
}

// tells compares what was said since it was asked last.
func (h *house) tells(want ...string) {
	h.Helper()
	if !slices.Equal(h.said, want) {
		h.Errorf("told %q, want %q", h.said, want)
	}
	h.said = nil
}

func (h *house) git(args ...string) {
	h.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = h.root
	if out, err := cmd.CombinedOutput(); err != nil {
		h.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

const (
	question = `{"id": "Q-7F3K2Q", "question": "Which cache?", "blocking": ["ACT-G358VW"]}`
	action   = `{"id": "ACT-G358VW", "action": "Write the cache"}`
	asked    = ".forgemind/questions/Q-7F3K2Q.json"
	planned  = ".forgemind/actions/ACT-G358VW.json"
)

// What is wrong for a moment, as where one file is written after another, is not told. What
// stays wrong is, once; and when it is right again.
func TestWhatIsWrongForAMomentIsNotTold(t *testing.T) {
	h := newHouse(t)
	h.save(asked, question)
	h.save(planned, action)
	h.rest()
	h.tells()
	h.save(planned, "")
	h.tells()
	h.rest()
	h.tells("invalid Q-7F3K2Q.json dangling-reference")
	h.save(asked, question+"\n")
	h.rest()
	h.tells()
	h.save(planned, action)
	h.tells("valid Q-7F3K2Q.json")
}

// A file that was told as gone and is back is told of anew; one that is right by then is told as that.
func TestAFileThatComesBackIsToldOfAnew(t *testing.T) {
	h := newHouse(t)
	h.save(asked, question)
	h.rest()
	h.tells("invalid Q-7F3K2Q.json dangling-reference")
	h.save(asked, "")
	h.rest()
	h.tells()
	h.save(asked, question)
	h.rest()
	h.tells("invalid Q-7F3K2Q.json dangling-reference")
	h.put(asked, "")
	h.tellChanged(asked)
	h.save(asked, question)
	h.rest()
	h.tells("invalid Q-7F3K2Q.json dangling-reference")
	h.put(asked, "")
	h.tellChanged(asked)
	h.save(asked, strings.Replace(question, "ACT-G358VW", "", 1))
	h.rest()
	h.tells("valid Q-7F3K2Q.json")
}

// A finding about a file that is not there ends when nothing asks for the file any more.
func TestAFileThatIsNotMissedAnyMoreIsToldAsRight(t *testing.T) {
	h := newHouse(t)
	const change = ".forgemind/actions/ACT-G358VW.done-a3.json"
	h.save(change, `{"of": "ACT-G358VW", "at": "2026-11-23T08:30:00.000Z", "set": {"status": "done"}}`)
	h.rest()
	h.tells("invalid ACT-G358VW.json lost-record")
	h.save(change, "")
	h.tells("valid ACT-G358VW.json")
}

// What the watcher wrote itself is no change by others; what it removed is told as gone.
func TestOwnWritesAreNoChanges(t *testing.T) {
	h := newHouse(t)
	var told []string
	h.tell = func(o Occurrence) { told = append(told, strings.TrimSpace(o.Event+" "+o.Message)) }
	h.own[planned] = fs.Change{Name: planned, After: []byte(action)}
	h.save(planned, action)
	h.tellWrote("", []string{planned, asked}, map[string]fs.Change{planned: {Name: planned, After: []byte(action)}, asked: {Name: asked}}, 0)
	if want := []string{"wrote", "wrote gone"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// A finding stays the same while only its numbers change, or the place of its item in a list.
func TestAFindingWithOtherNumbersIsTheSame(t *testing.T) {
	t.Parallel()
	f := validate.Finding{Rule: "decision-count", Pointer: "/list/2/id", Message: "says 3, but the Ledger holds 1,004 (62.5 %)"}
	g := validate.Finding{Rule: "decision-count", Pointer: "/list/10/id", Message: "says 9, but the Ledger holds 2 (7 %)"}
	if faultOf(f) != faultOf(g) {
		t.Errorf("%+v and %+v", faultOf(f), faultOf(g))
	}
	if f.Severity = validate.Error; faultOf(f) == faultOf(g) {
		t.Error("the severity does not count")
	}
	f.Message, g.Message = "there is no decision DEC-001", "there is no decision DEC-002"
	if faultOf(f) == faultOf(g) {
		t.Errorf("%+v", faultOf(f))
	}
}

// Of findings that say the same, each one more is told, and errors of a file that changed are
// told again.
func TestEachOneMoreOfAFaultIsTold(t *testing.T) {
	h := newHouse(t)
	h.loop.told = false // so that nothing waits
	one := validate.Finding{File: planned, Line: 1, Pointer: "/list/0", Rule: "secret", Severity: validate.Warning, Message: "a key"}
	two := one
	two.Pointer, two.Line = "/list/1", 2
	wrong := validate.Finding{File: planned, Rule: "schema", Severity: validate.Error, Message: "no text"}
	for _, c := range []struct {
		found   []validate.Finding
		changed bool
		told    []string
	}{
		{found: []validate.Finding{one}, told: []string{"secret"}},
		{found: []validate.Finding{one}, changed: true},
		{found: []validate.Finding{one, two}, told: []string{"secret"}},
		{found: []validate.Finding{two}},
		{found: []validate.Finding{two, wrong}, told: []string{"schema"}},
		{found: []validate.Finding{two, wrong}, changed: true, told: []string{"schema"}},
	} {
		var want []string
		for _, rule := range c.told {
			want = append(want, "invalid ACT-G358VW.json "+rule)
		}
		h.changed[planned] = c.changed
		h.tellFile(planned, c.found)
		h.tells(want...)
	}
}

// An altered decision is told once, also where git begins something before the watcher writes,
// and where the watcher is ended in the middle; and when it is as it was.
func TestAnAlteredDecisionIsToldUntilItIsRestored(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is needed")
	}
	h := newHouse(t)
	const name, text = ".forgemind/decisions/DEC-001.json", `{"id": "DEC-001", "timestamp": "2026-03-01T10:00:00Z", "decision": "Use pears"}`
	h.put(name, text)
	h.git("init", "-q")
	h.git("add", "-A")
	h.git("-c", "user.name=ann", "-c", "user.email=ann@localhost", "commit", "-qm", "begin")
	h.all()
	h.rest()
	h.said = nil

	h.yieldToGit()
	lock := filepath.Join(h.root, ".git", "index.lock")
	tell := h.tell
	h.tell = func(o Occurrence) {
		if tell(o); o.Event == Changed { // the watcher has looked for git by now
			os.WriteFile(lock, nil, 0o644)
		}
	}
	h.put(name, strings.Replace(text, "pears", "plums", 1))
	h.put(planned, action)
	if err := h.look(t.Context(), watch.Batch{Names: []string{name}}); err != nil && !errors.Is(err, errGit) {
		t.Fatal(err)
	}
	os.Remove(lock)
	h.tell = tell
	h.all()
	h.rest()
	h.tells("invalid DEC-001.json changed-decision")

	ended, end := context.WithCancel(t.Context())
	end()
	h.tellFindings(ended)
	h.all()
	h.rest()
	h.tells()
	h.save(name, text)
	h.tells("valid DEC-001.json")

	h.save(name, strings.Replace(text, "pears", "figs", 1))
	h.rest()
	h.tells("invalid DEC-001.json changed-decision")
	h.git("-c", "user.name=ann", "-c", "user.email=ann@localhost", "commit", "-qam", "alter it")
	h.save(asked, `{"id": "Q-7F3K2Q", "question": "Which cache?"}`)
	h.tells("valid DEC-001.json")
}
