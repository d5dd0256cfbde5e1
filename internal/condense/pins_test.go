package condense

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// TestPins pins more than there is room for, one of them twice.
func TestPins(t *testing.T) {
	files := map[string]string{}
	for n := range MaxPins + 2 {
		files[fmt.Sprintf(".forgemind/condensations/c-%02d.md", n)] = "x\n"
	}
	tree := threadTree(t, files)
	pin := func(name string) (done Pinned, wrote int) {
		wrote = len(staged(t, tree, func(tx *fs.Tx) (err error) {
			done, err = Pin(tx, fs.Forgemind, "#Proj-A", name, "Secretary", noon)
			return err
		}))
		return done, wrote
	}
	for n := range MaxPins {
		if done, wrote := pin(fmt.Sprintf("c-%02d.md", n)); len(done.Unpinned)+len(done.Astray) > 0 || wrote != 2 {
			t.Fatalf("pin %d: %+v, %d files", n, done, wrote)
		}
	}
	if done, wrote := pin(".forgemind/condensations/c-07.md"); wrote != 0 || len(done.Unpinned) > 0 {
		t.Errorf("pinned twice: %+v, %d files", done, wrote)
	}
	if done, _ := pin(fmt.Sprintf("c-%02d.md", MaxPins)); len(done.Unpinned) != 1 || done.Unpinned[0].Condensation != "c-00.md" {
		t.Errorf("the fifty-first unpinned %+v", done.Unpinned)
	}
	pins, err := Pins(tree, fs.Forgemind, "proj-a")
	if err != nil || len(pins) != MaxPins || pins[0].Condensation != "c-01.md" || pins[0].PinnedBy != "Secretary" {
		t.Errorf("%d pins, the first %+v, %v", len(pins), pins[0], err)
	}

	staged(t, tree, func(tx *fs.Tx) error { tx.Remove(".forgemind/condensations/c-09.md"); return nil })
	if done, _ := pin(fmt.Sprintf("c-%02d.md", MaxPins+1)); len(done.Astray) != 1 || done.Astray[0].Condensation != "c-09.md" {
		t.Errorf("leads nowhere: %+v", done.Astray)
	}
}

// TestAPinIsALine holds what lets people, and validate --fix, join the pins of two
// branches.
func TestAPinIsALine(t *testing.T) {
	tree := threadTree(t, nil)
	for _, name := range []string{"one.md", "two \"quoted\".md"} {
		staged(t, tree, func(tx *fs.Tx) error { _, err := Pin(tx, fs.Forgemind, "a", name, "Secretary", noon); return err })
	}
	got, err := tree.Read(pinsFile(fs.Forgemind, "a"))
	want := `{
  "channel": "a",
  "pins": [
    {"id": "pin-ekt3vgaxp5mq", "condensation": "one.md", "pinned_by": "Secretary", "pinned_at": "2026-02-15T12:00:00.000Z"},
    {"id": "pin-8nh5n1zxpwmj", "condensation": "two \"quoted\".md", "pinned_by": "Secretary", "pinned_at": "2026-02-15T12:00:00.000Z"}
  ],
  "rendered": "0tcbb076qzxn"
}
`
	if err != nil || string(got) != want {
		t.Errorf("it is\n%s\n%v", got, err)
	}
}

// TestUnmerged holds that what a merge left open is told as that, and stays.
func TestUnmerged(t *testing.T) {
	t.Parallel() // it waits
	pins, record := pinsFile(fs.Forgemind, "a"), ".forgemind/threads/a/glass-1.json"
	conflict := func(ours, theirs string) string {
		return "{\n<<<<<<< HEAD\n" + ours + "\n=======\n" + theirs + "\n>>>>>>> other\n}\n"
	}
	tree := threadTree(t, map[string]string{
		pins:   conflict(`"pins": []`, `"pins": [1]`),
		record: conflict(`"id": "thread-1", "status": "active"`, `"id": "thread-1", "status": "resolved"`),
	})
	for name, do := range map[string]func(tx *fs.Tx) error{
		pins:   func(tx *fs.Tx) error { _, err := Pin(tx, fs.Forgemind, "a", "x.md", "", noon); return err },
		record: func(tx *fs.Tx) error { _, err := ResolveThread(tx, "thread-1", "Manager", noon); return err },
	} {
		if _, err := tree.Transaction(t.Context(), do); !errors.Is(err, ErrUnmerged) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPinLeavesTheRestAlone holds that somebody's own members and layout stay.
func TestPinLeavesTheRestAlone(t *testing.T) {
	name := pinsFile(fs.Forgemind, "a")
	tree := threadTree(t, map[string]string{name: "{\"pins\": [\n\t{\"condensation\": \"old.md\", \"mood\": 1}\n], \"mine\": true}"})
	staged(t, tree, func(tx *fs.Tx) error { _, err := Pin(tx, fs.Forgemind, "a", "new.md", "", noon); return err })
	got, err := tree.Read(name)
	want := "{\"pins\": [\n\t{\"condensation\": \"old.md\", \"mood\": 1},\n\t{\"id\": \"pin-rh50kwfp8g8z\", \"condensation\": \"new.md\", \"pinned_at\": \"2026-02-15T12:00:00.000Z\"}\n], \"mine\": true, \"rendered\": \"a57h92ga88eh\"}"
	if err != nil || string(got) != want {
		t.Errorf("it is\n%s\n%v", got, err)
	}
	staged(t, tree, func(tx *fs.Tx) error {
		tx.Write(pinsFile(fs.Forgemind, "b"), []byte(`{"pins": 7}`))
		return nil
	})
	if _, err := tree.Transaction(t.Context(), func(tx *fs.Tx) error { _, err := Pin(tx, fs.Forgemind, "b", "new.md", "", noon); return err }); err == nil {
		t.Error("pins that cannot be read were written over")
	}
}
