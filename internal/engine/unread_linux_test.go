package engine_test

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// shut keeps everybody from a file or a folder of the tree for the rest of the test, which
// whoever may do everything spends as somebody else.
func (h *house) shut(name string) {
	h.t.Helper()
	if os.Geteuid() == 0 {
		err := filepath.WalkDir(h.root, func(path string, _ iofs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, 65534, 65534))
		})
		if err = errors.Join(err, os.Chmod(filepath.Dir(h.root), 0o755)); err != nil {
			h.t.Fatal(err)
		}
		runtime.LockOSThread() // for good: the thread ends with the test
		syscall.Setfsuid(65534)
		h.t.Cleanup(func() { syscall.Setfsuid(0) })
	}
	path := filepath.Join(h.root, filepath.FromSlash(name))
	if err := os.Chmod(path, 0); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { os.Chmod(path, 0o755) })
}

const (
	wallsFile  = fs.Forgemind + "/projects/walls/project.json"
	wallsPage  = fs.Forgemind + "/projects/walls/CONTEXT.md"
	limeFile   = fs.Forgemind + "/decisions/DEC-LIME.json"
	wallsNamed = `{"id":"walls","name":"Walls","channels":["walls"]}` + "\n"
	limeTaken  = `{"id":"DEC-LIME","timestamp":"2026-02-01T09:00:00Z","decision":"Lime","decision_maker":"ann","immutable":true,"project":"walls"}` + "\n"
)

// A decision that nobody may read keeps a watcher from the page of its project, and
// from nothing else; a command that needs it is refused, and changes nothing.
func TestWhatMayNotBeReadIsNotTakenForMissing(t *testing.T) {
	h := masons(t)
	page := h.page()
	write(t, h.root, limeFile, limeTaken) // the page does not tell of it yet
	h.shut(limeFile)

	out, err := h.Do(context.Background(), engine.Event{Heard: []string{wallsFile}}, nil)
	if failed := out.Failed(); err != nil || len(failed) != 1 || failed[0].Action != "refresh_project_context" || !errors.Is(failed[0].Err, iofs.ErrPermission) {
		t.Errorf("a watcher's look came to %+v, %v", out, err)
	}
	if _, _, err := h.Condense(context.Background(), engine.Discussion{Thread: "mortar"}, nil); !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("to condense came to %v", err)
	}
	if _, _, err := h.RefreshProjects(context.Background()); !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("to refresh the pages came to %v", err)
	}
	if _, _, err := h.ChangeProject(context.Background(), "walls", condense.ProjectChange{}); !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("to change the project came to %v", err)
	}
	if all, _, err := condense.Condensations(h); err != nil || len(all) > 0 || h.read(wallsPage) != page {
		t.Errorf("there are %v, %v, and the page says\n%s", all, err, h.read(wallsPage))
	}
}

// What was acted on is not taken for lost because it may not be read: all decisions would count as acted on.
func TestWhatWasActedOnMayNotBeRead(t *testing.T) {
	h := masons(t)
	if _, err := h.Do(context.Background(), engine.Event{}, nil); err != nil {
		t.Fatal(err)
	}
	h.clarity(1)
	set := fs.LocalName(fs.Forgemind, "acted", fs.DecisionsDir)
	before := h.read(set)
	write(t, h.root, limeFile, limeTaken)
	h.shut(set)
	if _, err := h.Do(context.Background(), engine.Event{}, nil); !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("a look came to %v", err)
	}
	if err := os.Chmod(filepath.Join(h.root, filepath.FromSlash(set)), 0o600); err != nil {
		t.Fatal(err)
	}
	if after := h.read(set); after != before {
		t.Errorf("it holds\n%s\nbefore\n%s", after, before)
	}
}

// page gives the walls a project and returns its CONTEXT.md.
func (h *house) page() string {
	h.t.Helper()
	write(h.t, h.root, wallsFile, wallsNamed)
	if _, _, err := h.RefreshProjects(context.Background()); err != nil {
		h.t.Fatal(err)
	}
	return h.read(wallsPage)
}

// A talk that nobody may read keeps no other from being condensed.
func TestAWatcherCondensesBesideWhatMayNotBeRead(t *testing.T) {
	h := masons(t)
	write(t, h.root, talkFile, mortarTalk+`{"msg_id":"msg-4","timestamp":"2026-03-01T09:30:00Z","agent":"bob","content":"📝 Condense this discussion"}`+"\n")
	private := fs.Forgemind + "/threads/walls/private.jsonl"
	write(t, h.root, private, mortarTalk)
	h.shut(private)
	out, err := h.Do(context.Background(), engine.Event{Heard: []string{private, talkFile}}, nil)
	told := slices.ContainsFunc(out.Notes, func(note string) bool { return strings.Contains(note, private) })
	if all, _, _ := condense.Condensations(h); err != nil || len(all) != 1 || !told {
		t.Errorf("a watcher's look came to %+v, %v, and there are %v", out, err, all)
	}
}

