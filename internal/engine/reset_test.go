package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
)

// worn is a tree with some of everything that a reset moves, and the bytes of all
// of its documents.
func worn(t *testing.T) (h *house, before map[string]string) {
	t.Helper()
	h = build(t)
	for n := range 8 {
		write(t, h.root, fmt.Sprintf(".forgemind/cold-storage/s/compaction-%d.jsonl", n), `{"chunk_id":"chunk-`+fmt.Sprint(n)+`","content":"`+strings.Repeat("pears ", 200)+`"}`+"\n")
	}
	for _, log := range []string{fs.CompactionLog, fs.DropLog, fs.RecoveryLog} {
		write(t, h.root, ".forgemind/"+log, "{\"event\":\"x\"}\n")
	}
	write(t, h.root, ".forgemind/decisions/DEC-1.json", `{"id": "DEC-1", "timestamp": "2026-03-02T08:00:00Z", "decision": "Plant pears", "decision_maker": "user", "recorded_by": "user", "immutable": true}`)
	h.say(talk(20)...)
	return h, texts(t, h.root)
}

// texts are the bytes of all documents of a tree by name.
func texts(t *testing.T, root string) map[string]string {
	t.Helper()
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	all := map[string]string{}
	for name, err := range tree.Names(".") {
		if err != nil {
			t.Fatal(err)
		}
		src, err := tree.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(src)
	}
	return all
}

// resettable reports whether a reset moves name.
func resettable(name string) bool {
	return name == fs.Messages || strings.Contains(name, "/"+fs.ColdDir+"/") || strings.Contains(name, "/"+fs.LogsDir+"/")
}

// A reset moves what it says, and nothing else changes; what it moved is in the
// trash to the byte. A second one finds nothing.
func TestReset(t *testing.T) {
	t.Parallel()
	h, before := worn(t)
	would, err := engine.ToReset(h)
	if err != nil {
		t.Fatal(err)
	}
	done, out, err := h.Reset(t.Context())
	if err != nil || !slices.Equal(would.Moved, done.Moved) || len(done.Moved) != 12 || len(done.Left) > 0 || len(out.Notes) > 0 {
		t.Fatalf("%+v, %+v, %v; it was to be %+v", done, out.Notes, err, would)
	}
	reset(t, h.root, before, texts(t, h.root))
	if done, _, err = h.Reset(t.Context()); err != nil || len(done.Moved) > 0 {
		t.Errorf("again: %+v, %v", done, err)
	}
}

// reset holds that after is what a reset leaves of before.
func reset(t *testing.T, root string, before, after map[string]string) {
	t.Helper()
	trash, err := os.ReadDir(filepath.Join(root, fs.LocalName(fs.Forgemind, "trash")))
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]int{}
	for _, file := range trash {
		src, err := os.ReadFile(filepath.Join(root, fs.LocalName(fs.Forgemind, "trash"), file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		kept[string(src)]++
	}
	for name, text := range before {
		now, there := after[name]
		switch {
		case resettable(name) && there:
			t.Errorf("%s is still there", name)
		case resettable(name) && kept[text] == 0:
			t.Errorf("%s is not in the trash", name)
		case !resettable(name) && name != fs.State && now != text:
			t.Errorf("%s was changed", name)
		}
	}
}

// What is no document stays, and keeps nothing from being moved.
func TestAResetLeavesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	h, _ := worn(t)
	write(t, h.root, ".forgemind/cold-storage/notes.txt", "by hand")
	if err := os.Symlink("compaction-1.jsonl", filepath.Join(h.root, ".forgemind/cold-storage/s/link.jsonl")); err != nil {
		t.Skip(err)
	}
	done, _, err := h.Reset(t.Context())
	if err != nil || len(done.Moved) != 12 || !slices.Equal(done.Left, []string{".forgemind/cold-storage/notes.txt", ".forgemind/cold-storage/s/link.jsonl"}) {
		t.Errorf("%+v, %v", done, err)
	}
}

// If it is killed at any moment, a reset is complete or undone after the next write.
func TestAResetThatIsKilled(t *testing.T) {
	if root := os.Getenv("FORGEMIND_TEST_RESET"); root != "" {
		fmt.Println("begins")
		_, _, err := enter(t, root).Reset(context.Background())
		fmt.Println("ends", err)
		return
	}
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	found := map[bool]int{}
	for range 12 {
		h, before := worn(t)
		program := exec.CommandContext(t.Context(), self, "-test.run=^TestAResetThatIsKilled$")
		program.Env = append(os.Environ(), "FORGEMIND_TEST_RESET="+h.root)
		said, err := program.StdoutPipe()
		if err == nil {
			err = program.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		said.Read(make([]byte, 1)) // it has begun
		time.Sleep(rand.N(12 * time.Millisecond))
		program.Process.Kill()
		program.Wait()
		h.look()
		after := texts(t, h.root)
		_, there := after[fs.Messages]
		found[!there]++
		if !there {
			reset(t, h.root, before, after)
			continue
		}
		for name, text := range before {
			if resettable(name) && after[name] != text {
				t.Errorf("not done, but %s is another", name)
			}
		}
	}
	t.Logf("%d done, %d not", found[true], found[false])
}
