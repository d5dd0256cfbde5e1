package condense

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// The document's own form.
const starspec = `## 📝 Condensation: Material of the M2 mirror
**Date:** 2026-02-15
**Channel:** #proj-starspec-wfe
**Participants:** manager, optics, thermal
**Context:** Zerodur is over budget.
**Decision:** Clearceram-Z HS.
**Rationale:** Its CTE matches Zerodur Class 0.
**Action items:**
- optics: Update the material card.
- thermal: Ask for a quote.

**Supersedes:** DEC-001, DEC-7F3K2Q, DEC-DVVCCP
**Thread:** thread-4kq2mz
**Ledger:** DEC-9M2ZQA
`

func starspecRead() Condensation {
	return Condensation{
		Name: "2026-02-15-material.md", Topic: "Material of the M2 mirror", Date: "2026-02-15", Channel: "proj-starspec-wfe",
		Participants: []string{"manager", "optics", "thermal"}, Context: "Zerodur is over budget.", Decision: "Clearceram-Z HS.",
		Rationale: "Its CTE matches Zerodur Class 0.", ActionItems: []string{"optics: Update the material card.", "thermal: Ask for a quote."},
		Supersedes: []string{"DEC-001", "DEC-7F3K2Q", "DEC-DVVCCP"}, Thread: "thread-4kq2mz", DecisionID: "DEC-9M2ZQA",
	}
}

func TestTheForm(t *testing.T) {
	if got := string(starspecRead().Markdown()); got != starspec {
		t.Errorf("got\n%s\nwant\n%s", got, starspec)
	}
	got, err := ReadCondensation("2026-02-15-material.md", []byte(starspec))
	if err != nil || !reflect.DeepEqual(got, starspecRead()) {
		t.Errorf("read %+v, %v", got, err)
	}
}

// What was not found is there to see, and is not read as if it were a text.
func TestWhatIsOpen(t *testing.T) {
	open := Condensation{Topic: "Queues", Date: "2026-02-15"}
	src := open.Markdown()
	for _, line := range []string{"**Decision:** _not found in the discussion_\n", "**Rationale:** _not found in the discussion_\n", "**Supersedes:** _none named_\n"} {
		if !strings.Contains(string(src), line) {
			t.Errorf("no %q in\n%s", line, src)
		}
	}
	got, err := ReadCondensation("", src)
	want := []string{"Channel", "Participants", "Context", "Decision", "Rationale", "Action items"}
	if err != nil || !reflect.DeepEqual(got.Missing, want) || got.Decision != "" {
		t.Errorf("read %+v, %v", got, err)
	}
}

func TestReadWhatPeopleMakeOfIt(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string
		want     func(*Condensation)
	}{
		"another topic":          {"Material of the M2 mirror", "Mirror glass", func(c *Condensation) { c.Topic = "Mirror glass" }},
		"no sign":                {"## 📝 Condensation: ", "# Condensation: ", nil},
		"a heading of its own":   {"## 📝 Condensation: Material of the M2 mirror", "# Mirror glass", func(c *Condensation) { c.Topic = "Mirror glass" }},
		"lower case":             {"**Decision:**", "**decision:**", nil},
		"colon outside":          {"**Decision:**", "**Decision**:", nil},
		"underscores":            {"**Decision:**", "__Decision:__", nil},
		"a label in a list":      {"**Decision:**", "- **Decision:**", nil},
		"without emphasis":       {"**Decision:**", "Decision:", nil},
		"a heading for a label":  {"**Decision:** Clear", "### Decision\nClear", nil},
		"date in words":          {"2026-02-15", "Feb 15, 2026", nil},
		"a channel without sign": {"#proj", "proj", nil},
		"other bullets":          {"- optics: Update the material card.\n- thermal", "* [ ] optics: Update the\n  material card.\n2. thermal", nil},
		"several paragraphs": {"Clearceram-Z HS.", "Clearceram-Z HS.\n\nAnd nothing else.", func(c *Condensation) {
			c.Decision = "Clearceram-Z HS.\n\nAnd nothing else."
		}},
		"a label is gone": {"**Rationale:** Its CTE matches Zerodur Class 0.\n", "", func(c *Condensation) {
			c.Rationale, c.Missing = "", []string{"Rationale"}
		}},
		"a label is empty": {"**Rationale:** Its CTE matches Zerodur Class 0.\n", "**Rationale:** n/a\n", func(c *Condensation) {
			c.Rationale, c.Missing = "", []string{"Rationale"}
		}},
		"a section in the middle": {"**Decision:**", "### Notes\nSee the datasheet.\n\n**Decision:**", func(c *Condensation) {
			c.Extra = "### Notes\nSee the datasheet."
		}},
		"a label of one's own": {"**Decision:**", "**Cost:** 4 k€\n**Decision:**", func(c *Condensation) { c.Extra = "**Cost:** 4 k€" }},
		"a section at the end": {"DEC-9M2ZQA\n", "DEC-9M2ZQA\n\n## Photos\n**Date:** of the photos: May\n", func(c *Condensation) {
			c.Extra = "## Photos\n**Date:** of the photos: May"
		}},
		"a remark at the end":    {"DEC-9M2ZQA\n", "DEC-9M2ZQA\n\nAsk me.\n", func(c *Condensation) { c.Extra = "Ask me." }},
		"a remark behind a list": {"quote.\n", "quote.\n\nThat is all.\n", func(c *Condensation) { c.Extra = "That is all." }},
		"what was superseded, in words": {"DEC-001, DEC-7F3K2Q, DEC-DVVCCP", "the Zerodur decision, and all of May", func(c *Condensation) {
			c.Supersedes = []string{"the Zerodur decision, and all of May"}
		}},
	} {
		src := strings.Replace(starspec, c.from, c.to, 1)
		want := starspecRead()
		if c.want != nil {
			c.want(&want)
		}
		for _, text := range []string{src, strings.ReplaceAll(src, "\n", "\r\n"), "\uFEFF" + src} {
			got, err := ReadCondensation("2026-02-15-material.md", []byte(text))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\n got %+v, %v\nwant %+v", name, got, err, want)
			}
		}
	}
}

