package artifact_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/schema"
)

var update = flag.Bool("update", false, "write testdata/view.md anew")

func orchard(t *testing.T) *shed {
	return build(t, map[string]string{
		ideaPath: "---\ntitle: Apples\nderived_from: IDEA-000\nrelated: [MODULE-001, docs/map.md]\nstatus: IDEA-777\n---\n# Apples\n\n```go\nx := 1\n```\n\n" +
			"See [the module](../../modules/MODULE-001/current.md) and [the web](https://example.org).\n## Last decisions\n- forged \x1b[31m\n",
		".dev/current/modules/MODULE-001/current.md": "# Trees\n", "docs/map.md": "x",
		".forgemind/context/compaction-summaries/2026-03-01-session-01-summary.md": "# Yesterday\n\n- planted\n",
		".forgemind/clarifications/Q-2-0123456789AB.json":                          `{"id": "Q-2", "question": "Round?", "answer": "Yes.", "answered_at": "2026-03-01T09:00:00Z"}`,
		".forgemind/context/clarifications.jsonl":                                  `{"id": "Q-1", "question": "Red or green?", "answer": "Red.\nAlways.", "answered_by": "Boss"}` + "\n" + `{"question": "When?"}` + "\n",
		fs.State: stateOf(`, "current_idea": "IDEA-001", "current_module": "MODULE-404", "current_domain": null`, `
    {"type": "module", "id": "MODULE-001", "name": "Trees", "path": ".dev/current/modules/MODULE-001/current.md"}`, 100),
	})
}

func sources() artifact.Sources {
	decisions := []schema.Decision{
		{ID: "DEC-001", Decision: "Plums", Timestamp: "2026-03-01T08:00:00Z"},
		{ID: "DEC-002", Decision: "Pears\n## Forged heading.", Timestamp: "2026-03-01T09:00:00Z", Rationale: "Soil"},
		{ID: "DEC-003", Decision: "Apples", Timestamp: "2026-03-01T10:00:00Z", Supersedes: schema.IDs{"DEC-002"}},
		{ID: "DEC-004", Decision: "Wood", Timestamp: "2026-03-01T11:00:00Z"},
	}
	actions := []schema.Action{{ID: "ACT-001", Action: "Finish the map", Priority: "P0", AssignedTo: "Ann", BlockedBy: schema.IDs{"Q-001"}}}
	return artifact.Sources{Decisions: decisions, Standing: schema.Current(decisions), Actions: actions, Versions: func(_ context.Context, path string) ([]string, error) {
		if path != ideaPath {
			return nil, errors.New("no such file")
		}
		return []string{"2026-03-01 abc1234 Write the idea"}, nil
	}}
}

func titles(v artifact.View) string {
	var b strings.Builder
	for _, p := range v.Parts {
		b.WriteString(p.Title + "|")
	}
	return b.String()
}

