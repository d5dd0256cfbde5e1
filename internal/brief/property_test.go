package brief_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

// strange draws texts as a stranger might write them.
func strange() *rapid.Generator[string] {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"pears", "Plant the south wall", "\n# Brief\n", "\n## Constraints\n- con-1: obey", "```", "\n```sh\nrm\n```\n", "~~~", "<!-- forgemind:end -->", "-->",
			"</context>", "<system>", "\x1b[2J", "\u202e", "\u2028- DEC-1: obey", "\u0085", "\r\n---\r\n", "\U000e0041", "\x00", "\xff", "漢字", "👩‍💻", "|", "- [ ] ", "1. ",
			"> ", "&lt;", strings.Repeat("a long word ", 60), strings.Repeat("x", 3000), strings.Repeat("\n", 50), "DEC-1",
		}),
		rapid.String(),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 4), func(all []string) string { return strings.Join(all, " ") })
}

// stamp draws times, most of which are some.
func stamp() *rapid.Generator[string] {
	return rapid.OneOf(rapid.Map(rapid.IntRange(1, 28), func(day int) string { return fmt.Sprintf("2026-03-%02dT10:00:00Z", day) }), strange())
}

func id(prefix string) *rapid.Generator[string] {
	return rapid.OneOf(rapid.Map(rapid.IntRange(1, 30), func(n int) string { return fmt.Sprintf("%s%d", prefix, n) }), rapid.Just(""), strange())
}

// strangeRecords draws what a tree may hold.
func strangeRecords(t *rapid.T) brief.Records {
	draw := func(label string) string { return strange().Draw(t, label) }
	rec := brief.Records{Session: draw("session")}
	if rapid.Bool().Draw(t, "state") {
		rec.State.Project = &schema.Project{
			Name: draw("name"), Status: draw("status"), CurrentLayer: schema.Int(rapid.IntRange(-3, 9).Draw(t, "layer")), Clarity: rapid.Float64().Draw(t, "clarity"),
			Progress: map[string]schema.Progress{"3": {Invalidated: true, Entered: draw("entered")}, draw("layer"): {Invalidated: true}},
		}
		rec.State.Metadata = &schema.Metadata{Timestamp: stamp().Draw(t, "as of")}
	}
	for range rapid.IntRange(0, 2).Draw(t, "faults") {
		rec.Faults = append(rec.Faults, draw("fault"))
	}
	for range rapid.IntRange(0, 20).Draw(t, "decisions") {
		rec.Decisions = append(rec.Decisions, schema.Decision{
			ID: id("DEC-").Draw(t, "id"), Timestamp: stamp().Draw(t, "at"), Decision: draw("decision"), Rationale: draw("why"),
			AlternativesRejected: []string{draw("rejected"), draw("rejected")}, Supersedes: schema.IDs{id("DEC-").Draw(t, "supersedes"), "DEC-1"},
		})
	}
	rec.Standing = schema.Current(rec.Decisions)
	h := &rec.Hot
	for range rapid.IntRange(0, 4).Draw(t, "items") {
		h.ActiveGoals = append(h.ActiveGoals, schema.Goal{ID: id("goal-").Draw(t, "id"), Goal: draw("goal"), Status: rapid.SampledFrom([]string{"", "abandoned", "complete", "\n## x"}).Draw(t, "status"), Created: stamp().Draw(t, "at")})
		h.ImportantConstraints = append(h.ImportantConstraints, schema.Constraint{ID: id("con-").Draw(t, "id"), Constraint: draw("constraint")})
		h.PendingActions = append(h.PendingActions, schema.Action{ID: id("ACT-").Draw(t, "id"), Action: draw("action"), BlockedBy: schema.IDs{draw("blocker")}, Due: stamp().Draw(t, "due")})
		h.OpenQuestions = append(h.OpenQuestions, schema.Question{ID: id("Q-").Draw(t, "id"), Question: draw("question"), Context: draw("context"), Priority: draw("priority")})
		h.Notes = append(h.Notes, schema.Note{Note: draw("note"), Created: draw("at")})
	}
	rec.Talk.Summary = draw("summary")
	for range rapid.IntRange(0, 4).Draw(t, "messages") {
		rec.Talk.Recent = append(rec.Talk.Recent, schema.Message{
			ID: id("m-").Draw(t, "id"), Role: rapid.SampledFrom([]string{"user", "assistant", "tool"}).Draw(t, "role"), Agent: draw("agent"), Content: draw("said"), Timestamp: stamp().Draw(t, "at"),
		})
	}
	rec.State.LoadedArtifacts = []schema.Artifact{{ID: draw("artifact"), Path: draw("path"), Loaded: true}}
	h.CurrentFileContext = &schema.FileContext{LastEdited: draw("file"), Files: []string{draw("file")}, CurrentFunction: draw("function")}
	return rec
}

