package extract_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/schema"
)

// hostileTexts are texts that try to make the rules slow or their results large.
var hostileTexts = map[string]string{
	"backticks":    strings.Repeat("`` ` ", 1<<18/5) + strings.Repeat("`", 1<<17),
	"quotes":       strings.Repeat(`"“«„`, 1<<17),
	"parentheses":  strings.Repeat("(", 1<<19) + strings.Repeat(")", 1<<19),
	"one word":     strings.Repeat("x", 1<<20),
	"one path":     strings.Repeat("redis/", 1<<20/6) + "x.go",
	"many paths":   strings.Repeat("a/b.go ", 1<<20/7),
	"dots":         strings.Repeat(".", 1<<20),
	"colons":       strings.Repeat("1:", 1<<19),
	"mentions":     strings.Repeat("@a", 1<<19),
	"since":        strings.Repeat("since 2020 ", 1<<20/11),
	"decided":      strings.Repeat("not decided ", 1<<20/12),
	"names":        strings.Repeat("public key ", 1<<20/11),
	"fences":       strings.Repeat("```\n", 1<<18),
	"done":         strings.Repeat("- Added x\n", 1<<20/10),
	"sentences":    strings.Repeat("Fixed x. ", 1<<20/9),
	"bad encoding": strings.Repeat("\xff\xe3\x80.\xe2", 1<<18),
	"numbers":      strings.Repeat("1. ", 1<<20/3),
	"snakes":       strings.Repeat("get_", 1<<18),
	"functions":    strings.Repeat("func (", 1<<20/6),
}

// For every text the results are part of it, limited, and the same for each call.
func FuzzExtract(f *testing.F) {
	for _, seed := range []string{
		"", "Use RS256 because safer", "Decided on `RS256`. Reason: it's safer — really", "- ✅ Done: a.go\n- [ ] b\n> c",
		"@john `get_x()` auth/jwt.py:3 C++ JWT-based\n```go\nfunc X(", "我们决定使用Redis，因为快。下一步：测试", "\xff\x00’“„ (\"", "Next: a + b; c\n\x00 + \x00",
		"Dependencies: a, b and c==1", "let’s go with İSTANBUL", "K. ſ decided on ſ",
	} {
		f.Add(seed)
	}
	own := map[string][]string{extract.People: {"John"}, extract.Concepts: {"快", "a b"}, extract.Technologies: {".x"}}
	f.Fuzz(func(t *testing.T, text string) {
		named := extract.Entities(text, own)
		for kind, names := range named {
			if len(names) == 0 || len(names) > 50 {
				t.Fatalf("got %d %s", len(names), kind)
			}
			for _, n := range names {
				if (kind == extract.Files || kind == extract.Functions) && !strings.Contains(text, n) {
					t.Fatalf("%s %q is not in %q", kind, n, text)
				}
			}
		}
		if again := extract.Entities(text, own); !reflect.DeepEqual(named, again) {
			t.Fatalf("got %q, then %q", named, again)
		}
		if d, ok := extract.Decision(text, schema.DefaultDecisionPhrases()); ok && (d.Decision == "" || !strings.Contains(text, d.Decision) || !strings.Contains(text, d.Rationale)) {
			t.Fatalf("%q: got %+v", text, d)
		}
		for _, stated := range extract.Statements(schema.Message{Role: "user", Content: text}, nil, schema.DefaultDecisionPhrases()) {
			if stated.Text == "" || !strings.Contains(text, stated.Text) || !strings.Contains(text, stated.Rationale) {
				t.Fatalf("%q: got %+v", text, stated)
			}
		}
		decision, rationale := extract.Because(text)
		if !strings.Contains(text, decision) || !strings.Contains(text, rationale) || decision == "" && strings.TrimSpace(text) != "" {
			t.Fatalf("got %q because %q", decision, rationale)
		}
		ratio, reasons := extract.Importance(schema.Message{Role: "user", Content: text}, nil, schema.DefaultDecisionPhrases())
		if ratio < 0.7 || ratio > 1 || len(reasons) == 0 {
			t.Fatalf("got %v, reasons %q", ratio, reasons)
		}
		w := extract.Work(text)
		for _, list := range [][]string{w.Done, w.Doing, w.Pending, w.Next, w.Edited, {w.Function}} {
			if len(list) > 50 {
				t.Fatalf("got %d statements", len(list))
			}
			for _, s := range list {
				if !strings.Contains(text, s) {
					t.Fatalf("%q is not in %q", s, text)
				}
			}
		}
	})
}

// BenchmarkHostile measures the rules for hostile texts of about 1 MiB.
func BenchmarkHostile(b *testing.B) {
	for name, text := range hostileTexts {
		b.Run(name, func(b *testing.B) { extractAll(b, text) })
	}
}

const ordinary = "Great! I've implemented token generation in `auth/jwt.py` and decided on RS256 because it is safer.\n\n" +
	"- ✅ Added validate_token()\n- ⏳ Pending: refresh tokens\n\n```python\ndef validate_token(t):\n    pass\n```\nNext: test token refresh + update docs @john\n"

func BenchmarkMessage(b *testing.B) { extractAll(b, ordinary) }

func BenchmarkEntities(b *testing.B) {
	b.SetBytes(int64(len(ordinary)))
	for b.Loop() {
		extract.Entities(ordinary, nil)
	}
}

func extractAll(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	phrases := schema.DefaultDecisionPhrases()
	for b.Loop() {
		extract.Entities(text, nil)
		extract.Decision(text, phrases)
		extract.Work(text)
		extract.Because(text)
		extract.Rule(text)
		extract.Goal(text)
		extract.Importance(schema.Message{Role: "user", Content: text}, nil, phrases)
	}
}

// The number of results for a hostile text is limited.
func TestHostileTexts(t *testing.T) {
	for name, text := range hostileTexts {
		text = text[:1<<16]
		for kind, names := range extract.Entities(text, map[string][]string{extract.Concepts: {"a a a a b", "public key public"}}) {
			if len(names) > 50 {
				t.Errorf("%s: %d %s", name, len(names), kind)
			}
		}
		if w := extract.Work(text); len(w.Done) > 50 {
			t.Errorf("%s: %d done", name, len(w.Done))
		}
	}
}
