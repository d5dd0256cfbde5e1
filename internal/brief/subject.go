package brief

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
)

// A subject holds the words of something that was given up which do not stand in what took
// its place, as package relevance compares them.
type subject struct {
	lost  []string   // all but numbers; numbers where there is nothing else
	kept  []string   // where lost is numbers: the words that stand in what took its place, too
	names [][]string // each the words of one name, in any case: SQLite, net/http, GitHub Actions
	high  []string   // words with a capital, which may be everyday words in another case: Go, REST
}

const (
	longSubject = 2000 // bytes of a text that are looked at
	fewLater    = 4    // words of a text in which most have capitals
)

// termSet returns the terms of texts.
func termSet(texts ...string) map[string]bool {
	set := map[string]bool{}
	for _, text := range texts {
		for _, term := range relevance.Terms(clipped(text)) {
			set[term] = true
		}
	}
	return set
}

func clipped(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), longSubject)], "")
}

// newSubject returns the subject of a text; kept are the terms of what took its place.
func newSubject(text string, kept map[string]bool) *subject {
	text = clipped(text)
	s := &subject{}
	for _, term := range relevance.Terms(text) {
		switch {
		case kept[term]:
			s.kept = append(s.kept, term)
		case !slices.Contains(s.lost, term) && !slices.Contains(adopting, term):
			s.lost = append(s.lost, term)
		}
	}
	if slices.ContainsFunc(s.lost, hasLetter) {
		s.lost, s.kept = slices.DeleteFunc(s.lost, func(term string) bool { return !hasLetter(term) }), nil
	}
	later, capitals := 0, 0
	var high []string
	var name []string // what of one name was read
	sure := false     // it is one however it is written
	end := func() {
		if sure && slices.ContainsFunc(name, func(term string) bool { return slices.Contains(s.lost, term) }) {
			s.names = append(s.names, name)
		}
		name, sure = nil, false
	}
	for i, word := range wordsOf(text) {
		if i > 0 {
			later++
		}
		whole, exact := nameTerm(word.text)
		if whole == "" {
			end()
			continue
		}
		if !exact && slices.Contains(s.lost, whole) {
			high = append(high, whole)
		}
		if word.first && !exact { // any word may have a capital there
			continue
		}
		if !exact {
			capitals++
		}
		name = append(name, whole)
		sure = sure || exact || len(name) > 1
	}
	end()
	s.high = high
	if later >= fewLater && 2*capitals >= later { // as in a title, or in German
		s.names, s.high = nil, nil
	}
	return s
}

// namedIn reports whether one of the sentences names s.
func (s *subject) namedIn(asked []sentence) bool {
	return len(s.lost) > 0 && slices.ContainsFunc(asked, func(a sentence) bool {
		if len(s.kept) > 0 && !slices.ContainsFunc(s.kept, func(term string) bool { return a.words[term] }) {
			return false
		}
		if slices.ContainsFunc(s.high, func(term string) bool { return a.high[term] || a.proposed[term] }) || slices.ContainsFunc(s.names, func(name []string) bool {
			return !slices.ContainsFunc(name, func(term string) bool { return !a.words[term] })
		}) {
			return true
		}
		of, bare, proposed := 0, 0, 0
		for _, term := range s.lost {
			if a.proposed[term] {
				proposed++
			}
			if a.words[term] && !slices.Contains(s.high, term) {
				of++
				if a.bare[term] {
					bare++
				}
			}
		}
		return of > 0 && (a.back || proposed > 0) && 2*of >= len(s.lost) ||
			a.weighs && of == len(s.lost) && (of > 1 || bare > 0)
	})
}

// A sentence is one of a prompt that may go back on something, weigh it, or propose it.
type sentence struct {
	words    map[string]bool // as package relevance compares them
	high     map[string]bool // of these, those with a capital that the place in the sentence does not explain
	bare     map[string]bool // of these, those behind no article
	proposed map[string]bool // of these, those that are to be used, or asked about, by themselves
	back     bool            // it asks why we gave something up, or is for going back to it
	weighs   bool            // it asks about something
}

