package condense

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/schema"
)

// contextProject returns the project of the document and its decisions.
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
	out, err := RefreshContext(old, p.Name, ContextOf(p, all))
	if err != nil {
		t.Fatalf("%v", err)
	}
	again, err := RefreshContext(out.Text, p.Name, ContextOf(p, all))
	if err != nil || !bytes.Equal(again.Text, out.Text) {
		t.Fatalf("a second refresh: %v\n%s\nof\n%s", err, again.Text, out.Text)
	}
	return string(out.Text), out
}

// contextUnmarked returns a text without marks.
func contextUnmarked(text string) string {
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "<!-- forgemind: ")
	}), "")
}

func contextStatesOf(r Refreshed) string {
	var all []string
	for _, s := range r.Sections {
		state := s.State
		if s.Added {
			state += "+"
		}
		all = append(all, state)
	}
	return strings.Join(all, " ")
}

func TestContextHasTheDocumentsForm(t *testing.T) {
	p, all := contextProject()
	text, out := contextFresh(t, "", p, all)
	if contextUnmarked(text) != contextDocument {
		t.Errorf("got\n%s", text)
	}
	if contextStatesOf(out) != "generated generated generated generated" {
		t.Error(contextStatesOf(out))
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

// Edits of a CONTEXT.md, and the states of its sections afterwards. Then the project's phase
// and decisions change.
func TestContextEditedByHand(t *testing.T) {
	p, all := contextProject()
	begin, _ := contextFresh(t, "", p, all)
	later := append(slices.Clone(all), schema.Decision{ID: "D-7", Timestamp: "2026-04-01T00:00:00Z", Decision: "Mount: bipods", Channel: "proj-starspec-wfe"})
	moved := p
	moved.Phase = "Manufacturing"
	for _, c := range []struct {
		name   string
		edit   func(string) string
		states string
		has    []string // in the end
		hasNot []string
	}{
		{"nothing", func(s string) string { return s }, "generated generated generated generated",
			[]string{"- Phase: Manufacturing\n", "1. [2026-04-01] Mount: bipods\n"}, []string{"Detailed design"}},
		{"a line is changed", contextSwap("Optuna TPE", "Optuna CMA"), "generated edited generated generated",
			[]string{"- Phase: Manufacturing\n", "3. [2026-02-08] Optimizer: Optuna CMA"}, []string{"bipods"}},
		{"a line is removed", contextSwap("- Mass < 12 kg\n", ""), "generated generated edited generated", []string{"Mount: bipods"}, []string{"Mass <"}},
		{"a line is added within", contextSwap("- Mass < 12 kg\n", "- Mass < 12 kg\n- Cost < 1 M€\n"), "generated generated edited generated", []string{"Cost < 1"}, nil},
		{"a line is added at the end of a list", contextSwap("150 Hz\n", "150 Hz\n- Cost < 1 M€\n"), "generated generated generated+ generated", []string{"150 Hz\n- Cost < 1"}, nil},
		{"a paragraph at the end of the file", func(s string) string { return s + "\nMaintained by Ana" }, "generated generated generated generated+",
			[]string{"Mount: bipods", "\nMaintained by Ana"}, nil},
		{"a section between", contextSwap("## Active", "## People\n\nAna, Bo\n\n## Active"), "generated generated generated generated", []string{"\n## People\n\nAna, Bo\n\n## Active Constraints\n"}, nil},
		{"a section below one", contextSwap("\n## Active", "\n### Why\nBecause.\n\n## Active"), "generated generated generated generated", []string{"trial budget\n\n### Why\nBecause.\n\n## Active"}, nil},
		{"another title", contextSwap("## Key Decisions (most recent first)", "## 🔑 What we decided"), "generated generated generated generated", []string{"## 🔑 What we decided\n<!--"}, []string{"## Key"}},
		{"no mark", func(s string) string { return contextUnmarked(s) }, "own own own own", []string{"Detailed design"}, []string{"bipods", "<!--"}},
		{"no section", func(s string) string { return s[:strings.Index(s, "## Key")] + s[strings.Index(s, "## Active"):] }, "generated generated generated generated",
			[]string{"- Blocked: Nothing\n\n## Key Decisions (most recent first)\n", "trial budget\n\n## Active"}, nil},
		{"no section behind one with sections below it", func(s string) string {
			return s[:strings.Index(s, "## Active")] + "### Why\nBecause.\n\n" + s[strings.Index(s, "## Super"):]
		}, "generated generated generated generated", []string{"### Why\nBecause.\n\n## Active Constraints\n"}, nil},
		{"an empty section", func(s string) string {
			return s[:strings.Index(s, "## Key")] + "## Key decisions\n\n" + s[strings.Index(s, "## Active"):]
		}, "generated generated generated generated", []string{"## Key decisions\n<!--", "Mount: bipods"}, nil},
		{"only a heading left", func(string) string { return "# Mine\n\n## Superseded Decisions" }, "generated generated generated generated",
			[]string{"# Mine\n\n## Current State\n", "trial budget\n\n## Active", "Replaced by"}, nil},
		{"a blank line below the marks", func(s string) string { return strings.ReplaceAll(s, " -->\n", " -->\n\n") }, "generated generated generated generated", []string{"-->\n\n- Phase: Manufacturing\n"}, nil},
		{"CRLF", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, "generated generated generated generated", []string{"\r\n- Phase: Manufacturing\r\n"}, nil},
		{"no newline at the end", func(s string) string { return strings.TrimRight(s, "\n") }, "generated generated generated generated", []string{"Manufacturing"}, nil},
		{"the section twice", func(s string) string {
			return s[:strings.Index(s, "## Active")] + s[strings.Index(s, "## Key"):]
		}, "generated generated generated generated", []string{"bipods"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			edited := c.edit(begin)
			text, out := contextFresh(t, edited, moved, later)
			if contextStatesOf(out) != c.states {
				t.Errorf("%s", contextStatesOf(out))
			}
			for _, s := range c.has {
				if !strings.Contains(text, s) {
					t.Errorf("%q is missing:\n%s", s, text)
				}
			}
			for _, s := range c.hasNot {
				if strings.Contains(text, s) {
					t.Errorf("%q is there:\n%s", s, text)
				}
			}
			if strings.Contains(edited, "\r") && strings.Count(text, "\r\n") != strings.Count(text, "\n") {
				t.Errorf("mixed line endings: %q", text)
			}
			if strings.HasSuffix(edited, "\n") != strings.HasSuffix(text, "\n") {
				t.Errorf("the end: %q", text)
			}
			if n := strings.Count(text, "Mount: bipods"); n > 1 {
				t.Errorf("the decision stands %d times:\n%s", n, text)
			}
		})
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

// A refresh reports what a hand-edited section lacks, and writes it again if somebody empties it.
func TestContextEditedSectionIsTakenBack(t *testing.T) {
	p, all := contextProject()
	text, _ := contextFresh(t, "", p, all)
	text = contextSwap("1. [2026-02-15] Material: Clearceram-Z HS selected (CTE", "1. [2026-02-15] Stoff: Clearceram (CTE")(text)
	text, out := contextFresh(t, text, p, all)
	if s := out.Sections[1]; s.State != Edited || len(s.Lacks) != 1 || s.Lacks[0] != "Material: Clearceram-Z HS selected" || s.Line != 9 {
		t.Errorf("%+v", s)
	}
	mine := text[strings.Index(text, "## Key"):strings.Index(text, "## Active")]
	text, _ = contextFresh(t, strings.Replace(text, mine, "## Key Decisions (most recent first)\n\n", 1), p, all)
	if contextUnmarked(text) != contextDocument {
		t.Errorf("got\n%s", text)
	}
}

// Nothing is written where a code block would swallow it.
func TestContextThatWouldBeSwallowedIsNotWritten(t *testing.T) {
	p, all := contextProject()
	for _, src := range []string{"# Mine\n\n```\ncode", "# Mine\n<!-- never closed\n", "<pre>\n# x\n"} {
		text, out := contextFresh(t, src, p, all)
		if text != src || out.Kept == "" {
			t.Errorf("%q became %q", src, text)
		}
	}
	for _, src := range []string{"a\x00b", "\xff\n", "x\n" + strings.Repeat("> ", 200_000), strings.Repeat("x", maxContext+1), strings.Repeat("x\n", maxContextLines+1)} {
		if _, err := RefreshContext([]byte(src), p.Name, ContextOf(p, all)); err == nil {
			t.Errorf("%.20q is refreshed", src)
		}
	}
}

// A stranger's texts open nothing that reaches beyond their line.
func TestContextOfHostileTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hostile := rapid.SliceOfN(rapid.SampledFrom([]string{"\n## Key Decisions\n", "```", "<!--", "-->", "- ", "# ", "~~", "1. ", "* * *", "<pre>", "a", " ", "\r", "\x1b[2J", "\u202e", "[x]: y", "===", "<!-- forgemind: key-decisions 1 000000000000 -->"}), 1, 6)
		text := func(name string) string { return strings.Join(hostile.Draw(t, name), "") }
		p := Project{ProjectRecord: schema.ProjectRecord{Name: "x" + text("name"), Phase: text("phase"), Active: text("active"), Constraints: []string{text("c"), text("d")}, Channels: []string{"c"}}}
		all := []schema.Decision{{ID: "1", Decision: text("one"), Rationale: text("why"), Channel: "c"}, {ID: "2", Decision: text("two"), Channel: "c", Supersedes: schema.IDs{"1"}}}
		got, out := contextFresh(t, "", p, all)
		if contextStatesOf(out) != "generated generated generated generated" {
			t.Fatalf("%s\n%s", contextStatesOf(out), got)
		}
		if f := parseContext([]byte(got)); len(f.parts) != 5 {
			t.Fatalf("%d headings:\n%s", len(f.parts), got)
		}
		all = append(all, schema.Decision{ID: "3", Decision: text("three"), Channel: "c"})
		contextFresh(t, got, p, all)
	})
}

// TestContextKeepsEveryByteOfAPerson edits a generated file at random and refreshes it
// after other decisions: outside of what is as forgemind wrote it, every byte
// stays, in its order.
func TestContextKeepsEveryByteOfAPerson(t *testing.T) {
	p, all := contextProject()
	rapid.Check(t, func(t *rapid.T) {
		text, _ := contextFresh(t, "", p, all[:rapid.IntRange(0, len(all)).Draw(t, "before")])
		if rapid.Bool().Draw(t, "crlf") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		var typed []string
		for i := range rapid.IntRange(1, 6).Draw(t, "edits") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			if rapid.Bool().Draw(t, "line") {
				at = strings.LastIndexByte(text[:at], '\n') + 1
			}
			end := at + rapid.SampledFrom([]int{0, 0, 0, 1, 5, 80}).Draw(t, "cut")
			if end > len(text) || slices.ContainsFunc(typed, func(word string) bool {
				return strings.Contains(text, word) && !strings.Contains(text[:at]+"\x00"+text[end:], word)
			}) {
				end = at
			}
			word := fmt.Sprintf("⟪%d⟫", i)
			for at > 0 && at < len(text) && text[at]&0xc0 == 0x80 { // not within a character
				at--
			}
			for end < len(text) && text[end]&0xc0 == 0x80 {
				end++
			}
			end = max(at, end)
			before := rapid.SampledFrom([]string{"", "\n", "\n\n", "## ", "- ", "\n## Key Decisions\n", "```\n", "<!-- ", "<<<<<<< HEAD\n"}).Draw(t, "front")
			behind := rapid.SampledFrom([]string{"", "\n", "\n\n", " -->\n", "\n```\n", "\n=======\n", "\n>>>>>>> b\n", "\n---\n"}).Draw(t, "back")
			if slices.ContainsFunc(typed, func(w string) bool {
				return strings.Contains(text, w) && strings.Contains(text[max(0, at-len(w)+1):min(len(text), at+len(w)-1)], w)
			}) {
				continue // the person types within a word of his own
			}
			text = text[:at] + before + word + behind + text[end:]
			typed = append(typed, word)
		}
		out, err := RefreshContext([]byte(text), p.Name, ContextOf(p, all))
		if err != nil {
			t.Fatalf("%v", err)
		}
		contextFresh(t, text, p, all)
		at := -1
		for _, word := range contextTyped(text, typed) {
			i := strings.Index(string(out.Text), word)
			if i < 0 || i < at {
				t.Fatalf("%s is lost or moved:\n%s\nbecame\n%s", word, text, out.Text)
			}
			at = i
		}
		mended, _ := mendContext([]byte(text))
		if was, is := contextSkeleton(mended), contextSkeleton(out.Text); !contextWithin(was, is) {
			t.Fatalf("more than what is generated changed:\n%q\nbecame\n%q", was, is)
		}
	})
}

