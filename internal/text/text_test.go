package text_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/text"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s           string
		n           int
		limit, head string
	}{
		{"", 3, "", ""},
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "ab…", "abc…"},
		{"äöü", 3, "äöü", "äöü"},
		{"äöüß", 3, "äö…", "äöü…"},
		{"ab", 1, "…", "a…"},
		{"a\xffbc", 3, "a\xff…", "a\xffb…"},
	} {
		if limit, head := text.Limit(c.s, c.n), text.Head(c.s, c.n); limit != c.limit || head != c.head {
			t.Errorf("%q, %d: Limit %q, Head %q; want %q, %q", c.s, c.n, limit, head, c.limit, c.head)
		}
	}
}

func TestQuote(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{text.Quote("a\n", 5), `"a\n"`},
		{text.Quote("äöü", 2), `"äö…"`},
		{text.QuoteBytes("äb", 1), `"\xc3"…`},
		{text.QuoteBytes("ab", 2), `"ab"`},
		{text.QuoteASCII("ä"), `"\u00e4"`},
		{text.QuoteASCII(strings.Repeat("a", 61)), `"` + strings.Repeat("a", 60) + `"…`},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	const in = " a\n\tb\x1b[1m \xff "
	if got := text.OneLine(in); got != "a b\x1b[1m \xff" {
		t.Errorf("OneLine: %q", got)
	}
	if got := text.Line(in); got != "a b [1m \uFFFD" {
		t.Errorf("Line: %q", got)
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{text.Count(1, "file"), "1 file"}, {text.Count(0, "file"), "0 files"}, {text.Count(2, "entry"), "2 entries"}, {text.Count(3, "day"), "3 days"},
		{text.Thousands(0), "0"}, {text.Thousands(999), "999"}, {text.Thousands(1000), "1,000"}, {text.Thousands(-1234567), "-1,234,567"}, {text.Thousands(-123), "-123"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestSentences(t *testing.T) {
	if got := text.Sentences("Use v1.2 here.  Why? Because"); !slices.Equal(got, []string{"Use v1.2 here.", "Why?", "Because"}) {
		t.Errorf("%q", got)
	}
}

func TestNearest(t *testing.T) {
	choices := []string{"status", "show", "search"}
	for word, want := range map[string]string{"stauts": "status", "shwo": "show", "quit": "", strings.Repeat("s", 65): ""} {
		if got := text.Nearest(word, choices); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// FuzzCut holds that a cut text is short enough and, of valid text, valid.
func FuzzCut(f *testing.F) {
	f.Add("aäö\xff", 2)
	f.Fuzz(func(t *testing.T, s string, n int) {
		if n < 1 {
			return
		}
		for _, got := range []string{text.Limit(s, n), text.Head(s, n-1)} {
			if utf8.RuneCountInString(got) > n || utf8.ValidString(s) && !utf8.ValidString(got) {
				t.Fatalf("%q, %d: %q", s, n, got)
			}
		}
		if at := text.InvalidUTF8([]byte(s)); (at == len(s)) != utf8.ValidString(s) {
			t.Fatalf("%q: %d", s, at)
		}
	})
}

func TestMatchPath(t *testing.T) {
	for _, test := range []struct {
		pattern, name  string
		matched, below bool
	}{
		{".forgemind/decisions/*.json", ".forgemind/decisions/DEC-1.json", true, false},
		{".forgemind/decisions", ".forgemind/decisions/DEC-1.json", true, false},
		{"**/decisions/*", ".quaid/decisions/DEC-1.json", true, true},
		{"*.md", ".quaid/memory/notes.md", true, true},
		{"**", "a/b", true, false},
		{"a/**/c", "a", false, true},
		{"a/b", "a/c", false, false},
		{"[", "[", false, true},
		{"", "a", false, true},
	} {
		matched, below := text.MatchPath(test.pattern, test.name)
		if matched != test.matched || below != test.below {
			t.Errorf("%q, %q: %v, %v", test.pattern, test.name, matched, below)
		}
	}
}
