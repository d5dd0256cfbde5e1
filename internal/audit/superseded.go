package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
)

// superseded finds mentions of superseded decisions in texts.
type superseded struct {
	s       *survey
	told    []telling
	numbers map[string]int32 // of terms that superseded decisions have
	anchor  map[int32][]int  // the rarest term of a decision → indexes into told
	starts  map[string]bool  // how anchors begin, to pass over most texts
	exact   map[string][]int // words of short decisions → indexes into told
	most    int              // terms of a sentence that may restate one of them
	left    int              // comparisons that may still be made
	ready   bool
}

// A telling is what a superseded decision says, as terms.
type telling struct {
	id, by   string
	terms    []int32         // the rarest first
	new      map[string]bool // terms that only its successors have; nil before anybody asked
	negative bool
}

// A mention is a place that says what holds no more.
type mention struct {
	id, by   string
	line     int
	text     string
	restated bool // in its words, not by its id
}

const (
	fewTerms = 4  // a decision of fewer terms is restated only by all of its words
	stem     = 3  // bytes of a term that stemming leaves alone
	longest  = 20 // decisions of a chain that are followed
	near     = 2  // of them whose words are looked for, too
	// maxCompared is how many terms are compared, for ten thousand decisions that
	// say nearly the same must not keep a terminal waiting.
	maxCompared = 15_000_000
)

var negation = lazyregexp.New(`(?i)\b(?:not|never|no|without|nor|don't|won't|avoid|kein\w*|nicht|nie)\b|n't\b`)

func newSuperseded(s *survey) *superseded { return &superseded{s: s, left: maxCompared} }

// mostMentions is how many superseded decisions one text is said to go by.
const (
	mostMentions = 100
	tooMany      = "superseded decisions beyond the first 100 of a text"
)

// prepare reads what the superseded decisions say. Most trees have nothing to
// compare it with.
func (o *superseded) prepare() {
	if o.ready {
		return
	}
	o.ready = true
	o.numbers, o.anchor, o.starts, o.exact = map[string]int32{}, map[int32][]int{}, map[string]bool{}, map[string][]int{}
	current := map[string]bool{} // what holds is not stale, even if it once was superseded
	for _, d := range o.s.current {
		current[sameWords(d.Decision)] = true
	}
	var seen []int
	var words []string        // of numbers
	same := map[string]bool{} // several in the same words are told of once
	for _, d := range o.s.standing.All() {
		by, gone := o.s.standing.SupersededBy(d.ID)
		if !gone {
			continue
		}
		said := sameWords(d.Decision)
		if current[said] || same[said] {
			continue
		}
		same[said] = true
		terms := termsOf(d.Decision)
		if len(terms) < fewTerms {
			if strings.Contains(said, " ") {
				o.exact[said] = append(o.exact[said], len(o.told))
			}
			terms = nil
		}
		t := telling{id: d.ID, by: by, terms: make([]int32, 0, len(terms)), negative: negation.MatchString(d.Decision)}
		for term := range terms {
			n, known := o.numbers[term]
			if !known {
				n = int32(len(words))
				o.numbers[term] = n
				words, seen = append(words, term), append(seen, 0)
			}
			seen[n]++
			t.terms = append(t.terms, n)
		}
		o.most = max(o.most, 2*len(terms)+fewTerms)
		o.told = append(o.told, t)
	}
	for i, t := range o.told {
		if len(t.terms) == 0 {
			continue
		}
		slices.SortFunc(t.terms, func(a, b int32) int { return cmp.Or(seen[a]-seen[b], strings.Compare(words[a], words[b])) })
		rarest := t.terms[0]
		o.anchor[rarest] = append(o.anchor[rarest], i)
		o.starts[words[rarest][:min(stem, len(words[rarest]))]] = true
	}
}

// termsOf are the terms of a text, whatever the case of its letters: names such
// as SQLite would else come in parts.
func termsOf(text string) map[string]bool {
	set := map[string]bool{}
	if len(text) > maxBlock {
		text = text[:maxBlock]
	}
	for _, term := range relevance.Terms(strings.ToLower(strings.ToValidUTF8(text, " "))) {
		set[term] = true
	}
	return set
}

// A page is a text in its blocks.
type page struct {
	blocks []*block
	last   map[sectionID]int // the line on which a section names an id last
}

type sectionID struct {
	section *section
	id      string
}

func newPage(src string, markdown bool) *page { return &page{blocks: blocks(src, markdown)} }

// names says whether a section names an id below a line.
func (p *page) names(section *section, below int, id string) bool {
	if p.last == nil {
		p.last = map[sectionID]int{}
		for _, b := range p.blocks {
			for found := range idsIn(b.text) {
				p.last[sectionID{b.section, found}] = b.line
			}
		}
	}
	return p.last[sectionID{section, id}] > below
}

