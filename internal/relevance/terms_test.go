package relevance

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTerms(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"The users were running", "user run"},
		{"decides deciding decided", "decid decid decid"},
		{"user's don't it’s we'll", "user"},
		{"didn't DOESN'T haven’t a haven", "haven"},
		{"went gone goes going, bought a child's mice", "go go go go buy child mous"},
		{"seven of ten people", "7 10 person"},
		{"HTTPServer", "http server httpserver"},
		{"getUserURLs", "get user url getuserurl"},
		{"snake_case", "snake case snake_case"},
		{"kebab-case", "kebab case kebab-case"},
		{"./internal/refresh/loop.go:12", "intern refresh loop go internal/refresh/loop.go loop.go 12"},
		{`C:\Temp\x.txt`, `c temp x txt temp\x.txt x.txt`},
		{"DEC-001, msg-7f3k2q.", "dec 001 dec-001 msg 7f3k2q msg-7f3k2q"},
		{"port 8080 at 93c2cae4b17d", "port 8080 93c2cae4b17d"},
		{"version 1.26.0", "version 1 26 0 1.26.0"},
		{"sha256 utf8", "sha256 utf8"},
		{"'quoted' --flag _private_ a..b", "quot flag privat b"},
		{"Straße ÉTÉ Привет", "straße été привет"},
		{"東京都", "東京 京都"},
		{"猫", "猫"},
		{"データbase", "デー ータ base"},
		{"한국어 문서", "한국 국어 문서"},
		{"naïve cafe\u0301", "naïve cafe\u0301"},
		{"\xff\xfea\x00b\x1b", "b"},
		{strings.Repeat("x", 257), ""},
		{strings.Repeat("x", 65), strings.Repeat("x", 65)},
	}
	for _, tt := range tests {
		if got := strings.Join(Terms(tt.text), " "); got != tt.want {
			t.Errorf("%q:\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

// The terms of any text are limited in number and size, and the same for each call.
func FuzzTerms(f *testing.F) {
	for _, seed := range []string{"", "aB'sC__d-e", "漢aー\u0301’S", "\xff'", "a'", "a''b", "yyyyYYYYed'", strings.Repeat("a.", 300)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms := Terms(text)
		if len(terms) > 2*len(text) {
			t.Errorf("got %d terms for %d bytes", len(terms), len(text))
		}
		for _, term := range terms {
			if term == "" || len(term) > 2*maxWhole || utf8.ValidString(text) && !utf8.ValidString(term) {
				t.Errorf("got term %q", term)
			}
		}
		if !slices.Equal(terms, Terms(text)) {
			t.Error("two equal calls differ")
		}
	})
}
