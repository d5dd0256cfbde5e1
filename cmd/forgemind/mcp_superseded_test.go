package main

import (
	"os"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// asks returns calls of each tool for a tree with superseded decisions. A tool that is missing here
// fails the test.
func asks(ids map[string]string) map[string][]map[string]any {
	const words = "quartzalpha quartzbeta pinedelta mudcobalt strawdrum tinecho"
	return map[string][]map[string]any{
		"brief":              {{}, {"project": "orchard"}, {"max_tokens": 2400}},
		"context":            {{}, {"query": "mirrors mount walls roof door"}, {"query": words}},
		"search":             {{"query": "mirrors mount walls roof door", "limit": 30}, {"query": words, "limit": 30}, {"query": "mirrors", "in": "memory"}},
		"recover":            {{"query": words}, {"id": ids["quartzalpha"]}, {"id": ids["pinedelta"]}, {"id": "DEC-C1"}, {"id": "DEC-E1"}, {"id": ids["fragment"]}},
		"governs":            {{"path": "idea.md"}, {"path": "idea.md", "superseded": true}, {"path": "."}},
		"decision_list":      {{}, {"superseded": true}, {"id": ids["quartzalpha"]}, {"id": "DEC-D1"}},
		"work_list":          {{}},
		"session_list":       {{}, {"id": ids["before"]}},
		"status":             {{}},
		"validate":           {{}},
		"decision_add":       {{"decision": "Mirrors of silver"}},
		"decision_supersede": {{"id": ids["quartzgamma"], "decision": "Mirrors of silver"}, {"id": ids["quartzalpha"], "decision": "Mirrors of silver"}},
		"goal":               {{"action": "add", "text": "Dig"}},
		"constraint":         {{"action": "add", "text": "No frost"}},
		"question":           {{"action": "ask", "text": "Why?"}},
		"remember":           {{"text": "Frost"}, {"text": "Frost", "type": "lesson_learned"}},
		"session":            {{"action": "restore", "id": ids["before"]}, {"action": "summary"}, {"action": "archive"}, {"action": "clear"}, {"action": "new"}},
	}
}

// TestMCPShowsNothingSupersededAsCurrent asks every tool, resource and prompt for
// decisions that were superseded in every way there is.
func TestMCPShowsNothingSupersededAsCurrent(t *testing.T) {
	t.Parallel()
	root, ids := supersededTree(t)
	shown := "" // all of it
	judge := func(what, text string) {
		t.Helper()
		shown += text
		for _, line := range unmarked(text) {
			t.Errorf("%s shows, as if it held:\n%s", what, line)
		}
	}
	a := serveHere(t, root, "--allow-writes")
	tried := asks(ids)
	for _, name := range a.toolNames() {
		if tried[name] == nil {
			t.Errorf("%s is not tried: say in asks how it is", name)
		}
		for _, arguments := range tried[name] {
			dir := t.TempDir() // each call gets a new tree
			if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
				t.Fatal(err)
			}
			result := serveHere(t, dir, "--allow-writes").call(name, arguments)
			what := name + " " + encoded(t, arguments)
			judge(what, textOf(result))
			if result.StructuredContent != nil {
				judge(what, encoded(t, result.StructuredContent))
			}
		}
	}
	list, err := a.session.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list.Resources {
		read, err := a.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI})
		if err != nil {
			t.Fatal(r.URI, err)
		}
		judge(r.URI, read.Contents[0].Text)
	}
	prompts, err := a.session.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range prompts.Prompts {
		given := map[string]string{}
		for _, argument := range p.Arguments {
			given[argument.Name] = "Dig"
		}
		got, err := a.session.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name, Arguments: given})
		if err != nil {
			t.Fatal(p.Name, err)
		}
		judge(p.Name, got.Messages[0].Content.(*sdk.TextContent).Text)
	}
	for word, how := range gone {
		if !strings.Contains(shown, word) {
			t.Errorf("nothing shows %s (%s) at all, so that nothing was tried", word, how)
		}
	}
}