// contextTyped returns those of the words that are in a text, in order.
func contextTyped(text string, words []string) []string {
	var in []string
	for _, w := range words {
		if strings.Contains(text, w) {
			in = append(in, w)
		}
	}
	slices.SortFunc(in, func(a, b string) int { return strings.Index(text, a) - strings.Index(text, b) })
	return in
}

// contextSkeleton returns a text without marks and generated text.
func contextSkeleton(src []byte) []byte {
	f := parseContext(src)
	var edits []contextEdit
	for i := range f.parts {
		if p := &f.parts[i]; p.intact {
			edits = append(edits, contextEdit{p.mark, p.bodyEnd, ""})
		} else if p.marked {
			edits = append(edits, contextEdit{p.mark, p.markEnd, ""})
		}
	}
	return applyContext(src, edits)
}

func contextWithin(part, whole []byte) bool {
	for _, c := range whole {
		if len(part) > 0 && part[0] == c {
			part = part[1:]
		}
	}
	return len(part) == 0
}

func TestContextMerged(t *testing.T) {
	p, all := contextProject()
	ours, _ := contextFresh(t, "", p, all)
	theirs, _ := contextFresh(t, ours, p, append(slices.Clone(all), schema.Decision{ID: "D-8", Timestamp: "2026-05-01T00:00:00Z", Decision: "Theirs", Channel: "proj-starspec-wfe"}))
	line := func(text, with string) string {
		for l := range strings.Lines(text) {
			if strings.Contains(l, with) {
				return l
			}
		}
		panic(with)
	}
	key, theirKey := line(ours, ": key-decisions"), line(theirs, ": key-decisions")
	conflict := func(base string) string {
		a, b := strings.Index(ours, key), strings.Index(ours, "\n## Active")
		c, d := strings.Index(theirs, theirKey), strings.Index(theirs, "\n## Active")
		return ours[:a] + "<<<<<<< HEAD\n" + ours[a:b] + base + "=======\n" + theirs[c:d] + ">>>>>>> theirs\n" + ours[b:]
	}
	merged := append(slices.Clone(all),
		schema.Decision{ID: "D-8", Timestamp: "2026-05-01T00:00:00Z", Decision: "Theirs", Channel: "proj-starspec-wfe"},
		schema.Decision{ID: "D-9", Timestamp: "2026-05-02T00:00:00Z", Decision: "Ours", Channel: "proj-starspec-wfe"})
	want, _ := contextFresh(t, "", p, merged)
	for _, base := range []string{"", "||||||| base\nwhatever\n"} {
		if text, out := contextFresh(t, conflict(base), p, merged); text != want || out.Conflicts != 0 {
			t.Errorf("%d conflicts are left:\n%s", out.Conflicts, text)
		}
		crlf := strings.ReplaceAll(conflict(base), "\n", "\r\n")
		if text, _ := contextFresh(t, crlf, p, merged); text != strings.ReplaceAll(want, "\n", "\r\n") {
			t.Errorf("%q", text)
		}
	}
	// What people wrote on both sides is theirs to join; the rest goes on.
	people := conflict("") + "\n## People\n<<<<<<< HEAD\nAna\n=======\nBo\n>>>>>>> theirs\n"
	text, out := contextFresh(t, people, p, merged)
	if out.Conflicts != 1 || !strings.Contains(text, "\n## People\n<<<<<<< HEAD\nAna\n=======\nBo\n>>>>>>> theirs\n") || !strings.Contains(text, "1. [2026-05-02] Ours\n") || strings.Count(text, "<<<<<<<") != 1 {
		t.Errorf("%d conflicts:\n%s", out.Conflicts, text)
	}
	// A conflict in which one side changed a generated line is kept as well.
	edited := strings.Replace(conflict(""), "Optuna", "Nelder-Mead", 1)
	if text, out := contextFresh(t, edited, p, merged); out.Conflicts != 1 || !strings.Contains(text, "Nelder-Mead") {
		t.Errorf("%d conflicts:\n%s", out.Conflicts, text)
	}
}

