package lsp

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// want fails if an answer does not have a text.
func (e *editor) want(answer string, texts ...string) {
	e.Helper()
	for _, text := range texts {
		if !strings.Contains(answer, text) {
			e.Errorf("no %s in %s", text, answer)
		}
	}
}

// labels returns the labels of a completion.
func (e *editor) labels(answer string) (labels []string) {
	e.Helper()
	var list completionList
	if err := json.Unmarshal([]byte(answer), &list); err != nil {
		e.Fatal(err)
	}
	for _, item := range list.Items {
		labels = append(labels, item.Label)
	}
	return labels
}

// TestHover explains a finding, a field, a setting, a knob and an id.
func TestHover(t *testing.T) {
	t.Parallel()
	dir := newProject(t)
	write(t, dir, ".forgemind/decisions/DEC-EVIL.json", `{"id": "DEC-EVIL", "timestamp": "2026-11-03T10:00:00Z", "decision": "![x](http://evil) <script> AKIAIOSFODNN7EXAMPLE"}`)
	e := open(t, dir, `{}`)
	const name = ".forgemind/decisions/DEC-NEW.json"
	text := strings.Replace(newDecision, `"Use RS256 for tokens"`, "7, \"rationale\": \"not DEC-EVIL\"", 1)
	e.edit(name, 1, text)
	e.want(e.ask("textDocument/hover", e.at(name, text, "7,")), `**schema** (error)`, "What was decided, in one sentence.")
	e.want(e.ask("textDocument/hover", e.at(name, text, "supersedes")), "The id of the decision that this one replaces")
	e.want(e.ask("textDocument/hover", e.at(name, text, "DEC-OLD")), "**decision** DEC-OLD", "superseded by DEC-NEW", "2026-11-01", "Use HS256 for tokens")
	evil := e.ask("textDocument/hover", e.at(name, text, "DEC-EVIL"))
	if strings.Contains(evil, "![") || strings.Contains(evil, "<script") || strings.Contains(evil, "AKIAIOSFODNN7EXAMPLE") {
		t.Errorf("a text of the tree is shown as it is: %s", evil)
	}
	if got := e.ask("textDocument/hover", e.at(name, text, "\n}")); got != "null" {
		t.Errorf("an explanation of nothing: %s", got)
	}
	const config = `{"copies": "on", "compaction": {"policy": "quaid"}}`
	e.edit(".forgemind/config.json", 1, config)
	e.want(e.ask("textDocument/hover", e.at(".forgemind/config.json", config, "copies")), "copies: what it means")
	e.want(e.ask("textDocument/hover", e.at(".forgemind/config.json", config, "policy")), "Which policy holds", "memfas")
	const knobs = "RELEVANCE_CUTOFF: 0.2\n"
	e.edit(".forgemind/context-config.yaml", 1, knobs)
	e.want(e.ask("textDocument/hover", e.at(".forgemind/context-config.yaml", knobs, "0.2")), "RELEVANCE_CUTOFF: what it means")
}

