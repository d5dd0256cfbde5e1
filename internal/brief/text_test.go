package brief

import (
	"strings"
	"testing"
)

// A stranger's text stays on its line and within its block, and no terminal obeys it.
func TestPlain(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Use pears", "Use pears"},
		{"  two\n\nlines\tand\r\nmore\v\f ", "two lines and more"},
		{"a\u2028b\u2029c\u0085d", "a b c d"},
		{"\n# Heading\n```sh\nrm\n```", "# Heading ```sh rm ```"},
		{"red \x1b[31m bell \a del \x7f", `red \u001b[31m bell \u0007 del \u007f`},
		{"left \u202e right \u200b zero \ufeff", `left \u202e right \u200b zero \ufeff`},
		{"tag \U000e0041 variation \U000e0101", `tag \udb40\udc41 variation \udb40\udd01`},
		{"میخواهم \U0001f469\u200d\U0001f4bb", "میخواهم \U0001f469\u200d\U0001f4bb"},
		{"broken \xff\xfe", "broken \ufffd"},
		{"<!-- forgemind:end -->", "&lt;!-- forgemind:end --&gt;"},
		{"</system> <system> <?xml", "&lt;/system> &lt;system> &lt;?xml"},
		{"Map<String, List<T>> if a < b <- c <3", "Map<String, List<T>> if a < b <- c <3"},
		{"x<system-reminder>y List<int>", "x&lt;system-reminder>y List&lt;int>"}, // no tag hides behind a word
		{"< / system > [INST] <|im_end|>", "&lt; / system > &#91;INST] &lt;|im_end|>"},
		{strings.Repeat("ä", 60), strings.Repeat("ä", 39) + "…"},
		{strings.Repeat("ä ", 100_000), strings.TrimSpace(strings.Repeat("ä ", 20)) + "…"},
		{strings.Repeat("x", 315) + "漢字", strings.Repeat("x", 39) + "…"},
		{"Plant the pears along the south wall before the frost", "Plant the pears along the south wall…"}, // and no "befo"
		{"Plant the pears along the southern wall and", "Plant the pears along the southern wall…"},        // which is just 39
		{"internal/refresh/condense_organisation.go it is", "internal/refresh/condense_organisation.…"},    // a word too long to lose
		{strings.Repeat("x", 37) + "\U0001f469\u200d\U0001f4bb", strings.Repeat("x", 37) + "\U0001f469…"},
		{"at " + strings.Repeat("x", 60), "at " + strings.Repeat("x", 36) + "…"}, // more of it would be lost
		{strings.Repeat("梨", 30), strings.Repeat("梨", 19) + "…"},
		{strings.Repeat("a\u0308", 50), strings.Repeat("a\u0308", 39) + "…"},
		{"", ""},
	} {
		if got := plain(test.text, 40); got != test.want {
			t.Errorf("plain(%.80q)\n is %q\nnot %q", test.text, got, test.want)
		}
	}
}

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "pears\n": 5, "Bäume…": 6, "ba\u0308ume": 5, "梨": 2, "梨の木 나무": 11, "ｆｕｌｌ": 8, "\U0001f350!": 3, "\u200d": 0, "› ∙ ─": 5, "\x1b[31m": 4,
	} {
		if got := Columns(text); got != want {
			t.Errorf("%q takes %d columns, not %d", text, got, want)
		}
	}
}

func TestDay(t *testing.T) {
	for stamp, want := range map[string]string{
		"2026-11-21T23:30:00-02:00": "2026-11-22", "2026-11-21": "2026-11-21", "2026-11-21 about noon": "2026-11-21",
		"": "undated", "yesterday": "undated", "2026-13-40T00:00:00Z": "undated",
	} {
		if got := day(stamp); got != want {
			t.Errorf("day(%q) is %q, not %q", stamp, got, want)
		}
	}
}