var (
	sentenceEnd = lazyregexp.New(`[.!?;:]+(?:\s|$)|\n`)
	goingBack   = lazyregexp.New(`(?i)\bwhy\s+(?:not?|(?:did|do|don.?t|didn.?t|would|wouldn.?t|are|aren.?t|have|haven.?t|can.?t|couldn.?t|shouldn.?t)\s+we)\b` +
		`|\binstead\s+of\b|\bback\s+to\b|\bmoved?\s+away\s+from\b|\bg(?:e|o)t\s+rid\s+of\b|\b(?:reconsider|revisit)\b` +
		`|\bwe\s+(?:dropped|abandoned|rejected|gave\s+up|threw|replaced|removed|decided\s+against|used\s+to|had)\b`)
	weighing = lazyregexp.New(`(?i)\b(?:what|how)\s+about\b|\bwhat\s+(?:was\s+wrong\s+with|happened\s+to|if)\b|\b(?:should|could|can|shall)\s+we\b`)
	// naming matches what makes a name enough.
	naming    = lazyregexp.New(`(?i)\bwhy\b|\b(?:have|had|did)\s+we\b|\b(?:use|using|try|adopt|prefer|choose|pick|add|adding|introduce|install|replace|swap|switch|migrate|port|move|convert|rewrite)\b|\bset\s+up\b|\bgo\s+with\b`)
	adopting  = []string{"use", "using", "try", "trying", "adopt", "adopting", "prefer", "choose", "pick"}
	turning   = []string{"switch", "switching", "migrate", "migrating", "port", "porting", "move", "moving", "convert", "converting", "rewrite", "rewriting", "go", "going", "replace", "swap"}
	direction = []string{"to", "in", "into", "with", "for"}
	asking    = []string{"why not", "why no", "instead of", "back to", "what about", "how about", "happened to", "wrong with", "rid of", "away from"}
	articles  = []string{"a", "an", "the", "this", "that", "these", "those", "our", "your", "my", "its", "each", "every", "any", "no"}
	closing   = []string{"please", "instead", "again", "now", "here", "today", "too"}
)

// sentencesOf returns the sentences of a prompt that may name something that was given up.
func sentencesOf(prompt string) (all []sentence) {
	for from := 0; from < len(prompt); {
		end, next := len(prompt), len(prompt)
		if at := sentenceEnd.FindStringIndex(prompt[from:]); at != nil {
			end, next = from+at[0], from+at[1]
		}
		text := prompt[from:end]
		s := sentence{
			words: map[string]bool{}, high: map[string]bool{}, bare: map[string]bool{}, proposed: map[string]bool{},
			back: goingBack.MatchString(text), weighs: weighing.MatchString(text),
		}
		s.read(wordsOf(text))
		if s.back || s.weighs || len(s.proposed) > 0 || naming.MatchString(text) {
			all = append(all, s)
		}
		from = next
	}
	return all
}

func (s *sentence) read(words []word) {
	last, before, turns := "", "", false
	for i, word := range words {
		terms, low := relevance.Terms(word.text), strings.ToLower(word.text)
		led := slices.Contains(adopting, before) || turns && slices.Contains(direction, before) || slices.Contains(asking, last+" "+before)
		alone := i+1 == len(words) || len(relevance.Terms(words[i+1].text)) == 0 || slices.Contains(closing, strings.ToLower(words[i+1].text))
		r, _ := utf8.DecodeRuneInString(word.text)
		for _, term := range terms {
			s.words[term] = true
			s.bare[term] = s.bare[term] || !slices.Contains(articles, before)
			s.high[term] = s.high[term] || unicode.IsUpper(r) && !word.first
			if led && alone && !slices.Contains(adopting, low) {
				s.proposed[term] = true
			}
		}
		turns = turns || slices.Contains(turning, low)
		last, before = before, low
	}
}

// A word is one of a text, without the marks around it.
type word struct {
	text  string
	first bool // of its sentence
}

func wordsOf(text string) (all []word) {
	first := true
	for w := range strings.FieldsSeq(text) {
		if trimmed := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); trimmed != "" {
			all = append(all, word{trimmed, first})
			first = false
		}
		first = first || sentenceEnd.MatchString(w)
	}
	return all
}

// nameTerm returns the term of a word that may be a name; "" for any other. exact reports that it
// is one in any case: it has a joint, as net/http has, a capital inside, as SQLite has, or
// letters before a digit, as sha256 has.
func nameTerm(word string) (term string, exact bool) {
	terms := relevance.Terms(word)
	if len(terms) == 0 {
		return "", false
	}
	r, size := utf8.DecodeRuneInString(word)
	joined := strings.ContainsAny(word, "_./@")
	inside := strings.ContainsFunc(word, unicode.IsLower) && strings.ContainsFunc(word[size:], unicode.IsUpper)
	digit := strings.IndexFunc(word, unicode.IsDigit)
	switch {
	case joined:
		low := strings.ToLower(word)
		if i := slices.Index(terms, low); i >= 0 {
			return low, true
		}
	case inside, digit > 1:
		return terms[len(terms)-1], true
	case unicode.IsUpper(r):
		return terms[len(terms)-1], false
	}
	return "", false
}

func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }
