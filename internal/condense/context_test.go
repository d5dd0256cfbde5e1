package condense

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/schema"
)

// contextProject is the project of the document, and what was decided in it.
func contextProject() (Project, []schema.Decision) {
	p := Project{ProjectRecord: schema.ProjectRecord{
		ID: "starspec-wfe", Name: "StarSpec WFE Optimization", Channels: []string{"proj-starspec-wfe"},
		Phase: "Detailed design, post-CDR", Active: "Mesh convergence study on M2 mirror",
		Constraints: []string{"WFE < λ/20 at 633nm under thermal load", "Mass < 12 kg", "First mode > 150 Hz"},
	}, File: ".forgemind/projects/starspec-wfe/project.json", Context: ".forgemind/projects/starspec-wfe/CONTEXT.md"}
	decide := func(id, day, text, why string, supersedes ...string) schema.Decision {
		return schema.Decision{ID: id, Timestamp: day + "T12:00:00Z", Decision: text, Rationale: why, Channel: "proj-starspec-wfe", Supersedes: supersedes}
	}
	return p, []schema.Decision{
		decide("D-1", "2026-02-03", "Approach: Single monolithic FEM", ""),
		decide("D-2", "2026-02-05", "Material: Zerodur Class 0", ""),
		decide("D-3", "2026-02-08", "Optimizer: Optuna TPE, 15 parameters, 500 trial budget", ""),
		decide("D-4", "2026-02-10", "Approach: Assembly FEM with superposed models", "Model A fixed + Model B variable", "D-1"),
		decide("D-5", "2026-02-15", "Material: Clearceram-Z HS selected", "CTE matches Zerodur Class 0, cheaper", "D-2"),
	}
}

const contextDocument = `# Project Context: StarSpec WFE Optimization

## Current State
- Phase: Detailed design, post-CDR
- Active: Mesh convergence study on M2 mirror
- Blocked: Nothing

## Key Decisions (most recent first)
1. [2026-02-15] Material: Clearceram-Z HS selected (CTE matches Zerodur Class 0, cheaper)
2. [2026-02-10] Approach: Assembly FEM with superposed models (Model A fixed + Model B variable)
3. [2026-02-08] Optimizer: Optuna TPE, 15 parameters, 500 trial budget

## Active Constraints
- WFE < λ/20 at 633nm under thermal load
- Mass < 12 kg
- First mode > 150 Hz

## Superseded Decisions
- ~~[2026-02-05] Material: Zerodur Class 0~~ → Replaced by Material: Clearceram-Z HS selected (2026-02-15)
- ~~[2026-02-03] Approach: Single monolithic FEM~~ → Replaced by Approach: Assembly FEM with superposed models (2026-02-10)
`

// contextFresh refreshes a CONTEXT.md, and holds that a second time changes nothing.
func contextFresh(t interface {
	Helper()
	Fatalf(string, ...any)
}, src string, p Project, all []schema.Decision) (string, Refreshed) {
	t.Helper()
	var old []byte
	if src != "" {
		old = []byte(src)
	}
	out, err := RefreshContext(old, p.Name, ContextOf(p, all), nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	again, err := RefreshContext(out.Text, p.Name, ContextOf(p, all), nil)
	if err != nil || !bytes.Equal(again.Text, out.Text) {
		t.Fatalf("a second refresh: %v\n%s\nof\n%s", err, again.Text, out.Text)
	}
	return string(out.Text), out
}

// contextUnmarked is a text without the marks.
func contextUnmarked(text string) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "<!-- forgemind:")
	}), "")
}

func TestContextHasTheDocumentsForm(t *testing.T) {
	p, all := contextProject()
	text, _ := contextFresh(t, "", p, all)
	if contextUnmarked(text) != contextDocument {
		t.Errorf("got\n%s", text)
	}
}

func TestContextOfNothing(t *testing.T) {
	text, _ := contextFresh(t, "", Project{ProjectRecord: schema.ProjectRecord{Name: "Orchard"}}, nil)
	want := "# Project Context: Orchard\n\n## Current State\n- Phase: _not recorded_\n- Active: _not recorded_\n- Blocked: Nothing\n\n" +
		"## Key Decisions (most recent first)\nNone recorded.\n\n## Active Constraints\nNone recorded.\n\n## Superseded Decisions\nNone recorded.\n"
	if contextUnmarked(text) != want {
		t.Errorf("got\n%s", text)
	}
}

