package engine_test

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	names "github.com/forgemind/forgemind/fs"
)

// What a colleague did arrives with its effects, whatever else the colleague
// did since: the clone's look fires and writes nothing.
func TestEffectsThatArriveAreFoundDone(t *testing.T) {
	for _, c := range []struct {
		what  string
		work  func(colleague *house)
		fires string
	}{
		{"a layer", func(h *house) { h.layer(1) }, "layer_transition"},
		{"a layer, and a later checkpoint", func(h *house) { h.layer(1); h.clarity(3); h.end() }, "layer_transition"},
		{"two layers", func(h *house) { h.layer(1); h.layer(2) }, "layer_transition"},
		{"a layer there and back", func(h *house) { h.layer(1); h.clarity(4); h.layer(0) }, ""},
		{"clarity", func(h *house) { h.clarity(40) }, "clarity_significant_change"},
		{"clarity in steps of which one fired", func(h *house) { h.clarity(12); h.clarity(21) }, "clarity_significant_change"},
		{"clarity that takes a command away", func(h *house) { h.clarity(88); h.clarity(92) }, "clarity_significant_change"},
		{"clarity that an editor wrote, and git brought as it was", func(h *house) { h.edit("\"clarity\": 0,\n    \"status\"", "\"clarity\": 40,\n    \"status\"") }, "clarity_significant_change"},
		{"a layer and clarity", func(h *house) { h.layer(1); h.clarity(40); h.clarity(45) }, "layer_transition clarity_significant_change"},
		{"a layer and clarity that did not fire", func(h *house) { h.clarity(85); h.layer(1); h.clarity(91) }, "layer_transition clarity_significant_change"},
	} {
		colleague := build(t)
		colleague.commit()
		clone := colleague.clone()
		clone.look()
		c.work(colleague)
		clone.receive(colleague)
		before := clone.files()
		out := clone.look()
		if got := fired(out); got != c.fires {
			t.Errorf("%s: fired %q, want %q", c.what, got, c.fires)
		}
		if status := clone.git("status", "--porcelain"); len(out.Changes) > 0 || status != "" || !maps.Equal(before, clone.files()) {
			t.Errorf("%s: the clone wrote %v\n%s%s", c.what, out.Changes, status, clone.read(names.State))
		}
		if again := clone.look(); fired(again) != "" || len(again.Changes) > 0 {
			t.Errorf("%s: a second look fired %q", c.what, fired(again))
		}
	}
}

// Going back to an older commit and up again leaves nothing behind.
func TestOlderCommitComesWithItsEffects(t *testing.T) {
	h := build(t)
	first := h.commit()
	h.look()
	h.clarity(12)
	h.clarity(20)
	second := h.commit()
	h.clarity(60)
	h.layer(1)
	third := h.commit()
	for i, commit := range []string{second, third, first, third, second, first, second} {
		h.git("checkout", "-q", commit)
		out := h.look()
		if status := h.git("status", "--porcelain"); len(out.Changes) > 0 || status != "" {
			t.Errorf("checkout %d: wrote %v\n%s", i, out.Changes, status)
		}
	}
}

// What an editor did, here or at a colleague's without forgemind, has no
// effects yet.
func TestChangeWithoutItsEffectsGetsThem(t *testing.T) {
	for _, c := range []struct {
		what string
		work func(h *house)
	}{
		{"clarity after clarity that fired here", func(h *house) {
			h.clarity(40)
			h.edit("\"clarity\": 40,\n    \"status\"", "\"clarity\": 55,\n    \"status\"")
		}},
		{"clarity after clarity that arrived", func(h *house) {
			h.commit()
			colleague := h.clone()
			colleague.clarity(40)
			h.receive(colleague)
			h.edit("\"clarity\": 40,\n    \"status\"", "\"clarity\": 55,\n    \"status\"")
		}},
		{"a layer after one that fired here", func(h *house) { h.layer(1); h.edit(`"current_layer": 1`, `"current_layer": 2`) }},
		{"a layer after one that arrived", func(h *house) {
			h.commit()
			colleague := h.clone()
			colleague.layer(1)
			h.receive(colleague)
			h.edit(`"current_layer": 1`, `"current_layer": 2`)
		}},
		{"back to the beginning", func(h *house) { h.layer(1); h.edit(`"current_layer": 1`, `"current_layer": 0`) }},
	} {
		h := build(t)
		h.look()
		c.work(h)
		out := h.look()
		if len(out.Fired) != 1 || len(out.Changes) == 0 {
			t.Errorf("%s: fired %q, changed %v", c.what, fired(out), out.Changes)
		}
		if again := h.look(); len(again.Fired)+len(again.Changes) > 0 {
			t.Errorf("%s: a second look fired %q", c.what, fired(again))
		}
	}
}

// What this copy recorded itself is no arrival: a trigger that looks closer than
// the one that records clarity still acts.
func TestOwnRecordIsNoArrival(t *testing.T) {
	h := build(t)
	h.configure(
		`{"name": "close", "condition": "abs(current_clarity - previous_clarity) >= 5", "actions": ["update_context_clarity"]}`,
		`{"name": "far", "condition": "abs(current_clarity - previous_clarity) >= 10", "actions": ["update_progress_tracking"]}`,
	)
	h.edit(`"loaded_artifacts": []`, `"loaded_artifacts": [{"id": "I", "type": "idea", "clarity": 0}]`)
	h.edit(`"name": "Orchard",`, `"name": "Orchard", "current_idea": "I",`)
	h.look()
	for _, step := range []struct{ from, to, fires string }{
		{"0", "63", "close far"}, {"63", "57", "close"}, {"57", "62", "close"},
	} {
		h.edit(`"clarity": `+step.from+",\n    \"status\"", `"clarity": `+step.to+",\n    \"status\"")
		if got := fired(h.look()); got != step.fires {
			t.Errorf("clarity %s: fired %q", step.to, got)
		}
		if want := `"type": "idea", "clarity": ` + step.to; !strings.Contains(h.read(names.State), want) {
			t.Errorf("clarity %s: the artifact has another\n%s", step.to, h.read(names.State))
		}
	}
}

// end ends the session by hand.
func (h *house) end() {
	h.t.Helper()
	if _, err := h.Trigger(context.Background(), "session_end"); err != nil {
		h.t.Fatal(err)
	}
}

// edit is an editor's change of the State's project.
func (h *house) edit(old, new string) {
	h.t.Helper()
	h.save(names.State, old, new)
}

// clone returns a clone of the last commit, as a colleague has it.
func (h *house) clone() *house {
	h.t.Helper()
	root := h.t.TempDir()
	h.git("clone", "-q", ".", root)
	return enter(h.t, root)
}

// receive pulls what another copy has.
func (h *house) receive(other *house) {
	h.t.Helper()
	other.commit()
	h.git("pull", "-q", "--no-rebase", other.root)
}

// commit commits all that git does not ignore, and returns the commit.
func (h *house) commit() string {
	h.t.Helper()
	if _, err := os.Stat(filepath.Join(h.root, ".git")); err != nil {
		h.git("init", "-q")
	}
	h.git("add", "-A")
	h.git("commit", "-q", "--allow-empty", "-m", "work")
	return strings.TrimSpace(h.git("rev-parse", "HEAD"))
}

// git runs a git command in the tree, and returns what it prints.
func (h *house) git(args ...string) string {
	h.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Gardener", "-c", "user.email=gardener@localhost"}, args...)...)
	cmd.Dir = h.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func remove(t *testing.T, root, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(root, name)); err != nil {
		t.Fatal(err)
	}
}
