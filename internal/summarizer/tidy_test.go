package summarizer

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestAnswersAreMadePlain(t *testing.T) {
	for said, want := range map[string]string{
		"  They chose RS256.  \n":                                 "They chose RS256.",
		"One line\r\nand more.\r\n\r\n\r\nSecond.\rEnd.":          "One line and more.\n\nSecond. End.",
		"# Summary\n\nThey chose\n===\n---\nRS256.":               "Summary\n\nThey chose RS256.",
		"> # - quoted\n- a\n* b\n+ c\n":                           "quoted a b c",
		"```markdown\nThey chose.\n```":                           "They chose.",
		"`jwt.py` has **bold** words.":                            "`jwt.py` has **bold** words.",
		"<!-- hidden":                                             "\\<!-- hidden",
		"\x1b[31mred\x1b[0m \x1b]0;title\x07\u202eok\u200b":       "red ok",
		"a\u2028b\u2029c":                                         "a b\n\nc",
		"<think>\nhm. They…\n\nyes\n</think>\n\nThey chose RS256": "They chose RS256",
		"نمی\u200cخواهم":                                          "نمی\u200cخواهم",
		"\x00\x07 \n\n":                                           "",
		"# \n```\n```\n":                                          "",
	} {
		if got := tidy(reply{text: said}); got != want {
			t.Errorf("%q\ngives %q\nwant  %q", said, got, want)
		}
	}
}

func TestLongAnswersEndWithASentence(t *testing.T) {
	long := strings.Repeat("They chose RS256, e.g. for v1.2 of it. ", 200)
	if got := tidy(reply{text: long}); len(got) > maxAnswer || len(got) < maxAnswer-100 || !strings.HasSuffix(got, "of it.") {
		t.Errorf("%d bytes, ends %q", len(got), got[len(got)-20:])
	}
	if got := tidy(reply{text: strings.Repeat("認証。", 1000)}); len(got) > maxAnswer || !strings.HasSuffix(got, "認証。") {
		t.Errorf("%d bytes", len(got))
	}
	if got := tidy(reply{text: strings.Repeat("ü", 5000)}); len(got) > maxAnswer || !utf8.ValidString(got) || !strings.HasSuffix(got, "ü …") {
		t.Errorf("%d bytes", len(got))
	}
	if got := tidy(reply{"They chose RS256. Then the", true}); got != "They chose RS256." {
		t.Errorf("%q", got)
	}
	if got := tidy(reply{"Then the model", true}); got != "Then the …" {
		t.Errorf("%q", got)
	}
}

// FuzzTidy tests that the result is plain for any answer.
func FuzzTidy(f *testing.F) {
	f.Add("# A\n\n```\nb\n```\n", true)
	f.Add(strings.Repeat("word. \n", 900), false)
	f.Add("- - # > x\n\n<x", false)
	f.Fuzz(func(t *testing.T, said string, short bool) {
		got := tidy(reply{said, short})
		if len(got) > maxAnswer || !utf8.ValidString(got) || got != strings.TrimSpace(got) {
			t.Fatalf("%d bytes: %q", len(got), got)
		}
		for line := range strings.SplitSeq(got, "\n") {
			if strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "```") && !strings.Contains(line[3:], "`") || strings.HasPrefix(line, "<") {
				t.Fatalf("begins something: %q", line)
			}
		}
		if strings.ContainsFunc(got, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) || strings.Contains(got, "\n\n\n") {
			t.Fatalf("%q", got)
		}
	})
}