func TestContextMovesWhatIsSuperseded(t *testing.T) {
	p, all := contextProject()
	text, _ := contextFresh(t, "", p, all)
	all = append(all, schema.Decision{ID: "D-6", Timestamp: "2026-03-01T00:30:00+02:00", Decision: "Optimizer: CMA-ES", Supersedes: schema.IDs{"D-3"}})
	text, _ = contextFresh(t, text, p, all)
	for _, want := range []string{
		"(most recent first)\n", "\n1. [2026-02-28] Optimizer: CMA-ES\n2. [2026-02-15] ",
		"\n- ~~[2026-02-08] Optimizer: Optuna TPE, 15 parameters, 500 trial budget~~ → Replaced by Optimizer: CMA-ES (2026-02-28)\n- ~~[2026-02-05]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
}

func TestContextLeavesOtherProjectsOut(t *testing.T) {
	p := Project{ProjectRecord: schema.ProjectRecord{ID: "a", Name: "Alpha", Channels: []string{"proj-a", "#lab"}}, File: "x/a/project.json"}
	all := []schema.Decision{
		{ID: "1", Decision: "by name", Project: "ALPHA"}, {ID: "2", Decision: "by channel", Channel: "#proj-a"}, {ID: "3", Decision: "second channel", Channel: "lab"},
		{ID: "4", Decision: "another project in our channel", Channel: "lab", Project: "Beta"}, {ID: "5", Decision: "nobody's"},
		{ID: "6", Decision: "replaces ours", Supersedes: schema.IDs{"1"}}, {ID: "7", Decision: "replaces that", Supersedes: schema.IDs{"6"}},
		{ID: "8", Decision: "replaces nobody's", Supersedes: schema.IDs{"5"}},
	}
	var got []string
	for _, d := range p.decisions(schema.Current(all)) {
		got = append(got, d.ID)
	}
	if s := strings.Join(got, " "); s != "1 2 3 6 7" {
		t.Error(s)
	}
}

func contextSwap(old, new string) func(string) string {
	return func(s string) string {
		if !strings.Contains(s, old) {
			panic(old)
		}
		return strings.Replace(s, old, new, 1)
	}
}

// What is no text, or too much of it, is not refreshed.
func TestContextThatIsNotRefreshed(t *testing.T) {
	p, all := contextProject()
	for _, src := range []string{"a\x00b", "\xff\n", "x\n" + strings.Repeat("> ", 200_000), strings.Repeat("x", maxContext+1), strings.Repeat("x\n", maxContextLines+1)} {
		if _, err := RefreshContext([]byte(src), p.Name, ContextOf(p, all), nil); err == nil {
			t.Errorf("%.20q is refreshed", src)
		}
	}
}

// A stranger's texts open nothing that reaches beyond their line.
func TestContextOfHostileTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hostile := rapid.SliceOfN(rapid.SampledFrom([]string{"\n## Key Decisions\n", "```", "<!--", "-->", "- ", "# ", "~~", "1. ", "* * *", "<pre>", "a", " ", "\r", "\x1b[2J", "\u202e", "[x]: y", "===", "<!-- forgemind: key-decisions 1 000000000000 -->", "<!-- forgemind:end key-decisions -->"}), 1, 6)
		text := func(name string) string { return strings.Join(hostile.Draw(t, name), "") }
		p := Project{ProjectRecord: schema.ProjectRecord{Name: "x" + text("name"), Phase: text("phase"), Active: text("active"), Constraints: []string{text("c"), text("d")}, Channels: []string{"c"}}}
		all := []schema.Decision{{ID: "1", Decision: text("one"), Rationale: text("why"), Channel: "c"}, {ID: "2", Decision: text("two"), Channel: "c", Supersedes: schema.IDs{"1"}}}
		got, out := contextFresh(t, "", p, all)
		if len(out.Places) != 4 || out.Swallowed || strings.Count(got, "\n## ") != 4 || len(out.Notes()) > 0 {
			t.Fatalf("%+v\n%s", out.Document, got)
		}
		all = append(all, schema.Decision{ID: "3", Decision: text("three"), Channel: "c"})
		contextFresh(t, got, p, all)
	})
}
