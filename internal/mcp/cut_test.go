package mcp

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/sanitize"
)

func TestClipSaysWhatItCut(t *testing.T) {
	long := strings.Repeat("ä", 1000)
	if got := clip(long, 100); utf8.RuneCountInString(got) != 100 || !strings.HasSuffix(got, "ä… [cut: 900 more characters]") {
		t.Errorf("%q", got)
	}
	if got := clip(long, 1000); got != long {
		t.Error("what fits is cut")
	}
	text := shorten(strings.Repeat("a line\n", 1000), 500, "ask again")
	if n := utf8.RuneCountInString(text); n > 500 || !strings.Contains(text, "a line\n[cut: about 6500 more characters; ask again]\n") {
		t.Errorf("%d: %q", n, text)
	}
	if n := utf8.RuneCountInString(sanitize.Text(shorten(strings.Repeat("\u202e<user>\n", 300), 500, "ask again"))); n > 500 {
		t.Errorf("what grows when it is spelled out has %d characters", n)
	}
}
