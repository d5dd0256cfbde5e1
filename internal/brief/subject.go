package brief

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
)

// A subject holds the words of something that was given up, as package relevance compares
// them.
type subject struct {
	words    []string // all
	lost     []string // those that what took its place does not have
	names    []string // of lost, those that are names however they are written
	capitals []string // of lost, those that are names if they are written with a capital
}

const (
	longSubject = 2000 // bytes of a text that are looked at
	longName    = 5    // letters: a shorter word with a capital is often an everyday word, too, as Go and REST are
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
	s := &subject{words: distinct(relevance.Terms(text))}
	isLost := func(term string) bool { return !kept[term] && strings.ContainsFunc(term, unicode.IsLetter) }
	for _, term := range s.words {
		if isLost(term) {
			s.lost = append(s.lost, term)
		}
	}
	first, later, high := true, 0, 0
	var long []string // with a capital that the place in the sentence does not explain
	for word := range strings.FieldsSeq(text) {
		word, ends := strings.TrimFunc(word, notInWord), sentenceEnd.MatchString(word)
		if !first {
			later++
		}
		for _, term := range nameTerms(word) {
			if isLost(term) {
				s.names = append(s.names, term)
			}
		}
		if term := capitalTerm(word); term != "" {
			if !first {
				high++
			}
			if isLost(term) {
				s.capitals = append(s.capitals, term)
				if !first && utf8.RuneCountInString(word) >= longName {
					long = append(long, term)
				}
			}
		}
		first = ends
	}
	switch {
	case later < fewLater || 2*high < later:
		s.names = append(s.names, long...)
	default: // as in a title, or in German
		s.capitals = nil
	}
	return s
}

// call adds ids and files by which the subject is called, without those of what took its place.
func (s *subject) call(ids, kept []string) {
	for _, id := range ids {
		if !slices.Contains(kept, id) {
			s.names = append(s.names, strings.ToLower(id))
		}
	}
}

// namedIn reports whether one of the sentences names s.
func (s *subject) namedIn(asked []sentence) bool {
	return slices.ContainsFunc(asked, func(a sentence) bool {
		of := shared(s.lost, a.words)
		switch {
		case shared(s.names, a.words) > 0, shared(s.capitals, a.capitals) > 0:
			return true
		case of == 0:
			return false
		case a.back:
			return 2*of >= len(s.lost)
		case of == len(s.lost) && (of > 1 || a.asks && len(s.capitals) == 0):
			return true
		}
		return shared(s.words, a.words) == len(a.words) && len(s.capitals) == 0
	})
}

// A sentence is one of a prompt.
type sentence struct {
	words    map[string]bool // as package relevance compares them
	capitals map[string]bool // of these, those with a capital that the place in the sentence does not explain
	asks     bool
	back     bool // it asks why, or to go back
}

var (
	sentenceEnd = lazyregexp.New(`[.!?;:]+(?:\s|$)|\n`)
	goingBack   = lazyregexp.New(`(?i)\b(?:why|instead|again|back|anymore|drop(?:ped)?|thr[eo]wn?|g[ai]ven? up|abandon(?:ed)?|reject(?:ed)?|revert(?:ed)?|reconsider|replaced?)\b`)
)

// sentencesOf returns the sentences of a prompt that say something. One of a single word
// does if it asks.
func sentencesOf(prompt string) (all []sentence) {
	for from := 0; from < len(prompt); {
		end, next := len(prompt), len(prompt)
		if at := sentenceEnd.FindStringIndex(prompt[from:]); at != nil {
			end, next = from+at[0], from+at[1]
		}
		text := prompt[from:end]
		s := sentence{words: map[string]bool{}, capitals: map[string]bool{}, asks: strings.Contains(prompt[end:next], "?"), back: goingBack.MatchString(text)}
		for _, term := range relevance.QueryTerms(text) {
			s.words[term] = true
		}
		if len(s.words) > 1 || len(s.words) == 1 && (s.asks || s.back) {
			first := true
			for word := range strings.FieldsSeq(text) {
				if term := capitalTerm(strings.TrimFunc(word, notInWord)); term != "" && !first {
					s.capitals[term] = true
				}
				first = false
			}
			all = append(all, s)
		}
		from = next
	}
	return all
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// nameTerms returns the terms by which a word is a name in any case: it has a joint, as
// net/http does, or a capital inside, as SQLite does, or a digit.
func nameTerms(word string) []string {
	joined := strings.ContainsAny(word, "_./@-")
	mixed := strings.ContainsFunc(word, unicode.IsLower) && strings.ContainsFunc(word[min(1, len(word)):], unicode.IsUpper)
	if !joined && !mixed && !strings.ContainsFunc(word, unicode.IsDigit) {
		return nil
	}
	terms := relevance.Terms(word)
	if !joined {
		return terms[max(0, len(terms)-1):] // the whole; what stands before it are its parts
	}
	return slices.DeleteFunc(terms, func(term string) bool { return !strings.ContainsAny(term, "_./@-") })
}

// capitalTerm returns the term of a word that begins with a capital; "" for any other.
func capitalTerm(word string) string {
	if r, _ := utf8.DecodeRuneInString(word); !unicode.IsUpper(r) {
		return ""
	}
	terms := relevance.Terms(word)
	if len(terms) != 1 {
		return ""
	}
	return terms[0]
}

// shared returns how many of the words are in a set.
func shared(words []string, set map[string]bool) (n int) {
	for _, word := range words {
		if set[word] {
			n++
		}
	}
	return n
}

// distinct returns words, sorted, each once.
func distinct(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
