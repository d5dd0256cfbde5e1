package relevance

import (
	"slices"
	"strings"
	"testing"
)

func TestNameIn(t *testing.T) {
	tests := []struct {
		name, text string
		want       bool
	}{
		{"Redis", "we use redis.", true},
		{"redis", "REDIS_URL is set", true},
		{"redis", "redistribute it", false},
		{"redis", "redistribute redis", true},
		{"login.go", "in src/auth/login.go:42", true},
		{"login.go", "in src/auth/login.gopher", false},
		{"/api/users", "POST /api/users/7", true},
		{"@anna", "ask @anna, please", true},
		{"@anna", "ask @annabel", false},
		{"JWT refresh", "the jwt refresh token", true},
		{"JWT refresh", "the jwt, refresh it", false},
		{"東京", "東京都で", true},
		{"été", "un ÉTÉ chaud", true},
		{"ete", "e\u0301te\u0301", false},
		{"C++", "in c++, too", true},
		{" Redis ", "redis", true},
		{"", "anything", false},
		{" ", "any thing", false},
		{"we", "we're here", true},
		{"re", "we're here", true},
		{"haven", "we haven't left", true},
		{"k", "10 \u212a", true}, // the sign of Kelvin is a k
		{"a" + strings.Repeat("k", 38) + "s", "a" + strings.Repeat("\u212a", 38) + "s", true},
	}
	for _, tt := range tests {
		n := NewName(tt.name)
		if got := n.In(tt.text); got != tt.want {
			t.Errorf("%q in %q: got %v", tt.name, tt.text, got)
		}
		found := false
		n.Candidates(build("first", tt.text), func(text int) { found = found || text == 1 })
		if tt.want && !found {
			t.Errorf("%q in %q: not a candidate, anchor %q", tt.name, tt.text, n.anchor())
		}
	}
	if got := NewName("src/authentication/login.go").anchor(); got != "authent" {
		t.Errorf("got anchor %q", got)
	}
}

// Every text that contains a name has its anchor.
func FuzzCandidates(f *testing.F) {
	for _, name := range []string{"a.b", "HTTPServer", "don't", "x’s", "漢字", "Straße", "The", "re", "U\u212aRLs"} {
		f.Add(name, "before "+name+" after")
		f.Add(name, name)
		f.Add(name, "x_"+name+"'s")
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		n := NewName(name)
		if term := n.anchor(); n.In(text) && term != "" && !slices.Contains(Terms(text), term) {
			t.Errorf("%q contains %q, but not its anchor %q", text, name, term)
		}
	})
}