// A condensation whose project's page may not be read is none at all.
func TestACondensationIsWholeOrNotThere(t *testing.T) {
	h := masons(t)
	h.page()
	h.shut(wallsPage)
	_, _, err := h.Condense(context.Background(), engine.Discussion{Thread: "mortar"}, nil)
	if all, _, _ := condense.Condensations(h); !errors.Is(err, iofs.ErrPermission) || len(all) > 0 {
		t.Errorf("it came to %v, and there are %v", err, all)
	}
}

// A thread is not said to be missing where its record may not be read.
func TestAThreadThatMayNotBeReadIsNoUnknownOne(t *testing.T) {
	h := masons(t)
	h.shut(threadFile)
	if _, err := condense.FindThread(h, "sand"); !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("it is said that %v", err)
	}
}

// Nobody's words wait for a folder that is not asked for.
func TestWordsDoNotWaitForProjectsThatMayNotBeRead(t *testing.T) {
	h := masons(t)
	h.page()
	h.shut(fs.Forgemind + "/projects")
	posted, _, err := h.Post(context.Background(), "mortar", schema.Message{Agent: "bob", Content: "One more word"})
	if err != nil || len(posted.Messages) != 1 || !h.says(posted.Messages[0].ID) {
		t.Errorf("posting came to %+v, %v", posted, err)
	}
}

// Of a project that may not be read nobody says that its page is up to date.
func TestAProjectThatMayNotBeReadIsNotUpToDate(t *testing.T) {
	h := masons(t)
	h.page()
	h.shut(wallsFile)
	if _, out, err := h.RefreshProjects(context.Background()); !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("it came to %+v, %v", out, err)
	}
}

// What cannot be read keeps a session from being archived, which is tried once a round, and nothing that is said
// from being there.
func TestASessionIsArchivedOnceThatCanBe(t *testing.T) {
	for trigger, config := range map[string]string{
		engine.ArchiveTrigger: `{}`,
		"mine": `{"refresh_triggers":[{"name":"session_archive","enabled":false,"condition":"session_messages >= 100","actions":[]},
			{"name":"mine","enabled":true,"condition":"session_messages >= 100","actions":["archive_session"]}]}`,
	} {
		t.Run(trigger, func(t *testing.T) { archivedOnceThatCanBe(t, trigger, config) })
	}
}

func archivedOnceThatCanBe(t *testing.T, trigger, config string) {
	h := converse(t)
	write(t, h.root, fs.Config, config)
	if _, _, err := h.Decide(context.Background(), schema.Decision{Decision: "Use RS256"}); err != nil {
		t.Fatal(err)
	}
	kept := fs.Quaid + "/memory/fragments/2026-02-01-walls.md"
	write(t, h.root, kept, "---\nid: frag-1\ntitle: Walls\n---\nLime.\n")
	h.utter(slices.Repeat([]schema.Message{{Content: "a step", Agent: "quaid"}}, 99)...)
	h.shut(kept)
	for n, want := range []struct {
		fails     bool
		fragments int
	}{{true, 1}, {true, 1}, {false, 2}} {
		if !want.fails {
			if err := os.Chmod(filepath.Join(h.root, kept), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		said := []schema.Message{{Content: fmt.Sprintf("step a%d", n), Agent: "quaid"}, {Content: fmt.Sprintf("step b%d", n), Agent: "quaid"}}
		if n == 1 {
			said = said[:1]
		}
		out := h.utter(said...)
		archived := slices.DeleteFunc(out.Fired, func(f engine.Fired) bool { return f.Trigger != trigger })
		if len(archived) != 1 || (archived[0].Actions[0].Err != nil) != want.fails || len(h.fragments()) != want.fragments {
			t.Fatalf("fired %+v, and there are %v", archived, h.fragments())
		}
	}
	next := h.active()
	said := h.read(session.ArchiveFile("conv-1")) + h.read(session.Window("conv-1")) + h.read(session.Window(next))
	for _, step := range []string{"a0", "b0", "a1", "a2", "b2"} {
		if times := strings.Count(said, "step "+step); times != 1 {
			t.Errorf("step %s stands there %d times", step, times)
		}
	}
	if next == "conv-1" || strings.Count(h.read(session.Window(next)), "\n") != 1 {
		t.Errorf("%s goes on with %s", next, h.read(session.Window(next)))
	}
}
