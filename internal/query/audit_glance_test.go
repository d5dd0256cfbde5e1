package query

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/audit"
)

// A glance says what an audit found as long as nothing changed that it looked at.
// Of a small tree it is made anew, without git; of a large one it says that it is
// of the past.
func TestGlance(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	kept := filepath.Join(dir, ".forgemind", ".local", "index", "audit.json")
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	glance := func(decisions int, at time.Time) string {
		t.Helper()
		tree, err := fs.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer tree.Close()
		g, ok := Glance(t.Context(), tree, at)(decisions)
		if !ok {
			return "nobody looked"
		}
		said := fmt.Sprintf("%d stale", g.Stale)
		if g.At != "" {
			said += " at " + g.At[11:16]
		}
		if !g.Current {
			said += ", behind"
		}
		return said
	}
	look := func() {
		t.Helper()
		tree, err := fs.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer tree.Close()
		os.Remove(kept)
		for range 1000 { // until what was just written is of the past for the file system
			if _, err := AuditAndKeep(t.Context(), tree, audit.Options{Now: now, Root: tree.Root()}); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(kept); err == nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal("it is never kept")
	}
	expect := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	const large = 10_000
	pins := func(n int) string {
		return `{"channel": "x", "pins": [` + strings.TrimSuffix(strings.Repeat(`{"condensation": "gone.md"},`, n), ",") + `]}`
	}
	put(".forgemind/context/current-context.json", `{"version": "1.0"}`)
	put(".forgemind/decisions/DEC-1A.json", `{"id": "DEC-1A", "decision": "Pears", "timestamp": "2026-01-01T10:00:00Z"}`)
	put(".forgemind/channels/x/pins.json", pins(1))
	expect("small", glance(1, now), "1 stale")
	expect("large", glance(large, now), "nobody looked")
	look()
	expect("kept, small", glance(1, now), "1 stale at 12:00")
	expect("kept, large", glance(large, now.Add(time.Hour)), "1 stale at 12:00")
	expect("a day later", glance(large, now.Add(25*time.Hour)), "1 stale at 12:00, behind")
	expect("a clock that went back", glance(large, now.Add(-time.Hour)), "1 stale at 12:00, behind")

	for what, change := range map[string]func(){
		"a pin":      func() { put(".forgemind/channels/x/pins.json", pins(2)) },
		"a note":     func() { put(".forgemind/memory/ann-notes.md", "# Ann\n") },
		"a fragment": func() { put(".quaid/memory/fragments/2026-01-01-a.md", "# A\n") },
		"the State":  func() { put(".forgemind/context/current-context.json", `{"version": "1.0" }`) },
		"a decision": func() { put(".forgemind/decisions/DEC-2B.json", `{"id": "DEC-2B", "decision": "Plums"}`) },
		"an action":  func() { put(".forgemind/actions/ACT-1.json", `{"id": "ACT-1", "action": "Prune"}`) },
		"a change":   func() { put(".forgemind/progress/layer-0123456789AB.json", "{}\n") },
		"a thread":   func() { put(".forgemind/threads/x/thr-1.json", `{"id": "thr-1", "status": "active"}`) },
		"answers":    func() { put(".forgemind/context/clarifications.jsonl", "{}\n") },
		"an answer":  func() { put(".forgemind/clarifications/Q-1-0123456789AB.json", "{}\n") },
		"other history": func() {
			for _, args := range [][]string{{"init", "--quiet"}, {"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--allow-empty", "--message=1"}} {
				if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
		},
	} {
		put(".forgemind/channels/x/pins.json", pins(1))
		look()
		expect("before "+what, glance(large, now), "1 stale at 12:00")
		change()
		expect("after "+what, glance(large, now), "1 stale at 12:00, behind")
	}

	for _, text := range []string{"", "{", `{"version": 9}`, `[]`} {
		if err := os.WriteFile(kept, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		expect("damaged", glance(large, now), "nobody looked")
	}
}
