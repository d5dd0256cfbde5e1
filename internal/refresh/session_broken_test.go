package refresh_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/refresh"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
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
			if path := filepath.Join(h.root, scene.file); scene.gone {
				if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
			} else {
				write(t, h.root, scene.file, scene.text)
			}
			due := 0
			for n := range 50 {
				out := h.utter(schema.Message{Content: fmt.Sprintf("word %d", n), Agent: "user"})
				if due += strings.Count(fired(out), refresh.SummaryTrigger); !strings.Contains(strings.Join(out.Notes, "\n"), scene.note) {
					t.Fatalf("people are told %q", out.Notes)
				}
			}
			if due != 3 {
				t.Errorf("%s fired %d times, want 3", refresh.SummaryTrigger, due)
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

// Where no session is active there is no conversation in a tree that has nothing
// else, and people are told so.
func TestNothingIsSaidOutsideOfASession(t *testing.T) {
	for _, active := range []string{"", "conv-2\n"} {
		h := converse(t)
		if write(t, h.root, fs.ActiveSession, active); active == "" {
			os.Remove(filepath.Join(h.root, fs.ActiveSession))
		}
		_, _, err := h.Say(context.Background(), []schema.Message{{Content: "hello"}})
		if !errors.Is(err, refresh.ErrNoSession) || !strings.Contains(err.Error(), strings.TrimSpace(active)) {
			t.Errorf("active session %q: %v", active, err)
		}
	}
}