// TestCompletion offers members, values, ids with their titles and paths, in text that is no JSON yet.
func TestCompletion(t *testing.T) {
	t.Parallel()
	e := open(t, newProject(t), `{}`)
	const name = ".forgemind/decisions/DEC-A.json"
	for i, c := range []struct{ text, place, has, lacks string }{
		{"{\n  \"id\": \"DEC-A\",\n  \n", "\n\n", "decision", "id"},
		{`{"rat": 1}`, `": 1`, "rationale", ""},
		{`{"origin": }`, `}`, "detected", "decision"},
		{`{"immutable": }`, `}`, "true", ""},
		{`{"supersedes": ["DEC-"]}`, `"]`, "DEC-NEW  Use RS256 for tokens", ""},
		{`{"supersedes": "hs256`, `|`, "DEC-OLD  Use HS256 for tokens", "DEC-NEW  Use RS256 for tokens"},
		{`{"files": [""]}`, `"]`, "src", ""},
		{`{"files": ["src/"]}`, `"]`, "token.go", "src"},
	} {
		text, place := c.text+"|", c.place
		if place == "\n\n" {
			text, place = c.text, "  \n"
		}
		offset := strings.Index(text, place)
		if c.place == "\n\n" {
			offset = strings.LastIndex(text, "\n")
		}
		e.edit(name, i+1, c.text)
		params, _ := json.Marshal(map[string]any{"textDocument": map[string]any{"uri": e.uri(name)}, "position": newContent([]byte(text), false).position(offset)})
		labels := e.labels(e.ask("textDocument/completion", string(params)))
		if !slices.Contains(labels, c.has) || c.lacks != "" && slices.Contains(labels, c.lacks) {
			t.Errorf("%q: got %q", c.text, labels)
		}
	}
	for dir, files := range map[string]string{"../": "", "/": "", `..\\`: ""} {
		text := `{"files": ["` + dir + `"]}`
		e.edit(name, 100, text)
		if labels := e.labels(e.ask("textDocument/completion", e.at(name, text, `"]`))); len(labels) > 0 {
			t.Errorf("%s: got %q, want %q", dir, labels, files)
		}
	}

	e.edit(".forgemind/context-config.yaml", 1, "RELEV")
	if labels := e.labels(e.ask("textDocument/completion", e.at(".forgemind/context-config.yaml", "RELEV ", " "))); !slices.Contains(labels, "RELEVANCE_CUTOFF") {
		t.Errorf("knobs: %q", labels)
	}
	const prose = "We follow DEC-N today\n"
	e.edit(".forgemind/condensations/2026-11-01-x.md", 1, prose)
	if labels := e.labels(e.ask("textDocument/completion", e.at(".forgemind/condensations/2026-11-01-x.md", prose, " today"))); len(labels) != 1 || !strings.HasPrefix(labels[0], "DEC-NEW") {
		t.Errorf("ids in prose: %q", labels)
	}
	const change = `{"id": "c", "of": "ACT-1", "set": {"pri": 1}}`
	e.edit(".forgemind/actions/ACT-1.updated-c.json", 1, change)
	if labels := e.labels(e.ask("textDocument/completion", e.at(".forgemind/actions/ACT-1.updated-c.json", change, `": 1`))); !slices.Contains(labels, "priority") {
		t.Errorf("members of a change: %q", labels)
	}
}

// TestPlaces goes to what an id or a path names, and back.
func TestPlaces(t *testing.T) {
	t.Parallel()
	dir := newProject(t)
	const notes = "# Tokens\n\nWe decided DEC-OLD. Not DEC-OLDER.\n\n## Keys\n"
	write(t, dir, ".forgemind/condensations/2026-11-01-tokens.md", notes)
	e := open(t, dir, `{}`)
	const name = ".forgemind/decisions/DEC-NEW.json"
	e.edit(name, 1, newDecision)
	e.want(e.ask("textDocument/definition", e.at(name, newDecision, "DEC-OLD")), e.uri(".forgemind/decisions/DEC-OLD.json"), `"start":{"line":1,"character":9}`)
	e.want(e.ask("textDocument/definition", e.at(name, newDecision, "src/")), e.uri("src/token.go"))
	if got := e.ask("textDocument/definition", e.at(name, newDecision, "2026")); got != "null" {
		t.Errorf("a place of nothing: %s", got)
	}
	places := e.ask("textDocument/references", e.at(name, newDecision, "DEC-OLD"))
	e.want(places, "DEC-OLD.json", "DEC-NEW.json", "2026-11-01-tokens.md")
	if n := strings.Count(places, `"uri"`); n != 3 {
		t.Errorf("%d places, want 3: %s", n, places)
	}

	e.edit(".forgemind/condensations/2026-11-01-tokens.md", 1, notes)
	hints := e.ask("textDocument/inlayHint", e.at(".forgemind/condensations/2026-11-01-tokens.md", notes, "#"))
	e.want(hints, `"label":"superseded by DEC-NEW: Use RS256 for tokens"`, `"position":{"line":2,"character":18}`)
	if strings.Count(hints, "label") != 1 {
		t.Errorf("more than one hint: %s", hints)
	}
	e.want(e.ask("textDocument/documentSymbol", e.at(".forgemind/condensations/2026-11-01-tokens.md", notes, "#")), `"name":"Tokens"`, `"children":[{"name":"Keys"`)
	e.want(e.ask("textDocument/documentSymbol", e.at(name, newDecision, "id")), `"name":"supersedes"`, `"detail":"DEC-OLD"`, `"children":[{"name":"src/token.go"`)
	symbols := e.ask("workspace/symbol", `{"query": "rs256"}`)
	e.want(symbols, `"name":"DEC-NEW Use RS256 for tokens"`)
	if strings.Contains(symbols, "DEC-OLD") {
		t.Errorf("a record without the word: %s", symbols)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".forgemind", ".local", "*")); left != nil {
		t.Errorf("the server wrote %v", left)
	}
}

