package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// What somebody broke or took away keeps no message from being said, and what is
// due from being done; people are told each time.
func TestABrokenSessionGoesOn(t *testing.T) {
	hot, metadata, window := session.HotContext("conv-1"), session.MetadataFile("conv-1"), session.Window("conv-1")
	for _, scene := range []struct {
		name, file, text, note string
		gone                   bool
	}{
		{name: "hot context", file: hot, text: `{"version": `, note: "hot_context.json stays as it is"},
		{name: "empty hot context", file: hot, note: "hot_context.json stays as it is"},
		{name: "no hot context", file: hot, gone: true, note: "hot_context.json is not there"},
		{name: "metadata", file: metadata, text: `{"session_id": `, note: "metadata.json stays as it is"},
		{name: "no metadata", file: metadata, gone: true},
		{name: "no window", file: window, gone: true},
	} {
		t.Run(scene.name, func(t *testing.T) {
			h := converse(t)
			if scene.gone {
				if err := os.Remove(filepath.Join(h.root, scene.file)); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
			} else {
				write(t, h.root, scene.file, scene.text)
				h.age(scene.file)
			}
			due := 0
			for n := range 50 {
				h.age(path.Dir(scene.file))
				out := h.utter(schema.Message{Content: fmt.Sprintf("word %d", n), Agent: "user"})
				if due += strings.Count(fired(out), engine.SummaryTrigger); !strings.Contains(strings.Join(out.Notes, "\n"), scene.note) {
					t.Fatalf("people are told %q", out.Notes)
				}
			}
			if due != 3 {
				t.Errorf("%s fired %d times, want 3", engine.SummaryTrigger, due)
			}
			a := h.account(t)
			if len(a.stands) != 50 || len(a.windows["conv-1"]) != session.WindowMessages {
				t.Errorf("%d contents stand, the window holds %d", len(a.stands), len(a.windows["conv-1"]))
			}
			if !scene.gone && h.read(scene.file) != scene.text {
				t.Errorf("%s is %q", scene.file, h.read(scene.file))
			}
		})
	}
}

// Where no session is active, or one that is not there, one begins with what is said.
func TestWhatIsSaidBeginsASession(t *testing.T) {
	for _, active := range []string{"", "conv-2\n"} {
		h := converse(t)
		if write(t, h.root, fs.ActiveSession, active); active == "" {
			os.Remove(filepath.Join(h.root, fs.ActiveSession))
		}
		if _, _, err := h.Say(context.Background(), []schema.Message{{Content: "hello"}}); err != nil {
			t.Fatal(err)
		}
		id, err := session.Active(h.Tree)
		if err != nil || id == "conv-1" || id == "conv-2" || !strings.Contains(h.read(session.Window(id)), `"hello"`) {
			t.Errorf("active session %q: it was said in %q (%v)", active, id, err)
		}
	}
}

// A writer that was killed leaves a piece of a line behind. It keeps nobody from
// saying more, and nothing of what stands before it is lost.
func TestATornWindowGoesOn(t *testing.T) {
	for name, tail := range map[string]string{"torn": `{"msg_id":"x-99","content":"half of a`, "zeroes": strings.Repeat("\x00", 300)} {
		for _, looked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, looked at %t", name, looked), func(t *testing.T) {
				h := converse(t)
				var lines strings.Builder
				for n := range 33 {
					fmt.Fprintf(&lines, `{"msg_id":"x-%d","ts":"2026-03-02T09:30:%02dZ","agent":"script","content":"line %d"}`+"\n", n, n, n)
				}
				write(t, h.root, session.Window("conv-1"), lines.String()+tail)
				h.age(session.Window("conv-1"))
				due := ""
				if looked {
					due = fired(h.look())
					if text := h.read(session.Window("conv-1")); !strings.HasSuffix(text, "\n"+tail) || strings.Count(text, "\n") != session.WindowMessages {
						t.Errorf("the window is %q", text)
					}
					h.age(session.Window("conv-1"))
				}
				for n := range 3 {
					due += fired(h.utter(schema.Message{Content: fmt.Sprintf("word %d", n), Agent: "user"}))
				}
				if due != engine.SummaryTrigger {
					t.Errorf("fired %q", due)
				}
				a := h.account(t)
				if len(a.stands) != 36 || len(a.windows["conv-1"]) != session.WindowMessages || h.about("conv-1").MessageCount != 36 {
					t.Errorf("%d contents stand, the window holds %d, the metadata says %d", len(a.stands), len(a.windows["conv-1"]), h.about("conv-1").MessageCount)
				}
				report, err := validate.Tree(h, validate.Options{})
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range report.Findings {
					if f.Rule != "displaced-save" || !strings.Contains(f.Message, "recovered") {
						t.Errorf("%s:%d: %s [%s]", f.File, f.Line, f.Message, f.Rule)
					}
				}
			})
		}
	}
}

// Where an archive is gone people are told once, and the session goes on.
func TestAnArchiveThatIsGoneIsTold(t *testing.T) {
	h := converse(t)
	for n := range 40 {
		h.utter(schema.Message{Content: fmt.Sprintf("word %d", n), Agent: "user"})
	}
	if err := os.Remove(filepath.Join(h.root, session.ArchiveFile("conv-1"))); err != nil {
		t.Fatal(err)
	}
	told := 0
	for n := range 3 {
		out := h.utter(schema.Message{Content: fmt.Sprintf("more %d", n), Agent: "user"})
		told += strings.Count(strings.Join(out.Notes, "\n"), "says 40 messages, but window and archive hold 20")
	}
	if told != 1 || h.about("conv-1").MessageCount != 23 {
		t.Errorf("told %d times, the metadata says %d messages", told, h.about("conv-1").MessageCount)
	}
	h.valid()
}
