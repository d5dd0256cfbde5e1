package memory_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/templates"
)

const notes = ".forgemind/memory/ann-notes.md"

// annPage returns the notes of ann with an entry, and prose with the given texts.
func annPage(t testing.TB, section string, texts ...string) memory.Page {
	t.Helper()
	template, err := templates.MemoryNote("ann-notes.md")
	if err != nil {
		t.Fatal(err)
	}
	entry := memory.Entry{Type: "task", Agent: "ann", Text: "Measure the latency", Time: "2026-03-02T09:00:00Z", Rationale: "Clients complain"}
	p := memory.Page{Name: notes, Template: template, Records: []memory.Record{
		{Entry: entry, Note: notes, Section: "Active tasks", Fact: records.Record{ID: "note-1", Base: records.Members{}}},
	}}
	for i, text := range texts {
		p.Records = append(p.Records, memory.Record{
			Entry: memory.Entry{Text: text}, Note: notes, Section: section, Prose: true, Fact: records.Record{ID: fmt.Sprint("prose-", i+1)},
		})
	}
	return p
}

func render(t testing.TB, p memory.Page, src []byte) []byte {
	t.Helper()
	out, err := p.Render(src)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What somebody writes beside the entries becomes one record for a section, and a clone
// that has the records alone shows it.
func TestEditsOfAPage(t *testing.T) {
	for name, step := range map[string]struct {
		texts    []string
		old, new string // what is replaced in the rendering
		want     string
	}{
		"a paragraph":        {nil, "## Lessons learned\n", "## Lessons learned\n\nFrost comes early.\n", "+Lessons learned: ## Lessons learned||Frost comes early."},
		"a section":          {nil, "## Lessons learned\n", "## Lessons learned\n\n## Rules\n\n- Be kind\n- Rest\n", "+Rules: ## Rules||- Be kind|- Rest"},
		"below the title":    {nil, "# Ann notes\n", "# Ann notes\n\nHello.\n", "+: # Ann notes||Hello."},
		"an item of a list":  {nil, "  - Rationale: Clients complain\n", "  - Rationale: Clients complain\n- Call Bob\n", "+Active tasks: ## Active tasks||- Call Bob"},
		"blank lines":        {[]string{"## Lessons learned\n\nOne.\n\nTwo."}, "One.\n\nTwo.", "One.\n\n\n\nTwo.", ""},
		"a box is ticked":    {nil, "- 2026-03-02T09:00:00Z", "- [x] 2026-03-02T09:00:00Z", ""},
		"a text is changed":  {[]string{"## Lessons learned\n\nOne."}, "One.", "Two.", "~prose-1: ## Lessons learned||Two."},
		"a text is added":    {[]string{"## Lessons learned\n\nOne."}, "One.", "One.\n\nTwo.", "+Lessons learned: ## Lessons learned||Two."},
		"one in front":       {[]string{"## Lessons learned\n\nOne."}, "One.", "Zero.\n\nOne.", "~prose-1: ## Lessons learned||Zero.||One."},
		"an item is added":   {[]string{"## Lessons learned\n\n- One"}, "- One\n", "- One\n- Two\n", "+Lessons learned: ## Lessons learned||- Two"},
		"a text is removed":  {[]string{"## Lessons learned\n\nOne."}, "One.\n", "", "-prose-1"},
		"the first of two":   {[]string{"## Lessons learned\n\nOne.", "## Lessons learned\n\nTwo."}, "One.\n\n", "", "-prose-1"},
		"the second changed": {[]string{"## Lessons learned\n\nOne.", "## Lessons learned\n\nTwo."}, "Two.", "2.", "~prose-2: ## Lessons learned||2."},
		"between two":        {[]string{"## Lessons learned\n\nOne.", "## Lessons learned\n\nTwo."}, "One.\n", "One.\n\n1.5\n", "~prose-2: ## Lessons learned||1.5||Two."},
		"with its heading":   {[]string{"## Lessons learned\n\nOne."}, "## Lessons learned\n\nOne.\n", "", "-prose-1"},
		"another heading":    {[]string{"## Lessons learned\n\nOne."}, "## Lessons learned", "## 🍐 Lessons learned", "~prose-1: ## 🍐 Lessons learned||One."},
	} {
		t.Run(name, func(t *testing.T) {
			p := annPage(t, "Lessons learned", step.texts...)
			base := render(t, p, p.Template)
			if !bytes.Contains(base, []byte(step.old)) {
				t.Fatalf("the rendering lacks %q:\n%s", step.old, base)
			}
			src := bytes.Replace(base, []byte(step.old), []byte(step.new), 1)
			edits, err := p.Edits(src, base)
			if err != nil {
				t.Fatal(err)
			}
			if got := told(edits); got != step.want {
				t.Fatalf("edits %q, want %q\n%s", got, step.want, src)
			}
			after := p.With(edits)
			if out := render(t, after, src); !bytes.Equal(out, src) {
				t.Errorf("what was edited is rendered as\n%s\nnot\n%s", out, src)
			}
			clone := render(t, after, after.Template)
			if more, err := after.Edits(clone, nil); err != nil || len(more) > 0 {
				t.Errorf("a rendering is read back as %q, %v", told(more), err)
			}
			if step.new != "" && !bytes.Contains(bytes.ReplaceAll(clone, []byte("\n"), nil), []byte("Measure the latency")) {
				t.Errorf("a clone lacks the entry:\n%s", clone)
			}
		})
	}
}

// told returns edits as one line.
func told(edits []memory.Edit) string {
	var all []string
	for _, e := range edits {
		text := strings.ReplaceAll(e.Text, "\n", "|")
		switch {
		case e.Removed:
			all = append(all, "-"+e.Record.Fact.ID)
		case e.Record.Fact.ID != "":
			all = append(all, "~"+e.Record.Fact.ID+": "+text)
		default:
			all = append(all, "+"+e.Section+": "+text)
		}
	}
	return strings.Join(all, " ")
}

// Where nobody knows which rendering was edited, nothing counts as removed.
func TestEditsWithoutABase(t *testing.T) {
	p := annPage(t, "Lessons learned", "## Lessons learned\n\nOne.")
	edits, err := p.Edits(p.Template, nil)
	if err != nil || len(edits) > 0 {
		t.Errorf("without its base a page without the text is read as %q, %v", told(edits), err)
	}
	edits, err = p.Edits([]byte("## Lessons learned\n\nTwo.\n"), nil)
	if got := told(edits); err != nil || got != "+Lessons learned: ## Lessons learned||Two." {
		t.Errorf("without its base another text is read as %q, %v", got, err)
	}
}

// A text that was changed elsewhere is not taken back by an edit of what it was: both stay.
func TestEditOfAnOlderText(t *testing.T) {
	old := annPage(t, "Lessons learned", "## Lessons learned\n\nOne.")
	base := render(t, old, old.Template)
	now := annPage(t, "Lessons learned", "## Lessons learned\n\nOne, says Bob.")
	edits, err := now.Edits(bytes.Replace(base, []byte("One."), []byte("One, says Ann."), 1), base)
	if got := told(edits); err != nil || got != "+Lessons learned: ## Lessons learned||One, says Ann." {
		t.Errorf("edits %q, %v", got, err)
	}
	if edits, err := now.Edits(base, base); err != nil || len(edits) > 0 {
		t.Errorf("an older rendering is read as %q, %v", told(edits), err)
	}
	if out := render(t, now, base); !bytes.Contains(out, []byte("One, says Bob.\n")) {
		t.Errorf("an older rendering stays:\n%s", out)
	}
}

// FuzzPage reads back whatever somebody wrote: a clone renders it, and reading that back
// changes nothing.
func FuzzPage(f *testing.F) {
	for _, src := range []string{
		"", "Prose\n", "# A\n\nx\n## Active tasks\n- b\n\n```\n## Not one\n```\n", "---\ntitle: x\n---\n# T\r\n\r\n## R\r\ntext\r\n", "A\n=\n\nB\n-\n* x\n  y\n1. z\n",
		"## Active tasks\n\n- 2026-03-02T09:00:00Z Measure the latency\n- mine\n\n## active tasks\nagain\n", "<!--\n## Lost\n", "- a\n\n\n- b\n## Lessons learned\n> q\n",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p := annPage(t, "")
		edits, err := p.Adopt(src, nil)
		if err != nil {
			return
		}
		p = p.With(edits)
		stands, err := p.Render(src)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := p.Render(stands); err != nil || !bytes.Equal(twice, stands) {
			t.Fatalf("rendered twice: %v\n%q\n%q", err, stands, twice)
		}
		clone, err := p.Render(p.Template)
		if err != nil {
			t.Fatal(err)
		}
		if twice, err := p.Render(clone); err != nil || !bytes.Equal(twice, clone) {
			t.Fatalf("a clone's rendered twice: %v\n%q\n%q", err, clone, twice)
		}
		for i, e := range edits {
			for line := range strings.Lines(e.Text) {
				if line = strings.TrimSpace(line); !bytes.Contains(clone, []byte(line)) && line != "<!-- -->" {
					t.Fatalf("edit %d: a clone lacks %q:\n%s", i, line, clone)
				}
			}
		}
	})
}
