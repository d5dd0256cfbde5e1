package relevance

import "strings"

// A Name is a name to search for in texts.
type Name struct{ lower string }

// NewName returns the Name for a text, ignoring case and surrounding white space.
func NewName(name string) Name { return Name{strings.ToLower(strings.TrimSpace(name))} }

// In reports whether text contains the name in any case, and not as part of a longer
// word.
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
		if !insideWord(text, start) && !insideWord(text, end) {
			return true
		}
		from = start + 1
	}
}

// insideWord reports whether the characters before and after text[at:] are of one
// word.
func insideWord(text string, at int) bool {
	if at == 0 || at == len(text) {
		return false
	}
	after, _ := kindAt(text, at)
	return after == plain && endsPlain(text[:at])
}

// endsPlain reports whether the last character of text is plain.
func endsPlain(text string) bool {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] < 0x80 || text[i] >= 0xc0 { // the first byte of a character
			kind, _ := kindAt(text, i)
			return kind == plain
		}
	}
	return false
}

// maxAnchor limits the length of an anchor in bytes: a text may write each of them
// with three bytes, such as the Kelvin sign for k.
const maxAnchor = maxPart / 3

// anchor returns a term that every text with the name has, the longest one, or "" if
// no term is certain.
func (n Name) anchor() string {
	best := ""
	for i := 0; i < len(n.lower); {
		size := runLen(n.lower[i:], plain)
		part := n.lower[i : i+size]
		if size == 0 {
			_, size = kindAt(n.lower, i)
		}
		i += size
		certain := len(part) <= maxAnchor && endingLen("'"+part) == 0 && !isNegated(part) &&
			!strings.ContainsFunc(part, func(r rune) bool { return r >= 0x80 })
		if terms := partTerms(nil, part); certain && len(terms) == 1 && len(terms[0]) > len(best) {
			best = terms[0]
		}
	}
	return best
}

// Candidates calls yield, in order, with the texts of x that may mention the name. No
// other text does.
func (n Name) Candidates(x *Index, yield func(text int)) {
	if term := n.anchor(); term != "" {
		_, list := x.find(term)
		x.each(list, func(text, _ int) { yield(text) })
		return
	}
	x.All(yield)
}

// All calls yield with the texts that are not excluded, in order.
func (x *Index) All(yield func(text int)) {
	for text := range x.Texts() {
		if x.classes[text] != excludedClass {
			yield(text)
		}
	}
}