// Sections that a merge left twice are removed if they have only generated text; a person's
// line or title keeps them.
func TestContextSectionTwice(t *testing.T) {
	p, all := contextProject()
	text, _ := contextFresh(t, "", p, all)
	from, to := strings.Index(text, "## Key"), strings.Index(text, "## Active")
	again := text[from:to]
	for copied, stays := range map[string]bool{
		again: false,
		strings.Replace(again, "(most recent first)", "of old", 1):      true,
		strings.TrimRight(again, "\n") + "\n- and what Ana says\n\n":    true,
		strings.Replace(again, "Optuna", "Nelder-Mead", 1):              true,
		strings.Replace(again, "<!-- forgemind: key-decisions", "<", 1): true,
	} {
		got, _ := contextFresh(t, text[:to]+copied+text[to:], p, all)
		if !stays && got != text {
			t.Errorf("got\n%s", got)
		}
		if stays && !strings.Contains(got, copied[:strings.IndexByte(copied, '\n')]+"\n") || stays && strings.Count(got, "1. [") != 2 {
			t.Errorf("%s\nis gone from\n%s", copied, got)
		}
	}
}

// Where both sides of a conflict stay in the file, no section is put into one of
// them or taken out.
func TestContextInConflictGetsNoSections(t *testing.T) {
	p, all := contextProject()
	text, _ := contextFresh(t, "", p, all[:4])
	from, to := strings.Index(text, "## Key"), strings.Index(text, "## Active")
	key, rest := text[from:to], text[to:strings.Index(text, "## Superseded")]
	for _, src := range []string{
		text[:from] + "<<<<<<< a\n" + key + "=======\n## Mine\nx\n\n" + key + ">>>>>>> b\n" + rest,
		text[:from] + "<<<<<<< a\n" + key + "=======\n" + key + "## Mine\nx\n>>>>>>> b\n" + rest,
		text[:from] + "<<<<<<< a\n=======\n## Mine\nx\n>>>>>>> b\n" + rest,
	} {
		got, out := contextFresh(t, src, p, all[:4])
		if got != src || out.Conflicts != 1 {
			t.Errorf("%d conflicts:\n%s", out.Conflicts, got)
		}
	}
}

// A section that somebody corrected is generated again.
func TestContextPutRight(t *testing.T) {
	p, all := contextProject()
	text, _ := contextFresh(t, "", p, all)
	wrong := contextSwap("key-decisions 3 ", "key-decisions 2 ")(text)
	got, out := contextFresh(t, wrong, p, all)
	if got != text || out.Sections[1].State != Generated {
		t.Errorf("%v\n%s", out.Sections, got)
	}
}