// byID finds the ids of superseded decisions in a text that is not marked as
// past. Each id is told once for a text.
func (o *superseded) byID(p *page) (found []mention) {
	told := map[string]bool{}
	for _, b := range p.blocks {
		var passed map[string]bool // ids that stand here in good company
		for line, text := range b.lines() {
			for id := range idsIn(text) {
				by, gone := o.s.standing.SupersededBy(id)
				if !gone || told[id] || passed[id] {
					continue
				}
				if b.marked() || o.aware(p, b, by) {
					if passed == nil {
						passed = map[string]bool{}
					}
					passed[id] = true
					continue
				}
				if len(found) == mostMentions {
					o.s.leaveOut(tooMany, fmt.Sprintf("only %d are reported", mostMentions))
					return found
				}
				told[id] = true
				found = append(found, mention{id: id, by: by, line: line, text: text})
			}
		}
	}
	return found
}

// aware says whether the reader of a block learns what superseded: the block
// names it or says all that it says, or a log names it further on.
func (o *superseded) aware(p *page, b *block, by string) bool {
	for next, steps := by, 0; next != "" && steps < longest; steps++ {
		if b.names(next) || b.section.isLog() && p.names(b.section, b.line, next) {
			return true
		}
		if i, known := o.s.byID[next]; known && steps < near && o.left > 0 {
			if b.words == "" {
				b.words = " " + sameWords(b.text) + " "
			}
			said := sameWords(o.s.decisions[i].Decision)
			o.left -= (len(said) + len(b.words)) / 16
			if said != "" && strings.Contains(b.words, " "+said+" ") {
				return true
			}
		}
		next, _ = o.s.standing.SupersededBy(next)
	}
	return false
}

// restated finds blocks that say what a superseded decision said, and nothing
// of what came instead. What byID found is not told again.
func (o *superseded) restated(p *page, but []mention) (found []mention) {
	o.prepare()
	if len(o.told) == 0 {
		return nil
	}
	told := map[string]bool{}
	for _, m := range but {
		told[m.id] = true
	}
	for _, b := range p.blocks {
		if !o.worth(b.text) {
			continue
		}
		for _, sentence := range b.sentences() {
			for _, i := range o.candidates(sentence) {
				t := o.told[i]
				if told[t.id] || b.marked() || o.aware(p, b, t.by) {
					continue
				}
				if len(found) == mostMentions {
					o.s.leaveOut(tooMany, fmt.Sprintf("only %d are reported", mostMentions))
					return found
				}
				told[t.id] = true
				found = append(found, mention{id: t.id, by: t.by, line: b.line, text: sentence, restated: true})
			}
		}
	}
	return found
}

// worth says whether a text has a word that begins as an anchor does.
func (o *superseded) worth(text string) bool {
	if len(o.exact) > 0 {
		return true
	}
	text = strings.ToLower(text)
	start := true
	for i := range len(text) {
		c := text[i]
		inWord := c >= 0x80 || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if inWord && start {
			for n := 1; n <= stem && i+n <= len(text); n++ {
				if o.starts[text[i:i+n]] {
					return true
				}
			}
		}
		start = !inWord || c >= 0x80
	}
	return false
}

// candidates are the superseded decisions that a sentence restates.
func (o *superseded) candidates(sentence string) (which []int) {
	if len(o.exact) > 0 {
		which = append(which, o.exact[sameWords(sentence)]...)
	}
	if o.left <= 0 {
		o.s.leaveOut("texts that restate superseded decisions", "so many are alike")
		return which
	}
	terms := termsOf(sentence)
	if len(terms) > o.most {
		return which
	}
	has := make(map[int32]bool, len(terms))
	for term := range terms {
		if n, known := o.numbers[term]; known {
			has[n] = true
		}
	}
	for term := range has {
		for _, i := range o.anchor[term] {
			if o.restates(terms, has, &o.told[i]) && o.told[i].negative == negation.MatchString(sentence) {
				which = append(which, i)
			}
		}
	}
	slices.Sort(which)
	return which
}

// restates says whether terms have all that t has, not much more, and nothing of
// what came instead. has are those of them that some superseded decision has.
func (o *superseded) restates(terms map[string]bool, has map[int32]bool, t *telling) bool {
	o.left--
	if len(has) < len(t.terms) || len(terms) > 2*len(t.terms)+fewTerms {
		return false
	}
	for _, term := range t.terms[1:] { // has the first
		o.left--
		if !has[term] {
			return false
		}
	}
	for term := range terms {
		if o.newIn(t)[term] {
			return false
		}
	}
	return true
}

// newIn are the terms that only those have that came instead of t.
func (o *superseded) newIn(t *telling) map[string]bool {
	if t.new != nil {
		return t.new
	}
	t.new = map[string]bool{}
	old := termsOf(o.s.decisions[o.s.byID[t.id]].Decision)
	for next, steps := t.by, 0; next != "" && steps < longest; steps++ {
		o.left -= 100 // it is read anew
		for term := range termsOf(o.s.decisions[o.s.byID[next]].Decision) {
			if !old[term] {
				t.new[term] = true
			}
		}
		next, _ = o.s.standing.SupersededBy(next)
	}
	return t.new
}
