package audit

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A block is a paragraph, a list item, or a row of code or of a table.
type block struct {
	line    int
	text    string
	section *section
	lead    *block // the block that introduces it with a colon at its end; nil if none

	ids   map[string]bool // the ids in it; see names
	words string          // its normalized words once computed; see sameWords
	age   age
}

// A section is the text between one heading and the next.
type section struct {
	heading string // the headings above it, outermost first

	looked, past, log bool // see isPast and isLog
}

// An age tells blocks about the past from others, once it is computed.
type age uint8

const (
	unknown age = iota
	ofNow
	ofThePast
)

const (
	maxBlock   = 16 << 10 // bytes of a block that are read; a longer one is not one statement
	maxHeading = 200      // bytes of a heading that are read
)

var commentMark = lazyregexp.New(`^\s*(?://+!?|#+!?|--|;+|/\*+|\*+/?|"""|'''|%)\s?`)

// A word is a word that texts are searched for.
type word struct {
	text       string
	from, upTo bool // it must begin, and end, at a word boundary
}

// past holds the marks of text that is no longer true.
var past = [...]word{
	{"~~", false, false}, {"supersed", true, false}, {"replaced", true, true}, {"replaces", true, true}, {"obsolete", true, false},
	{"no longer", true, true}, {"deprecated", true, true}, {"outdated", true, true}, {"overturned", true, true}, {"revoked", true, true},
	{"rejected", true, true}, {"withdrawn", true, true}, {"formerly", true, true}, {"previously", true, true}, {"used to", true, true},
	{"history", true, true}, {"historical", true, true}, {"archive", true, true}, {"archived", true, true}, {"ersetzt", true, true},
	{"veraltet", true, true}, {"überholt", true, true}, {"verworfen", true, true}, {"abgelöst", true, true}, {"nicht mehr", false, false},
	{"取代", false, false}, {"废弃", false, false}, {"作废", false, false}, {"不再", false, false}, {"已替换", false, false},
}

// log holds the names of sections that record events in order.
var log = [...]word{
	{"log", true, true}, {"logs", true, true}, {"timeline", true, true}, {"chronicle", true, true}, {"changelog", true, true},
	{"journal", true, true}, {"protokoll", true, true}, {"verlauf", true, true},
}

// says reports whether a text in lower case contains one of words.
func says(text string, words []word) bool {
	for _, w := range words {
		for rest := 0; ; {
			i := strings.Index(text[rest:], w.text)
			if i < 0 {
				break
			}
			i += rest
			rest = i + len(w.text)
			if w.from && endsInLetter(text[:i]) || w.upTo && beginsWithLetter(text[rest:]) {
				continue
			}
			return true
		}
	}
	return false
}

func endsInLetter(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func beginsWithLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isPast reports whether the heading marks the section as no longer true.
func (s *section) isPast() bool {
	s.look()
	return s.past
}

// isLog reports whether the section records events in order.
func (s *section) isLog() bool {
	s.look()
	return s.log
}

func (s *section) look() {
	if s.looked {
		return
	}
	text := strings.ToLower(s.heading)
	s.looked, s.past, s.log = true, says(text, past[:]), says(text, log[:])
}

// marked reports whether a block, a heading above it or its introduction marks it as
// past.
func (b *block) marked() bool {
	if b.age == unknown {
		b.age = ofNow
		if b.section.isPast() || says(strings.ToLower(b.text), past[:]) || b.lead != nil && b.lead.introduces() && b.lead.marked() {
			b.age = ofThePast
		}
	}
	return b.age == ofThePast
}

// introduces reports whether a block ends in a colon and so introduces the items after
// it.
func (b *block) introduces() bool {
	return strings.HasSuffix(strings.TrimRight(b.text, " \t\n*_"), ":")
}

// names reports whether a block contains an id.
func (b *block) names(id string) bool {
	if b.ids == nil {
		b.ids = map[string]bool{}
		for found := range idsIn(b.text) {
			b.ids[found] = true
		}
	}
	return b.ids[id]
}

// lines yields the lines of a block with their numbers.
func (b *block) lines() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := b.line
		for line := range strings.Lines(b.text) {
			if !yield(n, line) {
				return
			}
			n++
		}
	}
}

// sentences splits a block into sentences.
func (b *block) sentences() []string {
	text := strings.Join(strings.Fields(b.text), " ")
	var all []string
	from := 0
	for i := 0; i+1 < len(text); i++ {
		if (text[i] == '.' || text[i] == '!' || text[i] == '?' || text[i] == ';') && text[i+1] == ' ' {
			all = append(all, text[from:i+1])
			from = i + 2
		}
	}
	return append(all, text[from:])
}

// idsIn yields possible ids in a text: runs of characters of ids, without punctuation
// at the end and without a file name extension.
func idsIn(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		inID := func(c byte) bool {
			return c == '-' || c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
		}
		for i := 0; i < len(text); {
			if !inID(text[i]) {
				i++
				continue
			}
			from := i
			for i < len(text) && inID(text[i]) {
				i++
			}
			id := strings.TrimRight(strings.TrimLeft(text[from:i], "-."), "-._")
			id = strings.TrimSuffix(id, ".json")
			if likely(id) && !yield(id) {
				return
			}
		}
	}
}

// sameWords returns a text in lower case with single spaces.
func sameWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), " ")
}
