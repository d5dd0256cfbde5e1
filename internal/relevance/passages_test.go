package relevance

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPassages(t *testing.T) {
	line := strings.Repeat("x", 499)
	sentence := strings.Repeat("word ", 99) + "end. "
	tests := []struct {
		why, text string
		want      []int // the lengths
	}{
		{"an empty one", "", []int{0}},
		{"a short one", "Hello.\n\nHow are you?", []int{20}},
		{"paragraphs", line + "\n\n" + line + "\n\n" + line + "\n" + line, []int{1002, 999}},
		{"lines", line + "\n" + line + "\n" + line + "\n", []int{1000, 500}},
		{"sentences", sentence + sentence + sentence, []int{1000, 500}},
		{"words", strings.Repeat("word ", 300), []int{1100, 400}},
		{"no place to split", strings.Repeat("x", 1300), []int{900, 400}},
		{"no short passage at the end", line + "\n" + line + "\n" + strings.Repeat("y", 210), []int{500, 710}},
	}
	for _, tt := range tests {
		var got []int
		for _, p := range Passages(tt.text) {
			got = append(got, len(p))
		}
		if len(got) != len(tt.want) {
			t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
			continue
		}
		for i := range got {
			if got[i] != tt.want[i] {
				t.Errorf("%s: %v, want %v", tt.why, got, tt.want)
				break
			}
		}
	}
}

// The passages of any text are the text, none is too long or too short, and no
// character is split.
func FuzzPassages(f *testing.F) {
	for _, seed := range []string{"", "a\n\nb", strings.Repeat("漢字。", 500), strings.Repeat("\xff", 2000), strings.Repeat("\n\n", 1500), strings.Repeat("a b. ", 999)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := Passages(text)
		if strings.Join(all, "") != text {
			t.Fatal("the passages are not the text")
		}
		for _, p := range all {
			if len(p) > maxPassage || len(all) > 1 && len(p) < minPassage-utf8.UTFMax || utf8.ValidString(text) && !utf8.ValidString(p) {
				t.Errorf("got a passage of %d bytes of %d: %.20q", len(p), len(text), p)
			}
		}
	})
}
