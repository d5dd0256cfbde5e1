package relevance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// counted is what tally says, by Terms alone.
func counted(terms []string, texts []Text) (all []string) {
	for i, t := range texts {
		for n, term := range terms {
			times := 0
			for _, one := range Terms(t.Content) {
				if one == term {
					times++
				}
			}
			if times > 0 {
				all = append(all, fmt.Sprint(i, term, times, n))
			}
		}
	}
	slices.Sort(all)
	return all
}

func tallies(terms []string, texts []Text) (all []string) {
	for _, c := range tally(terms, texts) {
		all = append(all, fmt.Sprint(c.text, terms[c.term], c.times, c.term))
	}
	slices.Sort(all)
	return all
}

// words are some that a glance at how they begin could go wrong with.
var words = append(strings.Fields(irregular), strings.Fields(`dying die lying lie tying tie skies sky skis ski idly gently ugly early only
	singly news user's users o'clock don't HTTPServer httpserver getUserURLs snake_case kebab-case internal/refresh/loop.go:12 x X 2nd 7 sha256
	a be Be. naïve cafe\u0301 été ÉTÉ \u212aelvin kelvin 東京都 京都 well-known yes youth Yes, "quoted" (user) user, user; u us use usER`)...)

// Whatever is skipped at a glance has none of the terms.
func TestAGlanceMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) Text {
			return Text{Content: strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words"), rapid.SampledFrom([]string{" ", ", ", ".", "\n"}).Draw(t, "between"))}
		})
		texts := rapid.SliceOfN(text, 0, 5).Draw(t, "texts")
		terms := distinct(Terms(strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, "prompt"), " ")))
		if got, want := tallies(terms, texts), counted(terms, texts); !slices.Equal(got, want) {
			t.Fatalf("%q in %q:\n got %q\nwant %q", terms, texts, got, want)
		}
	})
	for _, word := range words { // each by itself
		if terms := distinct(Terms(word)); len(terms) > 0 {
			if got, want := tallies(terms, []Text{{Content: word}}), counted(terms, []Text{{Content: word}}); !slices.Equal(got, want) {
				t.Errorf("%q: got %q, want %q", word, got, want)
			}
		}
	}
}

func distinct(terms []string) []string {
	slices.Sort(terms)
	return slices.Compact(terms)
}

// Many texts are counted on all processors, and come in their order.
func TestATallyOfManyTexts(t *testing.T) {
	texts := make([]Text, 5000)
	for i := range texts {
		texts[i].Content = fmt.Sprintf("text %d has %s", i, strings.Repeat("pears ", i%3))
	}
	all := tally([]string{"pear", "text"}, texts)
	if !slices.IsSortedFunc(all, func(a, b tallied) int { return a.text - b.text }) || len(all) != 5000+3333 {
		t.Errorf("%d counts", len(all))
	}
}

func FuzzTally(f *testing.F) {
	f.Add("dying", "die 'die die.x Die DIE x")
	f.Add("2", "two 2nd 2")
	f.Add("x", "x")
	f.Fuzz(func(t *testing.T, prompt, text string) {
		terms := distinct(Terms(prompt))
		if len(terms) == 0 || len(terms) > 64 || len(text) > 1000 {
			return
		}
		if got, want := tallies(terms, []Text{{Content: text}}), counted(terms, []Text{{Content: text}}); !slices.Equal(got, want) {
			t.Errorf("%q in %q: got %q, want %q", terms, text, got, want)
		}
	})
}

// A lexer that remembers words says what Terms says.
func FuzzLexer(f *testing.F) {
	f.Add("a.b c-d e’s f' g- 漢字x y漢 it's HTTPServer")
	f.Fuzz(func(t *testing.T, text string) {
		var got []string
		l := lexer[string]{intern: func(term string) string { return term }}
		for range 2 {
			got = got[:0]
			l.read(text, func(terms []string) { got = append(got, terms...) })
		}
		if want := Terms(text); !slices.Equal(got, want) {
			t.Errorf("%q, then %q", want, got)
		}
		for i := range text {
			if kind, _ := kindAt(text, i); kind != plain || text[i] >= 0x80 {
				continue
			}
			n, hash := asciiCompound(text[i:])
			if want := compound(text[i:]); n > 0 && (n != want || hash != hashOf(text[i:i+n])) {
				t.Errorf("%q begins with %d bytes, want %d", text[i:], n, want)
			}
		}
	})
}

// However many words a lexer knows, it mixes none of them up.
func TestALexerOfManyWords(t *testing.T) {
	l := lexer[string]{intern: func(term string) string { return term }}
	for range 2 {
		for i := range 20_000 {
			word, got := fmt.Sprintf("w%dx", i), ""
			l.read(word, func(terms []string) { got += strings.Join(terms, " ") })
			if got != word {
				t.Fatalf("%s gives %q", word, got)
			}
		}
	}
}

func BenchmarkTally(b *testing.B) {
	size := 0
	var texts []Text
	for _, text := range talk(100_000) {
		texts = append(texts, Text{Content: text})
		size += len(text)
	}
	terms := telling("how does handleRequest53 in internal/pkg3 treat wordcing1c and worduing14")
	b.SetBytes(int64(size))
	for b.Loop() {
		tally(terms, texts)
	}
}
