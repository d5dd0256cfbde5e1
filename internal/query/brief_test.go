package query_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
)

// briefOf is the brief of a tree, as another process would see it.
func briefOf(t testing.TB, root string, q query.BriefQuery) brief.Brief {
	t.Helper()
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	tree.Now = func() time.Time { return time.Now().Add(time.Hour) } // what was just written is settled
	b, err := query.Brief(t.Context(), tree, q)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// grow writes a Ledger of n decisions of which each third supersedes the one
// before it.
func grow(t testing.TB, root string, n int) {
	t.Helper()
	for i := range n {
		supersedes := ""
		if i%3 == 2 {
			supersedes = fmt.Sprintf(`, "supersedes": ["DEC-%05d"]`, i-1)
		}
		write(t, root, fmt.Sprintf("%s/%s/DEC-%05d.json", fs.Forgemind, fs.DecisionsDir, i), fmt.Sprintf(
			`{"id": "DEC-%05d", "timestamp": %q, "decision": "Row %d of the orchard bears the apples of year %d", "rationale": "They keep until spring, and the wall is warm",
  "alternatives_rejected": ["Pears of year %d", "Nothing at all"], "decision_maker": "Boss", "files": ["rows/%d.md"], "immutable": true%s}`,
			i, time.Date(2020, 1, 1, i, 0, 0, 0, time.UTC).Format(time.RFC3339), i, i%90, i, i%500, supersedes))
	}
}

// The same state gives the same bytes: with an index of the Ledger, without one,
// from a copy, and a year later.
func TestBriefIsTheSame(t *testing.T) {
	h := build(t)
	grow(t, h.root, 300)
	first := briefOf(t, h.root, query.BriefQuery{})
	if first.Decisions.Total != 200 || !strings.Contains(first.Text(), "- DEC-00299 (2020-01-13): Row 299 of the orchard") || strings.Contains(first.Text(), "- DEC-00298 (2020-01-13): Row") {
		t.Fatalf("%s", first.Text())
	}
	index := filepath.Join(h.root, fs.LocalName(fs.Forgemind, "index", fs.DecisionsDir))
	if _, err := os.Stat(index); err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(h.root)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(copied, fs.Forgemind, fs.LocalDir)); err != nil {
		t.Fatal(err)
	}
	for what, root := range map[string]string{"with the index": h.root, "from a copy": copied} {
		again := briefOf(t, root, query.BriefQuery{})
		if again.Text() != first.Text() {
			t.Errorf("%s it is\n%s\nnot\n%s", what, again.Text(), first.Text())
		}
	}
}

