package query_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// morning is when the tests' trees are made.
var morning = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// A house is a tree on disk whose clock moves a minute with every look at it.
type house struct {
	*engine.Tree
	t    *testing.T
	root string
}

// build makes a tree with a fresh State.
func build(t *testing.T) *house {
	t.Helper()
	root := t.TempDir()
	src, err := state.New("Orchard", "session-2026-03-02-01", morning)
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, fs.State, string(src))
	now := morning
	tree, err := engine.Open(root, engine.Edge{
		Now:    func() time.Time { now = now.Add(time.Minute); return now },
		Random: rand.NewChaCha8([32]byte{7}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return &house{tree, t, root}
}

func write(t testing.TB, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (h *house) read(name string) string {
	h.t.Helper()
	src, err := os.ReadFile(filepath.Join(h.root, name))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(src)
}

// say adds messages to the conversation.
func (h *house) say(messages ...schema.Message) {
	h.t.Helper()
	if _, _, err := h.Say(h.t.Context(), messages); err != nil {
		h.t.Fatal(err)
	}
}

// decide records a decision that supersedes another.
func (h *house) decide(text, supersedes string) schema.Decision {
	h.t.Helper()
	d := schema.Decision{Decision: text}
	if supersedes != "" {
		d.Supersedes = schema.IDs{supersedes}
	}
	recorded, _, err := h.Decide(h.t.Context(), d)
	if err != nil {
		h.t.Fatal(err)
	}
	return recorded
}

// chat is what an agent said n times in a topic, so many hours before the morning.
func chat(prefix string, n int, hours float64, sentence string) []schema.Message {
	var all []schema.Message
	for i := range n {
		all = append(all, schema.Message{
			ID: fmt.Sprintf("msg-%s-%02d", prefix, i), Agent: "Facilitator Agent", Role: "assistant",
			Timestamp: schema.FormatTime(morning.Add(time.Duration(-hours*float64(time.Hour)) + time.Duration(i)*time.Second)),
			Content:   fmt.Sprintf("%s Note %d of %s.", sentence, i, prefix),
		})
	}
	return all
}

const (
	bees  = "The apiary by the lime trees has nine hives, whose queens were marked with yellow paint before they swarmed."
	walls = "Mortar for the south wall sets slowly in a wet autumn, so that the courses of stone must rest between."
)
