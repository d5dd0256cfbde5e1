package relevance

import (
	"runtime"
	"sync"
)

// A termCount is the number of occurrences of a term in a text.
type termCount struct{ text, term, times int }

// countTerms counts the given terms in texts and returns the counts in the order of
// texts. It uses several processors for many texts.
func countTerms(terms []string, texts []Text) []termCount {
	const share = 512 // texts for each processor, at least
	workers := max(1, min(runtime.GOMAXPROCS(0), len(texts)/share))
	pieces := make([][]termCount, workers)
	var wg sync.WaitGroup
	for w := range workers {
		from, to := w*len(texts)/workers, (w+1)*len(texts)/workers
		wg.Go(func() { pieces[w] = countTermsFrom(terms, texts[from:to], from) })
	}
	wg.Wait()
	all := pieces[0]
	for _, piece := range pieces[1:] {
		all = append(all, piece...)
	}
	return all
}

// countTermsFrom is countTerms without concurrency. first is the number of texts[0].
func countTermsFrom(terms []string, texts []Text, first int) (all []termCount) {
	numbers := make(map[string]int, len(terms))
	for i, term := range terms {
		numbers[term] = i
	}
	l := lexer[int]{prefixes: prefixesOf(terms), intern: func(term string) int {
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
			all = append(all, termCount{first + i, term, times[term]})
			times[term] = 0
		}
	}
	return all
}

// A prefixSet is the set of the first two bytes, in lower case, of all words that have
// one of some terms.
type prefixSet [1 << 16]bool

// prefixesOf returns the prefixes for terms. A stem begins like its words, except for
// irregular forms, and for a few words whose y the stemmer changes to ie.
func prefixesOf(terms []string) *prefixSet {
	b := new(prefixSet)
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

func (b *prefixSet) add(word string) {
	if len(word) > 1 {
		b[int(word[0])<<8|int(word[1])] = true
		return
	}
	for second := range 256 { // a longer word, such as 2nd, may begin with it
		b[int(word[0])<<8|second] = true
	}
}

// skipLen returns the length of the word at the start of text, with the gap after it,
// if its prefix shows that it has none of the terms. It returns 0 for other words, and
// for words with anything but lower-case letters and digits.
func (b *prefixSet) skipLen(text string) int {
	if len(text) < 2 || b[int(text[0]|0x20)<<8|int(text[1])] {
		return 0
	}
	for n := 1; n < len(text); n++ {
		if !lowerOrDigit[text[n]] {
			if n > 1 && asciiKinds[text[n]] == gap {
				return n + 1
			}
			return 0
		}
	}
	return len(text)
}

// lowerOrDigit are the bytes of words that skipLen can skip.
var lowerOrDigit = func() (small [256]bool) {
	for c := range small {
		small[c] = c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
	}
	return small
}()