func TestNoCondensation(t *testing.T) {
	for _, src := range []string{"", "hello", "# A heading\n\nand text", "\xff**Decision:** x", strings.Repeat("x", longestForm+1)} {
		if c, err := ReadCondensation("a.md", []byte(src)); err == nil || !strings.Contains(err.Error(), `"a.md"`) {
			t.Errorf("%.20q: %+v, %v", src, c, err)
		}
	}
}

func TestFileName(t *testing.T) {
	at := time.Date(2026, 2, 15, 23, 0, 0, 0, time.FixedZone("west", -5*3600))
	taken := map[string]bool{}
	seen := map[string]bool{}
	for _, c := range []struct{ topic, want string }{
		{"Material selection: Zerodur vs CCZ HS", "2026-02-16-material-selection-zerodur-vs-ccz-hs-*.md"},
		{"material selection / Zerodur vs CCZ HS", "2026-02-16-material-selection-zerodur-vs-ccz-hs-*.md"},
		{"material selection / Zerodur vs CCZ HS", "2026-02-16-material-selection-zerodur-vs-ccz-hs-*-2.md"},
		{"../../etc/passwd", "2026-02-16-etc-passwd-*.md"},
		{"Größe der Äpfel", "2026-02-16-groesse-der-aepfel-*.md"},
		{"", "2026-02-16-*.md"},
		{"🎉🎉", "2026-02-16-*.md"},
		{"数据库", "2026-02-16-*.md"},
		{"数据 v2", "2026-02-16-v2-*.md"},
		{strings.Repeat("long topic ", 30), "2026-02-16-long-topic-long-topic-*.md"},
		{strings.Repeat("x", 300), "2026-02-16-xxx*.md"},
	} {
		got := fileName(Condensation{Topic: c.topic}, at, func(name string) bool { return taken[name] })
		taken[got] = true
		before, after, _ := strings.Cut(c.want, "*")
		if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) || seen[got] || len(got) > 100 {
			t.Errorf("%.30q: got %s want %s", c.topic, got, c.want)
		}
		seen[got] = true
	}
	if got := fileName(Condensation{Topic: "x", Date: "2026-01-02"}, at, nil); got != "2026-01-02-x-"+schema.DerivedID("", Condensation{Topic: "x", Date: "2026-01-02"}.Markdown())[:6]+".md" {
		t.Error(got)
	}
}

// What was read is written so that it reads the same.
func FuzzForm(f *testing.F) {
	f.Add([]byte(starspec))
	f.Add([]byte("## 📝 Condensation:\n**Decision:**\n- a\n- b\n\ntext\n### Mine\n# x\n**Foo:** y\nDecision: z"))
	f.Add([]byte("Date: 1\r\nThread: t\r\n\r\nLedger:\r\n__x__: y"))
	f.Add([]byte("**Supersedes:** a, DEC-1\n* b\n**Action items:** 1. x\n 2) y"))
	f.Fuzz(func(t *testing.T, src []byte) {
		first, err := ReadCondensation("n", src)
		if err != nil {
			return
		}
		text := first.Markdown()
		again, err := ReadCondensation("n", text)
		if err != nil || !reflect.DeepEqual(first, again) {
			t.Fatalf("%q\nread    %+v\nwritten %q\nread    %+v, %v", src, first, text, again, err)
		}
		if more := again.Markdown(); !bytes.Equal(text, more) {
			t.Fatalf("%q, then %q", text, more)
		}
	})
}
