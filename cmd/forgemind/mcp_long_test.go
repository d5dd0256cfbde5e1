package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Results of a large tree are cut with a word, and what it says leads to the rest.
func TestMCPCutsWhatIsLong(t *testing.T) {
	t.Parallel()
	a := serve(t, aTree(t), "", "--allow-writes")
	const many = 120
	for i := range many {
		d := fmt.Sprintf(`{"id": "DEC-%03d", "timestamp": "2026-11-20T10:%02d:%02dZ", "decision": %q, "rationale": %q, "immutable": true}`,
			i, i/60, i%60, fmt.Sprintf("Row %d: \"%s\"", i, strings.Repeat("pear <tree> & ", 40)), strings.Repeat("because\n", 200))
		if err := os.WriteFile(filepath.Join(a.dir, fmt.Sprintf(".forgemind/decisions/DEC-%03d.json", i)), []byte(d), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for offset := 0.0; ; {
		text, page := a.does("decision_list", map[string]any{"limit": 50, "offset": int(offset)})
		for _, d := range page["decisions"].([]any) {
			id := d.(map[string]any)["id"].(string)
			if seen[id] {
				t.Fatalf("%s comes twice", id)
			}
			seen[id] = true
			if !strings.Contains(text, id) {
				t.Errorf("%s is not in the text", id)
			}
		}
		next, more := page["next_offset"].(float64)
		if !more {
			break
		}
		if !strings.Contains(text, fmt.Sprintf("offset %v goes on", next)) || next <= offset {
			t.Fatalf("after %v comes %v: %s", offset, next, text)
		}
		offset = next
	}
	if len(seen) != many+1 {
		t.Errorf("%d decisions, %d are there", len(seen), many+1)
	}
	ran(t, a.dir, "message", "add", strings.Repeat("A long story about the \"wall\".\n", 3000), "--agent", "user")
	_, found := a.does("search", map[string]any{"query": "long story wall", "in": "memory"})
	id := found["results"].([]any)[0].(map[string]any)["id"].(string)
	var story strings.Builder
	for offset := 0; ; {
		_, got := a.does("recover", map[string]any{"id": id, "offset": offset})
		part := got["items"].([]any)[0].(map[string]any)
		content := part["content"].(string)
		story.WriteString(content)
		offset += utf8.RuneCountInString(content)
		if offset >= int(part["length"].(float64)) {
			break
		}
		if len(content) < 1000 {
			t.Fatalf("only %d characters at once", len(content))
		}
	}
	if got := strings.TrimSpace(story.String()); got != strings.TrimSpace(strings.Repeat("A long story about the \"wall\".\n", 3000)) {
		t.Errorf("put together it is %d characters: %.100q…", len(got), got)
	}
	for name, arguments := range map[string]map[string]any{
		"context": {"query": "pears", "max_tokens": 100_000}, "brief": {"max_tokens": 2400}, "search": {"query": "pear tree wall", "limit": 30}, "governs": {"path": "."}, "validate": {"limit": 100},
		"recover": {"id": "DEC-001"},
	} {
		a.does(name, arguments)
	}
	for i := range 25 {
		a.does("goal", map[string]any{"action": "add", "text": fmt.Sprintf("Row %d %s", i, strings.Repeat("of pears ", 300))})
	}
	if text, _ := a.does("work_list", map[string]any{"limit": 100}); strings.Count(text, "(goal, ") < 5 {
		t.Errorf("few long goals have room:\n%s", text)
	}
	result := a.call("context", map[string]any{"max_tokens": 100_000}) // the hot context alone is more than a result holds
	if !strings.Contains(textOf(result), "cut") {
		t.Errorf("context: %.300s", textOf(result))
	}
}

// What left a conversation is found and recovered by its id. With --allow-writes
// that is in the log, by which tune learns; without, nothing is.
func TestMCPRecoversWhatLeftAConversation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ran(t, dir, "init")
	var talk strings.Builder
	for i := range 60 {
		fmt.Fprintf(&talk, `{"id":"m-%d","ts":"2026-11-%02dT09:00:00Z","agent":"bo","content":"A wasp sat on row %d: %s"}`+"\n", i, 1+i/3, i, strings.Repeat("the pears hang low ", 20))
	}
	if err := os.WriteFile(filepath.Join(dir, "talk.jsonl"), []byte(talk.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	ran(t, dir, "message", "import", "talk.jsonl")
	ran(t, dir, "compact", "--now", "--strategy", "psd")
	recoveries := func() int {
		src, err := os.ReadFile(filepath.Join(dir, ".forgemind/logs/context/recovery.jsonl"))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return strings.Count(string(src), "\n")
	}
	for n, flags := range [][]string{nil, {"--allow-writes"}} {
		a := serveHere(t, dir, flags...)
		_, found := a.does("search", map[string]any{"query": "wasp on row 7", "in": "cold_storage", "limit": 1})
		chunk := found["results"].([]any)[0].(map[string]any)["id"]
		_, got := a.does("recover", map[string]any{"id": chunk})
		if item := got["items"].([]any)[0].(map[string]any); item["kind"] != "chunk" || !strings.HasPrefix(item["content"].(string), "A wasp sat on row 7:") {
			t.Errorf("%v is %v", chunk, item)
		}
		_, got = a.does("recover", map[string]any{"query": "wasp on row 7", "limit": 2})
		if items := got["items"].([]any); len(items) != 2 || items[0].(map[string]any)["id"] != chunk || items[0].(map[string]any)["score"] == nil {
			t.Errorf("by the query: %v", items)
		}
		if logged := recoveries(); (logged > 0) != (n == 1) {
			t.Errorf("with %v %d recoveries are in the log", flags, logged)
		}
	}
}

// Texts that grow when they are spelled out have no more room than others.
func TestMCPCutsWhatGrows(t *testing.T) {
	t.Parallel()
	dir := aTree(t)
	for n, evil := range []string{strings.Repeat("\u202e", 3000), strings.Repeat("<user>", 600), strings.Repeat("pears \u2066 ", 400), strings.Repeat("\\\"\t\n", 900) + "x"} {
		ran(t, dir, "message", "add", "pears "+evil, "--agent", "user")
		ran(t, dir, "goal", "add", fmt.Sprintf("pears %d %s", n, evil))
		for i := range 4 {
			at := filepath.Join(dir, fmt.Sprintf(".forgemind/decisions/DEC-E%d%d.json", n, i))
			text := encoded(t, map[string]any{
				"id": fmt.Sprintf("DEC-E%d%d", n, i), "timestamp": "2026-11-20T10:00:00Z", "decision": "pears " + evil, "rationale": evil,
				"alternatives_rejected": []string{evil, evil}, "files": []string{"walls/south.md", evil}, "immutable": true,
			})
			if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	ran(t, dir, "sessions", "summary")
	a := serveHere(t, dir)
	_, found := a.does("search", map[string]any{"query": "pears", "limit": 30}) // does checks how long a result is
	for _, one := range found["results"].([]any) {
		a.does("recover", map[string]any{"id": one.(map[string]any)["id"]})
	}
	_, sessions := a.does("session_list", nil)
	a.does("session_list", map[string]any{"id": sessions["sessions"].([]any)[0].(map[string]any)["id"]})
	for name, arguments := range map[string]map[string]any{
		"brief": {"max_tokens": 2400}, "context": {"query": "pears", "max_tokens": 100_000}, "decision_list": {"limit": 50}, "work_list": {"limit": 100},
		"governs": {"path": "walls/south.md", "limit": 50}, "validate": {"limit": 100}, "status": nil,
	} {
		a.does(name, arguments)
	}
	writes := serveHere(t, dir, "--allow-writes")
	grows := strings.Repeat("\u202e", 4000)
	writes.does("decision_add", map[string]any{"decision": grows, "rationale": grows, "alternatives": []any{grows, grows}, "impact": []any{grows, grows}, "files": []any{grows}})
	writes.does("goal", map[string]any{"action": "add", "text": grows})
	writes.does("question", map[string]any{"action": "ask", "text": grows, "context": grows})
	writes.does("remember", map[string]any{"text": grows})
}
