package query_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

// past writes the history of a session that says each of texts, a minute apart.
func past(t *testing.T, root, id string, texts ...string) {
	t.Helper()
	var lines strings.Builder
	for i, text := range texts {
		line, err := session.Encode(schema.Message{
			ID: fmt.Sprintf("%s.%d", id, i), Timestamp: fmt.Sprintf("2026-03-01T%02d:%02d:00Z", i/60, i%60), Agent: "user", Role: "user", Content: text,
		})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	write(t, root, session.ArchiveFile(id), lines.String())
}

func put(t *testing.T, root string, q query.AssembleQuery) assemble.Context {
	t.Helper()
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	c, err := query.Assemble(tree, q)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// An answer stands beside the words of its question: it is recalled with them.
// What has much less to do with the question is not, however much room there is.
func TestWhatStandsAroundAHitIsRecalled(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	texts := slices.Repeat([]string{"Nothing much to tell."}, 60)
	texts[10] = "Which variety of apple did we plant by the river?"
	texts[11] = "Gravenstein."
	texts[12] = "And the apple by the river bears well?"
	texts[30] = "The river rose up to the apple trees."
	texts[50] = strings.Repeat("There was a plate on the table and then it was gone, and nobody could say who had it. ", 12) + "An apple, too."
	past(t, root, "conv-1", texts...)
	write(t, root, fs.ActiveSession, "conv-2\n")
	write(t, root, session.Window("conv-2"), "")

	for budget, want := range map[int]string{72: "conv-1.10 conv-1.11 conv-1.12", 8000: "conv-1.8 conv-1.9 conv-1.10 conv-1.11 conv-1.12 conv-1.13 conv-1.14 conv-1.28 conv-1.29 conv-1.30 conv-1.31 conv-1.32"} {
		c := put(t, root, query.AssembleQuery{Query: "apple variety at the river", MaxTokens: budget, Counter: "chars4"})
		var got []string
		for line := range strings.Lines(c.Text) {
			if id, _, ok := strings.Cut(strings.TrimPrefix(line, "["), "] "); ok && line[0] == '[' {
				got = append(got, id)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("of %d tokens: %v, want %s\n%s", budget, got, want, c.Text)
		}
	}
}

// Whatever the budget and the counter, it is kept to, and the same state gives
// the same bytes, with the index, without one, and where it cannot be kept.
func TestAssembleKeepsToItsBudget(t *testing.T) {
	root := t.TempDir()
	var texts []string
	for i := range 400 {
		texts = append(texts, fmt.Sprintf("Tree %d of row %d bears %d apples, says `the` list of\n- day %d\n- 漢字 and /paths/%d", i, i%7, i*i, i%31, i))
	}
	past(t, root, "conv-1", texts...)
	past(t, root, "conv-2", texts[:30]...)
	write(t, root, fs.ActiveSession, "conv-2\n")
	write(t, root, session.HotContext("conv-2"), `{"active_goals": [{"goal": "Count the apples of row 3"}], "pending_actions": [], "key_decisions": [], "important_constraints": ["No ladders"]}`)
	write(t, root, session.SummaryFile("conv-2"), "# Session Summary\n\n"+strings.Repeat("- apples\n", 400))
	for _, name := range tokens.Names() {
		counter, err := tokens.New(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int{64, 200, 1000, 2000, 8000} {
			q := query.AssembleQuery{Query: "how many apples of row 5?", MaxTokens: most, Counter: name}
			c := put(t, root, q)
			if n := counter.Count(c.Text); n > most || n != c.Tokens || n < most*9/10 && most >= 1000 {
				t.Errorf("%s: %d tokens (%d said) of %d", name, n, c.Tokens, most)
			}
			if !strings.Contains(c.Text, "No ladders") || !strings.Contains(c.Text, "Count the apples of row 3") {
				t.Errorf("%s, %d: the hot context is cut\n%s", name, most, c.Text)
			}
			if err := os.RemoveAll(filepath.Join(root, fs.LocalName(fs.Quaid))); err != nil {
				t.Fatal(err)
			}
			if again := put(t, root, q); again.Text != c.Text {
				t.Errorf("%s, %d: without the index it is\n%s\nwith it\n%s", name, most, again.Text, c.Text)
			}
		}
	}
	if c := put(t, root, query.AssembleQuery{MaxTokens: 2000}); !strings.Contains(c.Text, "of row 3 bears") {
		t.Errorf("without a query nothing of the goal is recalled:\n%s", c.Text)
	}
}

// A decision that the Ledger knows to be superseded says so, in a tree without a
// session, and in one whose active session is not there.
func TestAssembleWithoutASession(t *testing.T) {
	h := build(t)
	old := h.decide("Plant pears", "")
	h.decide("Plant apples", old.ID)
	h.say(schema.Message{Agent: "user", Content: "Apples it is."})
	for _, active := range []string{"", "conv-that-is-gone\n"} {
		if active != "" {
			write(t, h.root, fs.ActiveSession, active)
		}
		c := put(t, h.root, query.AssembleQuery{Query: "apples", MaxTokens: 2000})
		for _, want := range []string{"# Context\n", old.ID + " (superseded, ", "): Plant apples\n", "## Recent (messages.jsonl, ", "user: Apples it is.\n"} {
			if !strings.Contains(c.Text, want) {
				t.Errorf("with the active session %q there is no %q in\n%s", active, want, c.Text)
			}
		}
		if strings.Count(c.Text, "Apples it is.") != 1 {
			t.Errorf("it stands twice:\n%s", c.Text)
		}
	}
}

// What left the conversation is offered to a prompt that asks for it.
func TestWhatLeftIsRecalled(t *testing.T) {
	h := build(t)
	h.say(append(chat("bees", 2, 90, bees), chat("walls", 30, 2, walls)...)...)
	if _, _, err := h.Compact(context.Background(), engine.Compaction{Now: true, Strategy: "relevance", Prompt: "mortar for the south wall"}); err != nil {
		t.Fatal(err)
	}
	made, err := query.Assemble(h.Tree.Tree, query.AssembleQuery{Query: "Which colour were the queens of the hives marked with?", MaxTokens: 2000})
	if err != nil {
		t.Fatal(err)
	}
	if _, recalled, _ := strings.Cut(made.Text, "## Recalled"); !strings.Contains(recalled, "cold storage of ") || !strings.Contains(recalled, "yellow paint before they swarmed. Note 1 of bees") {
		t.Errorf("%s", made.Text)
	}
}
