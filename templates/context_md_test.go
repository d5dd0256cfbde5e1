package templates_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// A constraint becomes the text of one list item, whatever it contains.
func TestContextSectionsEscapeTexts(t *testing.T) {
	for text, want := range map[string]string{
		"Mass < 12 kg":           "- Mass < 12 kg",
		"two\n\n## lines":        "- two ## lines",
		"## heading":             `- \## heading`,
		"- item":                 `- \- item`,
		"1. first":               `- 1\. first`,
		"12 kg":                  "- 12 kg",
		"* * *":                  `- \* * *`,
		"> quote":                `- \> quote`,
		"<script>":               `- \<script>`,
		"<!-- x":                 `- \<!-- x`,
		"```sh":                  "- \\```sh",
		"[x] done":               `- \[x] done`,
		"*soft* words":           "- *soft* words",
		"bell\a, \u202eback\xff": "- bell\ufffd, \ufffdback\ufffd",
		"\u200bhidden":           "- \ufffdhidden",
	} {
		got := templates.ContextSections(schema.ProjectRecord{Constraints: []string{" ", text}}, nil, nil)[2]
		if len(got.Lines) != 1 || got.Lines[0].Text != want {
			t.Errorf("%q: %q", text, got.Lines)
		}
	}
}

func TestContextSectionsAreShort(t *testing.T) {
	var many []schema.Decision
	var replaced []templates.Superseded
	for i := range 150 {
		d := schema.Decision{ID: fmt.Sprint(i), Decision: strings.Repeat("ä", 5000), Rationale: strings.Repeat("why ", 5000), Timestamp: "2026-02-03 sometime"}
		many = append(many, d)
		replaced = append(replaced, templates.Superseded{Decision: schema.Decision{Decision: "a ~~ b"}, By: d})
	}
	all := templates.ContextSections(schema.ProjectRecord{}, many, replaced)
	key, old := all[1].Lines, all[3].Lines
	if len(key) != 101 || key[100].Text != "- … and 50 more" || len(key[0].Text) > 4000 || !strings.HasPrefix(key[0].Text, "1. [2026-02-03] ä") || !strings.HasSuffix(key[0].Text, "…)") {
		t.Errorf("%d lines, %.60q … %q", len(key), key[0].Text, key[len(key)-1].Text)
	}
	if !strings.HasPrefix(old[0].Text, `- ~~[undated] a \~~ b~~ → Replaced by ä`) || len(old[0].Text) > 1000 {
		t.Errorf("%.80q", old[0].Text)
	}
}
