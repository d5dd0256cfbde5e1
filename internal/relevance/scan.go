package relevance

import (
	"runtime"
	"sync"
)

// A tallied is how often a text has a term.
type tallied struct{ text, term, times int }

// tally counts some terms in texts, in their order: on all processors where there
// are many.
func tally(terms []string, texts []Text) []tallied {
	const share = 512 // texts that are worth a processor
	workers := max(1, min(runtime.GOMAXPROCS(0), len(texts)/share))
	pieces := make([][]tallied, workers)
	var wg sync.WaitGroup
	for w := range workers {
		from, to := w*len(texts)/workers, (w+1)*len(texts)/workers
		wg.Go(func() { pieces[w] = tallyFrom(terms, texts[from:to], from) })
	}
	wg.Wait()
	all := pieces[0]
	for _, piece := range pieces[1:] {
		all = append(all, piece...)
	}
	return all
}

// tallyFrom is tally of texts, the first of which has a number.
func tallyFrom(terms []string, texts []Text, first int) (all []tallied) {
	numbers := make(map[string]int, len(terms))
	for i, term := range terms {
		numbers[term] = i
	}
	l := lexer[int]{begins: beginningsOf(terms), intern: func(term string) int {
		if i, ok := numbers[term]; ok {
			return i
		}
		return -1
	}}
	times, here := make([]int, len(terms)), []int{}
	count := func(found []int) {
		for _, term := range found {
			if term < 0 {
				continue
			}
			if times[term]++; times[term] == 1 {
				here = append(here, term)
			}
		}
	}
	for i, t := range texts {
		here = here[:0]
		l.read(t.Content, count)
		for _, term := range here {
			all = append(all, tallied{first + i, term, times[term]})
			times[term] = 0
		}
	}
	return all
}

// beginnings are the first two bytes, in lower case, of the words that can give
// one of some terms.
type beginnings [1 << 16]bool

// beginningsOf are those of terms. A stem begins as its words do, but for the
// irregular forms, and for a few whose y the stemmer makes an ie of.
func beginningsOf(terms []string) *beginnings {
	b := new(beginnings)
	forms := map[string][]string{"die": {"dy"}, "lie": {"ly"}, "tie": {"ty"}}
	for form, base := range baseForms() {
		forms[base] = append(forms[base], form)
	}
	for _, term := range terms {
		for _, word := range append(forms[term], term) {
			b.add(word)
		}
	}
	return b
}

func (b *beginnings) add(word string) {
	if len(word) > 1 {
		b[int(word[0])<<8|int(word[1])] = true
		return
	}
	for second := range 256 { // it may be the first of a longer one, such as 2nd
		b[int(word[0])<<8|second] = true
	}
}

// passes is how long a word is that text begins with and that can give none of
// the terms, by its beginning, with the gap behind it: a word of small letters and
// digits alone. 0: it has to be looked at.
func (b *beginnings) passes(text string) int {
	if len(text) < 2 || b[int(text[0]|0x20)<<8|int(text[1])] {
		return 0
	}
	for n := 1; n < len(text); n++ {
		if !smallLetters[text[n]] {
			if n > 1 && asciiKinds[text[n]] == gap {
				return n + 1
			}
			return 0
		}
	}
	return len(text)
}

// smallLetters are the bytes that a plain word goes on with.
var smallLetters = func() (small [256]bool) {
	for c := range small {
		small[c] = c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
	}
	return small
}()
