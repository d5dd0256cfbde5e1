package relevance

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// referenceCounts computes the result of countTerms with Terms.
func referenceCounts(terms []string, texts []Text) (all []string) {
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

func countsOf(terms []string, texts []Text) (all []string) {
	for _, c := range countTerms(terms, texts) {
		all = append(all, fmt.Sprint(c.text, terms[c.term], c.times, c.term))
	}
	slices.Sort(all)
	return all
}

// words are words whose terms may begin differently from the word.
var words = append(strings.Fields(irregularForms), strings.Fields(`dying die lying lie tying tie skies sky skis ski idly gently ugly early only
	singly news user's users o'clock don't HTTPServer httpserver getUserURLs snake_case kebab-case internal/refresh/loop.go:12 x X 2nd 7 sha256
	a be Be. naïve cafe\u0301 été ÉTÉ \u212aelvin kelvin 東京都 京都 well-known yes youth Yes, "quoted" (user) user, user; u us use usER`)...)

// countTerms skips no word that has one of the terms.
func TestCountTermsMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) Text {
			return Text{Content: strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, "words"), rapid.SampledFrom([]string{" ", ", ", ".", "\n"}).Draw(t, "between"))}
		})
		texts := rapid.SliceOfN(text, 0, 5).Draw(t, "texts")
		terms := distinct(Terms(strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, "prompt"), " ")))
		if got, want := countsOf(terms, texts), referenceCounts(terms, texts); !slices.Equal(got, want) {
			t.Fatalf("%q in %q:\n got %q\nwant %q", terms, texts, got, want)
		}
	})
	for _, word := range words { // each word alone
		if terms := distinct(Terms(word)); len(terms) > 0 {
			if got, want := countsOf(terms, []Text{{Content: word}}), referenceCounts(terms, []Text{{Content: word}}); !slices.Equal(got, want) {
				t.Errorf("%q: got %q, want %q", word, got, want)
			}
		}
	}
}

func distinct(terms []string) []string {
	slices.Sort(terms)
	return slices.Compact(terms)
}

// The counts of many texts, from several processors, are in the order of the texts.
func TestCountTermsOfManyTexts(t *testing.T) {
	texts := make([]Text, 5000)
	for i := range texts {
		texts[i].Content = fmt.Sprintf("text %d has %s", i, strings.Repeat("pears ", i%3))
	}
	all := countTerms([]string{"pear", "text"}, texts)
	if !slices.IsSortedFunc(all, func(a, b termCount) int { return a.text - b.text }) || len(all) != 5000+3333 {
		t.Errorf("got %d counts", len(all))
	}
}

func FuzzCountTerms(f *testing.F) {
	f.Add("dying", "die 'die die.x Die DIE x")
	f.Add("2", "two 2nd 2")
	f.Add("x", "x")
	f.Fuzz(func(t *testing.T, prompt, text string) {
		terms := distinct(Terms(prompt))
		if len(terms) == 0 || len(terms) > 64 || len(text) > 1000 {
			return
		}
		if got, want := countsOf(terms, []Text{{Content: text}}), referenceCounts(terms, []Text{{Content: text}}); !slices.Equal(got, want) {
			t.Errorf("%q in %q: got %q, want %q", terms, text, got, want)
		}
	})
}

// A lexer with a cache of words gives the same terms as Terms.
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
			t.Errorf("got %q, want %q", got, want)
		}
		for i := range text {
			if kind, _ := kindAt(text, i); kind != plain || text[i] >= 0x80 {
				continue
			}
			n, hash := asciiCompound(text[i:])
			if want := compoundLen(text[i:]); n > 0 && (n != want || hash != hashOf(text[i:i+n])) {
				t.Errorf("compound in %q: got %d bytes, want %d", text[i:], n, want)
			}
		}
	})
}

// A lexer with many words in its cache confuses none of them.
func TestLexerOfManyWords(t *testing.T) {
	l := lexer[string]{intern: func(term string) string { return term }}
	for range 2 {
		for i := range 20_000 {
			word, got := fmt.Sprintf("w%dx", i), ""
			l.read(word, func(terms []string) { got += strings.Join(terms, " ") })
			if got != word {
				t.Fatalf("%s: got %q", word, got)
			}
		}
	}
}

func BenchmarkCountTerms(b *testing.B) {
	size := 0
	var texts []Text
	for _, text := range talk(100_000) {
		texts = append(texts, Text{Content: text})
		size += len(text)
	}
	terms := QueryTerms("how does handleRequest53 in internal/pkg3 treat wordcing1c and worduing14")
	b.SetBytes(int64(size))
	for b.Loop() {
		countTerms(terms, texts)
	}
}
