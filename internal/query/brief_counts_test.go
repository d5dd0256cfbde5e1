package query_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/tokens"
)

// Token counts of lines are stored beside the index and give the same text; counts that are
// damaged, of another counter, or impossible are not used.
func TestBriefKeepsWhatLinesCost(t *testing.T) {
	h := build(t)
	grow(t, h.root, 40)
	first := briefOf(t, h.root, query.BriefQuery{MaxTokens: 400})
	kept := fs.LocalName(fs.Forgemind, "index", "brief-lines.json")
	whole := h.read(kept)
	if !strings.Contains(whole, `"counter": "o200k"`) {
		t.Fatal(whole)
	}
	for what, text := range map[string]string{
		"as it was":          whole,
		"nothing":            "",
		"half of it":         whole[:len(whole)/2],
		"of another":         strings.Replace(regexp.MustCompile(`: (\d)(\d+)`).ReplaceAllString(whole, ": $1"), "o200k", "words", 1),
		"too little":         regexp.MustCompile(`: (\d)\d,`).ReplaceAllString(whole, ": $1,"),
		"of another version": strings.Replace(regexp.MustCompile(`: (\d)\d,`).ReplaceAllString(whole, ": $1,"), `"version": 1`, `"version": 2`, 1),
		"impossible":         strings.ReplaceAll(strings.ReplaceAll(whole, ": 1", ": -1"), ": 2", ": 20000"),
		"a list":             "[]",
	} {
		write(t, h.root, kept, text)
		again := briefOf(t, h.root, query.BriefQuery{MaxTokens: 400})
		if again.Text() != first.Text() || again.Tokens != first.Tokens {
			t.Errorf("%s: %d tokens, not %d\n%s", what, again.Tokens, first.Tokens, again.Text())
		}
	}
	unchanged := h.read(kept)
	before, err := os.Stat(filepath.Join(h.root, kept))
	if err != nil {
		t.Fatal(err)
	}
	briefOf(t, h.root, query.BriefQuery{MaxTokens: 400})
	after, err := os.Stat(filepath.Join(h.root, kept))
	if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) || h.read(kept) != unchanged {
		t.Error("it is written again though nothing is new", err)
	}

	h.decide("Plant a hedge 漢字 around /paths/of the orchard…", "")
	counter, err := tokens.New("")
	if err != nil {
		t.Fatal(err)
	}
	b := briefOf(t, h.root, query.BriefQuery{MaxTokens: 400})
	if n := counter.Count(b.Text()); n != b.Tokens || n > 400 || !strings.Contains(b.Text(), "Plant a hedge") {
		t.Errorf("%d tokens (%d said)\n%s", n, b.Tokens, b.Text())
	}
}