// It keeps to the budget by every counter there is, and takes what it may.
func TestBriefKeepsToItsBudget(t *testing.T) {
	h := build(t)
	grow(t, h.root, 300)
	for _, name := range tokens.Names() {
		counter, err := tokens.New(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int{1, 7, 30, 50, 100, 333, 1200, 4000} {
			b := briefOf(t, h.root, query.BriefQuery{MaxTokens: most, Counter: name})
			if n := counter.Count(b.Text()); n > most || n != b.Tokens || most >= 300 && n < most*6/10 { // what is left has no rows of the screen
				t.Errorf("%s: %d tokens (%d said) of %d", name, n, b.Tokens, most)
			}
		}
	}
	characters := briefOf(t, h.root, query.BriefQuery{MaxTokens: 900, Count: func(text string) int { return len(text) }})
	if n := len(characters.Text()); n > 900 || n < 600 {
		t.Errorf("%d characters of 900", n)
	}
	tree := h.Tree.Tree
	if _, err := query.Brief(t.Context(), tree, query.BriefQuery{Counter: "words"}); err == nil {
		t.Error("a counter that there is none of counts")
	}
}

// A clone, in which no session is active, is told of the last; what somebody handed
// over is next, until it is archived.
func TestBriefOfAClone(t *testing.T) {
	t.Parallel()
	h := build(t)
	const conversation = "conv-2026-03-02-abcdef"
	write(t, h.root, session.HotContext(conversation), `{"active_goals": [{"id": "goal-1", "goal": "Carry out DEC-1", "status": "in-progress"}]}`)
	write(t, h.root, session.MetadataFile(conversation), `{"session_id": "`+conversation+`", "started": "2026-03-02T08:00:00Z", "last_activity": "2026-03-02T08:00:00Z", "status": "active"}`)
	for id, supersedes := range map[string]string{"DEC-1": "", "DEC-2": `, "supersedes": ["DEC-1"]`} {
		write(t, h.root, fs.Forgemind+"/"+fs.DecisionsDir+"/"+id+".json", `{"id": "`+id+`", "timestamp": "2026-03-02T10:00:00Z", "decision": "Decide", "immutable": true`+supersedes+`}`)
	}
	write(t, h.root, fs.Forgemind+"/handoffs/survey.json", `{"id": "handoff-1", "task": "Survey", "from": "Ann", "created": "2026-03-02T10:00:00Z", "status": "open"}`)
	write(t, h.root, fs.Forgemind+"/handoffs/stones.json", `{"id": "handoff-2", "task": "Count stones", "created": "2026-03-02T10:00:00Z", "status": "archived"}`)
	write(t, h.root, fs.Forgemind+"/handoffs/half.json", `{"id": `)
	b := briefOf(t, h.root, query.BriefQuery{})
	text := b.Text()
	for _, want := range []string{
		"no session is active here, the last was " + conversation, "- goal-1 (undated, in-progress): Carry out DEC-1", "hot_context.json:1: it names DEC-1, which DEC-2 superseded",
		"- handoff-1 (2026-03-02, handoff from Ann): Survey", "Fault: .forgemind/handoffs/half.json is no handoff that can be read",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "stones") {
		t.Errorf("%s", text)
	}
}

// What went stale among what is shown is told, with its place, and nothing of
// what is not shown. Nothing is late by it: the same state has the same text.
func TestBriefTellsWhatWentStale(t *testing.T) {
	h := build(t)
	old := h.decide("Plant pears along the wall", "")
	now := h.decide("Plant apples along the wall", old.ID)
	const conversation = "conv-2026-03-02-abcdef"
	hot := session.HotContext(conversation)
	write(t, h.root, fs.ActiveSession, conversation+"\n")
	write(t, h.root, hot, `{
  "active_goals": [{"id": "goal-1", "goal": "Carry out `+old.ID+` before spring", "status": "in-progress", "created": "2026-03-02T08:00:00Z"}],
  "pending_actions": [{"id": "ACT-1", "action": "Buy trees", "blocked_by": ["Q-2"], "created": "2026-03-02T08:00:00Z", "due": "2020-01-01T00:00:00Z"}],
  "key_decisions": [], "important_constraints": [],
  "open_questions": [{"id": "Q-1", "question": "Which rows?", "asked_at": "2026-03-02T08:00:00Z"}]
}`)
	write(t, h.root, fs.Clarifications, `{"id": "Q-1", "question": "Which rows?", "asked_at": "2026-03-02T08:00:00Z", "answer": "All of them", "answered_at": "2026-03-02T09:00:00Z"}
{"id": "Q-2", "question": "How many?", "asked_at": "2026-03-02T08:00:00Z", "answer": "Nine", "answered_at": "2026-03-02T09:00:00Z"}
`)
	write(t, h.root, fs.Forgemind+"/memory/facilitator-notes.md", "## Lessons learned\n\n- As "+old.ID+" says\n")
	text := func() string { b := briefOf(t, h.root, query.BriefQuery{}); return b.Text() }()
	for _, want := range []string{
		"- " + now.ID + " (", "tried \"Plant pears along the wall\", replaced by " + now.ID + " \"Plant apples along the wall\" on 2026-03-02",
		"\n## Stale or wrong\n", "- " + hot + ":2: ", old.ID + ", which " + now.ID + " superseded",
		"the question Q-1 is answered", "the action ACT-1 waits for Q-2, which is done",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "overdue") || strings.Contains(text, " ago") || strings.Contains(text, "in the future") || strings.Contains(text, "facilitator-notes") {
		t.Errorf("%s", text)
	}
}

// A project has its decisions and its constraints, and is pointed at.
func TestBriefOfAProject(t *testing.T) {
	h := build(t)
	put := func(id, more string) {
		write(t, h.root, fs.Forgemind+"/"+fs.DecisionsDir+"/"+id+".json", `{"id": "`+id+`", "timestamp": "2026-03-02T10:00:00Z", "decision": "Decide `+id+`", "immutable": true`+more+`}`)
	}
	put("DEC-1", `, "project": "south"`)
	put("DEC-2", `, "channel": "#proj-South"`)
	put("DEC-3", `, "project": "North"`)
	put("DEC-4", ``)
	put("DEC-5", `, "supersedes": ["DEC-1"]`)
	put("DEC-6", `, "project": "south"`)
	put("DEC-7", `, "project": "North", "supersedes": ["DEC-6"]`)
	write(t, h.root, fs.Forgemind+"/projects/south/project.json", `{"id": "south", "name": "South Wall", "channels": ["proj-south"], "phase": "Build", "constraints": ["Lime mortar only"]}`)
	write(t, h.root, fs.Forgemind+"/projects/north/project.json", `{"id": "north", "name": "North", "channels": [], "constraints": ["No mortar at all"]}`)
	write(t, h.root, fs.Forgemind+"/projects/south/CONTEXT.md", "# South\n\n## Current State\n\nOurs.\n\n## Key Decisions\n\n- Decide DEC-2\n")
	b := briefOf(t, h.root, query.BriefQuery{Project: "South Wall"})
	var ids []string
	for _, d := range b.Decisions.Items {
		ids = append(ids, d.ID)
	}
	text := b.Text()
	if got := strings.Join(ids, " "); got != "DEC-5 DEC-2" {
		t.Errorf("the decisions are %s", got)
	}
	for _, want := range []string{"phase Build", "Lime mortar only", "- context: .forgemind/projects/south/CONTEXT.md, ", "tried \"Decide DEC-1\", replaced by DEC-5", "projects/south/CONTEXT.md:", "it is behind 1 decision of the project", "tried \"Decide DEC-6\", replaced by DEC-7"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "No mortar at all") || strings.Contains(text, "north") {
		t.Errorf("%s", text)
	}
	all := briefOf(t, h.root, query.BriefQuery{})
	if text := all.Text(); all.Decisions.Total != 5 || !strings.Contains(text, "No mortar at all") || strings.Contains(text, "north/CONTEXT.md, the living") {
		t.Errorf("%s", text)
	}
	if _, err := query.Brief(t.Context(), h.Tree.Tree, query.BriefQuery{Project: "West"}); err == nil || !strings.Contains(err.Error(), "West") {
		t.Error(err)
	}
}

// BenchmarkBrief tells a tree with 10,000 decisions and 100,000 messages from a
// process of its own; the index of the Ledger is there.
func BenchmarkBrief(b *testing.B) {
	root := b.TempDir()
	grow(b, root, 10_000)
	var talk strings.Builder
	for n := range 100_000 {
		fmt.Fprintf(&talk, `{"msg_id":"m-%d","timestamp":"2026-03-02T09:00:00Z","agent":"user","role":"user","content":"row %d of the orchard is pruned as of %x","tokens":20,"counter":"o200k"}`+"\n", n, n, n*7919)
	}
	const conversation = "conv-1"
	documents, err := session.New(conversation, morning)
	if err != nil {
		b.Fatal(err)
	}
	for name, text := range documents {
		write(b, root, name, string(text))
	}
	write(b, root, fs.ActiveSession, conversation)
	write(b, root, session.ArchiveFile(conversation), talk.String())
	briefOf(b, root, query.BriefQuery{})
	for b.Loop() {
		briefOf(b, root, query.BriefQuery{})
	}
}