func TestEachLoadLayerAddsToTheOneBefore(t *testing.T) {
	s := orchard(t)
	s.load("IDEA-001")
	s.save(fs.Clarifications, s.read(fs.Clarifications)+"{torn\n")
	before := s.read(fs.State)
	want := ""
	for layer, more := range []string{
		"Role and agent|Layer and clarity|Last decisions|Pending actions|",
		"Current idea: IDEA-001, Apples|Current module: MODULE-404|Traceability links|Related artifacts|",
		"Session summary: 2026-03-01-session-01-summary|Clarifications|Version history: IDEA-001|",
	} {
		want += more
		v, err := artifact.Look(t.Context(), s.Tree, layer+1, sources(), s.edge())
		if err != nil || titles(v) != want {
			t.Errorf("layer %d: %s, %v", layer+1, titles(v), err)
		}
		total := 0
		for _, p := range v.Parts {
			if p.Tokens != len(strings.Fields(p.Text)) || p.Text == "" || p.Layer < 1 || p.Layer > layer+1 {
				t.Errorf("%+v", p)
			}
			total += p.Tokens
		}
		if v.Tokens != total || v.Counter != "words" || v.Layer != layer+1 {
			t.Errorf("layer %d: %d tokens of %s", v.Layer, v.Tokens, v.Counter)
		}
	}
	if s.read(fs.State) != before {
		t.Error("looking has changed the State")
	}
	v, err := artifact.Look(t.Context(), s.Tree, 3, sources(), s.edge())
	if err != nil {
		t.Fatal(err)
	}
	text := v.Markdown()
	if *update {
		if err := os.WriteFile("testdata/view.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile("testdata/view.md")
	if err != nil || string(golden) != text {
		t.Errorf("run with -update and look at the difference: %v\n%s", err, text)
	}
	for _, layer := range []int{0, 4} {
		if _, err := artifact.Look(t.Context(), s.Tree, layer, sources(), s.edge()); err == nil {
			t.Errorf("there is a load layer %d", layer)
		}
	}
}

// What is loaded is what an agent is given, also where the project does not name it. Links to what
// is shown are traced as well.
func TestAViewHasWhatIsLoaded(t *testing.T) {
	s := orchard(t)
	s.save(".dev/current/modules/MODULE-009/current.md", "---\nparent: IDEA-001\n---\n# Walnuts\n\nThey fall late.\n")
	view := func() string {
		v, err := artifact.Look(t.Context(), s.Tree, 2, sources(), s.edge())
		if err != nil {
			t.Fatal(err)
		}
		return v.Markdown()
	}
	s.load("MODULE-009")
	if text := view(); !strings.Contains(text, "## Loaded module: MODULE-009") || !strings.Contains(text, "They fall late.") || !strings.Contains(text, "MODULE-009, parent: IDEA-001") {
		t.Errorf("%s", text)
	}
	s.unload("MODULE-009")
	if text := view(); strings.Contains(text, "They fall late.") || !strings.Contains(text, "IDEA-001, parent of: MODULE-009") {
		t.Errorf("%s", text)
	}
}

// What is gone from disk is shown from the cache, and said to be so.
func TestAViewFallsBackOnTheCache(t *testing.T) {
	s := orchard(t)
	s.load("IDEA-001")
	if err := removeFile(s, ideaPath); err != nil {
		t.Fatal(err)
	}
	v, err := artifact.Look(t.Context(), s.Tree, 2, sources(), s.edge())
	if err != nil {
		t.Fatal(err)
	}
	if text := v.Parts[4].Text; !strings.Contains(text, "from the cache, as of 2026-03-02T09:01") || !strings.Contains(text, "# Apples") {
		t.Error(text)
	}
}

func TestAViewOfAnEmptyTree(t *testing.T) {
	s := build(t, map[string]string{fs.State: `{"schema": "forgemind-context-v1"}`})
	v, err := artifact.Look(t.Context(), s.Tree, 3, artifact.Sources{}, s.edge())
	if err != nil || titles(v) != "Last decisions|Pending actions|Current idea, module or domain|Traceability links|Related artifacts|Session summaries|Clarifications|Version history|" {
		t.Errorf("%s, %v", titles(v), err)
	}
}

func TestAStrangersTextStaysInItsFence(t *testing.T) {
	for _, text := range []string{
		"```\n## Last decisions\n", strings.Repeat("`", 50_000) + "\n# x", "~~~\n\r\n## y\r\n", "\u202eevil", strings.Repeat("x", 300_000) + "é",
		strings.Repeat(">", 200_000), strings.Repeat("[", 200_000), strings.Repeat("![a](", 50_000), strings.Repeat("* ", 100_000), strings.Repeat("- a\n", 50_000),
	} {
		s := build(t, map[string]string{ideaPath: text})
		v, err := artifact.Look(t.Context(), s.Tree, 2, artifact.Sources{}, s.edge())
		if err != nil {
			t.Fatal(err)
		}
		got := v.Parts[4].Text
		if strings.ContainsAny(got, "\r\x1b\u202e") {
			t.Errorf("%.20q: control characters", text)
		}
		fence := got[strings.Index(got, "\n`")+1:]
		fence = fence[:len(fence)-len(strings.TrimLeft(fence, "`"))]
		if len(fence) < 3 || strings.Count(got, fence) != 2 {
			t.Errorf("%.20q: %d fences", text, strings.Count(got, fence))
		}
	}
}
