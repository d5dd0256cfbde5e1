package relevance

import "strings"

// A Name is the name of something, to be found where it is mentioned.
type Name struct{ lower string }

// NewName returns the Name that is written like that, whatever its case.
func NewName(name string) Name { return Name{strings.ToLower(strings.TrimSpace(name))} }

// In says whether text mentions the name: has it literally but for its case, and
// not as a piece of a longer word.
func (n Name) In(text string) bool {
	if n.lower == "" {
		return false
	}
	text = strings.ToLower(text)
	for from := 0; ; {
		i := strings.Index(text[from:], n.lower)
		if i < 0 {
			return false
		}
		start := from + i
		end := start + len(n.lower)
		if !joined(text, start) && !joined(text, end) {
			return true
		}
		from = start + 1
	}
}

// joined says whether a word goes on across a place of text.
func joined(text string, at int) bool {
	if at == 0 || at == len(text) {
		return false
	}
	after, _ := kindAt(text, at)
	return after == plain && endsPlain(text[:at])
}

// endsPlain says whether the last character of text is a plain one.
func endsPlain(text string) bool {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] < 0x80 || text[i] >= 0xc0 { // where a character begins
			kind, _ := kindAt(text, i)
			return kind == plain
		}
	}
	return false
}

// maxAnchor is how long a part of a name may be, in bytes, to be looked up: a
// text may write each of them in three.
const maxAnchor = maxPart / 3

// anchor is a term that each text has that mentions the name: the longest there
// is, "" where none is certain.
func (n Name) anchor() string {
	best := ""
	for i := 0; i < len(n.lower); {
		size := run(n.lower[i:], plain)
		part := n.lower[i : i+size]
		if size == 0 {
			_, size = kindAt(n.lower, i)
		}
		i += size
		certain := len(part) <= maxAnchor && endingOf("'"+part) == 0 && !negated(part) &&
			!strings.ContainsFunc(part, func(r rune) bool { return r >= 0x80 })
		if terms := partTerms(nil, part); certain && len(terms) == 1 && len(terms[0]) > len(best) {
			best = terms[0]
		}
	}
	return best
}

// Candidates calls yield with each text of x that may mention the name, in their
// order; no other does.
func (n Name) Candidates(x *Index, yield func(text int)) {
	if term := n.anchor(); term != "" {
		_, list := x.find(term)
		x.each(list, func(text, _ int) { yield(text) })
		return
	}
	x.All(yield)
}

// All calls yield with each text that is not left out, in their order.
func (x *Index) All(yield func(text int)) {
	for text := range x.Texts() {
		if x.classes[text] != leftOut {
			yield(text)
		}
	}
}
