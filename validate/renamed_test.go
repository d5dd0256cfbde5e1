package validate

import (
	"strings"
	"testing"
)

// A condensation whose file got another name is proposed, and --fix names it, where
// what it says of itself leaves no doubt.
func TestARenamedCondensation(t *testing.T) {
	const (
		now     = ".forgemind/condensations/2026-02-15-mirror.md"
		message = "there is no condensation 2026-02-15-which-glass.md"
		form    = "## 📝 Condensation: Which glass?\n**Date:** 2026-02-15\n**Decision:** Glass it is.\n**Thread:** thread-1\n"
	)
	thread := `{"id": "thread-1", "status": "resolved", "condensation": "2026-02-15-which-glass.md", "mood": 1}`
	pins := `{"pins": [{"condensation": "2026-02-15-which-glass.md", "mood": 1}]}`
	elsewhere := strings.Replace(form, "thread-1", "thread-2", 1)
	for name, given := range map[string]struct {
		tree  pages
		named bool
	}{
		"by its thread":                    {pages{now: strings.Replace(form, "Which", "Another", 1), threadAt: thread, pinsAt: pins}, true},
		"by its date and topic":            {pages{now: strings.Replace(form, "**Thread:** thread-1\n", "", 1), pinsAt: pins}, true},
		"another topic, and no thread":     {pages{now: strings.Replace(elsewhere, "Which", "Another", 1), threadAt: thread, pinsAt: pins}, false},
		"two say they came of that thread": {pages{now: form, strings.Replace(now, "mirror", "mirror-2", 1): form, threadAt: thread, pinsAt: pins}, false},
		"there are none":                   {pages{threadAt: thread, pinsAt: pins}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Tree(given.tree, Options{})
			if err != nil {
				t.Fatal(err)
			}
			said := 0
			for _, f := range r.Findings {
				if f.Rule == danglingReference.Name && f.Message == message {
					said++
					if proposed := strings.Contains(f.Hint, "2026-02-15-mirror.md"); proposed != given.named {
						t.Errorf("the hint is %q", f.Hint)
					}
				}
			}
			if want := strings.Count(given.tree[threadAt]+given.tree[pinsAt], "which-glass"); said != want {
				t.Errorf("%d of %d found: %v", said, want, r.Findings)
			}
			after, did := mend(given.tree)
			if given.named != (len(did) > 0) {
				t.Errorf("did %v", did)
			}
			for name, text := range given.tree {
				want := text
				if given.named {
					want = strings.ReplaceAll(text, "2026-02-15-which-glass.md", "2026-02-15-mirror.md")
				}
				if after[name] != want {
					t.Errorf("%s:\n%s", name, after[name])
				}
			}
		})
	}
}