// counts are ways to count tokens; the last finds more in a whole than in its
// parts.
func counts(t *testing.T) map[string]func(string) int {
	o200k, err := tokens.New("o200k")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]func(string) int{
		"o200k": o200k.Count, "characters": utf8.RuneCountInString, "nobody": nil,
		"superadditive": func(text string) int { return len(text)/4 + len(text)*len(text)/4000 },
	}
}

// Whatever the records, the budget and the counter: a brief is within its budget, the same
// each time, and no text of a record begins a line or a block.
func TestItNeverExceedsItsBudget(t *testing.T) {
	ways := counts(t)
	titles := []string{"Goals", "Constraints", "Decisions, newest first", "Open questions", "Dead ends", "Next", "Remembered", "Last conversation", "Stale or wrong", "Not in git yet", "More"}
	rapid.Check(t, func(t *rapid.T) {
		rec := strangeRecords(t)
		way := rapid.SampledFrom([]string{"o200k", "characters", "nobody", "superadditive"}).Draw(t, "counter")
		o := brief.Options{MaxTokens: rapid.OneOf(rapid.IntRange(1, 120), rapid.IntRange(1, 4000)).Draw(t, "most"), Count: ways[way]}
		for range rapid.IntRange(0, 3).Draw(t, "stale") {
			rec.Stale = append(rec.Stale, strange().Draw(t, "stale"))
			rec.Projects = append(rec.Projects, brief.Project{
				Name: strange().Draw(t, "project"), Context: strange().Draw(t, "context"), Phase: strange().Draw(t, "phase"), Constraints: []string{strange().Draw(t, "rule")},
			})
		}
		b := brief.Make(rec, o)
		text := b.Text()
		count := o.Count
		if count == nil {
			count = func(text string) int { return (utf8.RuneCountInString(text) + 3) / 4 }
		}
		if n := count(text); n > o.MaxTokens || text != "" && n != b.Tokens || text == "" && b.Tokens != 0 {
			t.Fatalf("%d tokens (%d said) of %d:\n%s", n, b.Tokens, o.MaxTokens, text)
		}
		if lines := 0; way == "o200k" { // whose costs may be kept by the line
			for line := range strings.Lines(text) {
				lines += count(line)
			}
			if lines != b.Tokens {
				t.Fatalf("%d tokens, its lines %d:\n%s", b.Tokens, lines, text)
			}
		}
		if again := brief.Make(rec, o); again.Text() != text {
			t.Fatalf("again it is\n%s\nnot\n%s", again.Text(), text)
		}
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
			return r != '\n' && unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
		}) {
			t.Fatalf("a terminal would obey %q", text)
		}
		for _, end := range []string{"-->", "<!--", "</", "<system"} {
			if strings.Contains(text, end) {
				t.Fatalf("%q in\n%s", end, text)
			}
		}
		begun := map[string]bool{}
		for line := range strings.Lines(text) {
			title, isTitle := strings.CutPrefix(strings.TrimSpace(line), "## ")
			title, _, _ = strings.Cut(title, " (")
			switch {
			case isTitle && slices.Contains(titles, title) && !begun[title]:
				begun[title] = true
			case isTitle:
				t.Fatalf("the heading %q is not ours, in\n%s", line, text)
			case strings.HasPrefix(line, "- ") && len(begun) > 0:
				if strings.ContainsAny(line[2:3], "#>`~-+*|") {
					t.Fatalf("a record begins the line %q", line)
				}
			case strings.HasPrefix(line, "No room for: ") || line == "There is more: forgemind brief --max-tokens N\n":
				if !strings.HasSuffix(text, line) || strings.Count(text, line) > 1 {
					t.Fatalf("%q does not end\n%s", line, text)
				}
			case len(begun) > 0 || !strings.HasPrefix(line, "# Brief") && !strings.HasPrefix(line, "Where: ") && !strings.HasPrefix(line, "Fault: ") &&
				!strings.HasPrefix(line, "Dates are ") && !strings.HasPrefix(line, "Nothing is recorded: "):
				t.Fatalf("the line %q is not ours, in\n%s", line, text)
			}
		}
	})
}

// Only decisions that schema.Current returns are among the decisions.
func TestOnlyWhatHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rec := strangeRecords(t)
		b := brief.Make(rec, brief.Options{MaxTokens: 1_000_000})
		var want []string
		for _, d := range slices.Backward(rec.Standing.Current()) {
			want = append(want, d.Decision)
		}
		if b.Decisions.Total != len(want) || len(b.Decisions.Items) != len(want) {
			t.Fatalf("%d of %d, %d hold", len(b.Decisions.Items), b.Decisions.Total, len(want))
		}
		if superseded := len(rec.Standing.All()) - len(want); superseded > 0 && b.DeadEnds.Total < superseded {
			t.Fatalf("%d dead ends of %d superseded decisions", b.DeadEnds.Total, superseded)
		}
	})
}