// apply returns a text after the edits of the code action with a title.
func (e *editor) apply(answer, title, uri, text string) string {
	e.Helper()
	var actions []codeAction
	if err := json.Unmarshal([]byte(answer), &actions); err != nil {
		e.Fatal(err)
	}
	for _, a := range actions {
		if !strings.HasPrefix(a.Title, title) {
			continue
		}
		c := newContent([]byte(text), false)
		for _, edit := range a.Edit.Changes[uri] {
			c = c.edited(contentChange{&edit.Range, edit.NewText})
		}
		return string(c.src)
	}
	e.Fatalf("no action %q in %s", title, answer)
	return ""
}

// TestCodeActions repairs what validate --fix repairs, and takes names that hints suggest.
func TestCodeActions(t *testing.T) {
	t.Parallel()
	e := open(t, newProject(t), `{}`)
	const state = ".quaid/context/sessions/conv-1/hot_context.json"
	text := "{\r\n  \"session_id\": \"conv-1\",\r\n  \"version\": 1\r\n}\r\n"
	e.edit(state, 1, text)
	answer := e.ask("textDocument/codeAction", e.at(state, text, "{"))
	fixed := e.apply(answer, "Repair all", e.uri(state), text)
	if !strings.Contains(fixed, "\"active_goals\": []") || strings.Count(fixed, "\n") != strings.Count(fixed, "\r\n") {
		t.Errorf("got %q", fixed)
	}
	const config = `{"refresh_triggers": [{"name": "x", "condition": "true", "actions": ["update_available_comands"]}]}`
	e.edit(".forgemind/config.json", 1, config)
	shown := e.wait(".forgemind/config.json", func(p publishParams) bool { return len(p.Diagnostics) > 0 })
	src, _ := json.Marshal(map[string]any{
		"textDocument": map[string]any{"uri": shown.URI}, "range": shown.Diagnostics[0].Range,
		"context": map[string]any{"diagnostics": shown.Diagnostics, "only": []string{"quickfix"}},
	})
	answer = e.ask("textDocument/codeAction", string(src))
	if got := e.apply(answer, "Change to update_available_commands", shown.URI, config); !strings.Contains(got, `["update_available_commands"]`) {
		t.Errorf("got %s", got)
	}
	e.want(answer, `"diagnostics":[{`, "trigger-action")
	const knobs = "RELEVANCE_CUTOF: 0.2\n"
	e.edit(".forgemind/context-config.yaml", 1, knobs)
	if got := e.apply(e.ask("textDocument/codeAction", e.at(".forgemind/context-config.yaml", knobs, "R")), "Change to", e.uri(".forgemind/context-config.yaml"), knobs); got != "RELEVANCE_CUTOFF: 0.2\n" {
		t.Errorf("got %s", got)
	}
}

// TestMendFromOtherDocuments repairs what shows beside other documents only.
func TestMendFromOtherDocuments(t *testing.T) {
	t.Parallel()
	dir := newProject(t)
	const folder = ".quaid/context/sessions/conv-2026-11-01-001/"
	write(t, dir, folder+"recent_history.jsonl", `{"msg_id": "msg-0001", "timestamp": "2026-11-01T10:00:00Z", "agent": "ann", "role": "user", "content": "hello"}`+"\n")
	const text = `{"session_id": "conv-2026-11-01-001", "title": "API", "status": "archived", "created": "2026-11-01T10:00:00Z", "last_active": "2026-11-01T10:00:00Z", "message_count": 7, "agents": ["ann"], "topics": []}`
	e := open(t, dir, `{}`)
	const name = folder + "metadata.json"
	e.edit(name, 1, text)
	e.wait(name, func(p publishParams) bool {
		return slices.ContainsFunc(p.Diagnostics, func(d diagnostic) bool { return ruleOf(d) == "session-metadata" })
	})
	if got := e.apply(e.ask("textDocument/codeAction", e.at(name, text, "7")), "Repair", e.uri(name), text); !strings.Contains(got, `"message_count": 1`) {
		t.Errorf("got %s", got)
	}
}
