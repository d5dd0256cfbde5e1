package extract

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A lexicon finds known names in a line. It is a trie of words.
type lexicon struct{ root trieNode }

// A trieNode is a node of a lexicon.
type trieNode struct {
	next  map[string]*trieNode
	names []name // the names that end here
}

// A name is a name in a lexicon.
type name struct {
	text, kind string
	exact      bool // matches only in its own case
	ambiguous  bool // also a word of the language: matches only beside certain words
	lead       int  // bytes before the first word, as in "@john"
	tail       int  // bytes after the last word, as in "C++"
}

// Limits of a lexicon.
const (
	maxCustom = 1000 // configured names of a kind
	maxWords  = 24   // words of a name
)

func newLexicon(extra map[string][]string) *lexicon {
	x := &lexicon{}
	for _, kind := range Kinds() {
		for i, text := range extra[kind] {
			if i == maxCustom {
				break
			}
			if text = strings.TrimSpace(text); text != "" && len(text) <= maxNameLength {
				x.put(name{text: text, kind: kind, exact: strings.ToLower(text) != text})
			}
		}
	}
	return x
}

// builtin returns the lexicon of the lists in this package.
var builtin = sync.OnceValue(func() *lexicon {
	x := &lexicon{}
	for line := range strings.Lines(anyCase) {
		x.putList(line, name{kind: Technologies})
	}
	for line := range strings.Lines(exactCase) {
		x.putList(line, name{kind: Technologies, exact: true})
	}
	for line := range strings.Lines(ambiguous) {
		x.putList(line, name{kind: Technologies, exact: true, ambiguous: true})
	}
	for concept := range strings.SplitSeq(concepts, ",") {
		x.putConcept(strings.Join(strings.Fields(concept), " "))
	}
	return x
})

// putList adds the comma-separated names of line, with the properties of like.
func (x *lexicon) putList(line string, like name) {
	for text := range strings.SplitSeq(line, ",") {
		if like.text = strings.TrimSpace(text); like.text != "" {
			x.put(like)
		}
	}
}

// putConcept adds a concept. One in the plural also matches in the singular.
func (x *lexicon) putConcept(concept string) {
	n := name{text: concept, kind: Concepts}
	x.put(n)
	if singular, ok := strings.CutSuffix(concept, "s"); ok && !strings.HasSuffix(singular, "s") {
		x.putAs(singular, n)
	}
}

func (x *lexicon) put(n name) { x.putAs(n.text, n) }

// putAs adds n under the words of text.
func (x *lexicon) putAs(text string, n name) {
	words := splitWords(text)
	if len(words) == 0 || len(words) > maxWords {
		return
	}
	n.lead, n.tail = words[0].start, len(text)-words[len(words)-1].end
	at := &x.root
	for _, w := range words {
		key := strings.ToLower(text[w.start:w.end])
		if at.next == nil {
			at.next = map[string]*trieNode{}
		}
		if at.next[key] == nil {
			at.next[key] = &trieNode{}
		}
		at = at.next[key]
	}
	at.names = append(at.names, n)
}

// has reports whether text is a name, in any case.
func (x *lexicon) has(text string) bool {
	_, found := x.lookup(text)
	return found
}

// lookup returns the name that equals text in any case, or false.
func (x *lexicon) lookup(text string) (name, bool) {
	at := &x.root
	for _, w := range splitWords(text) {
		if at = at.next[strings.ToLower(text[w.start:w.end])]; at == nil {
			return name{}, false
		}
	}
	for _, n := range at.names {
		if strings.EqualFold(n.text, text) {
			return n, true
		}
	}
	return name{}, false
}

// splitWords returns the words of a text: runs of letters and digits. In a script
// without spaces each character is a word.
func splitWords(text string) []span {
	var words []span
	start := -1
	for i, r := range text {
		in := isWordRune(r)
		if !in && start >= 0 {
			words = append(words, span{start, i})
			start = -1
		}
		if in && start < 0 {
			start = i
		}
		if isIdeographic(r) {
			words = append(words, span{i, i + utf8.RuneLen(r)})
		}
	}
	if start >= 0 {
		words = append(words, span{start, len(text)})
	}
	return words
}

// match calls found for the names in text, for the longest one of those that begin at
// the same word. If chunks is not nil, names that are part of a larger chunk do not
// match.
func (x *lexicon) match(text string, chunks []chunk, found func(kind, name string)) {
	if len(x.root.next) == 0 {
		return
	}
	words := splitWords(text)
	lower := strings.ToLower
	c := 0
	for i := 0; i < len(words); i++ {
		at := &x.root
		var best name
		last := -1
		for j := i; j < len(words) && j-i < maxWords; j++ {
			if j > i && words[j].start-words[j-1].end > 4 {
				break
			}
			if at = at.next[lower(text[words[j].start:words[j].end])]; at == nil {
				break
			}
			for _, n := range at.names {
				if n.matches(text, span{words[i].start, words[j].end}) {
					best, last = n, j
				}
			}
		}
		if last < 0 {
			continue
		}
		place := span{words[i].start - best.lead, words[last].end + best.tail}
		for chunks != nil && c < len(chunks) && chunks[c].end <= place.start {
			c++
		}
		if chunks == nil || c == len(chunks) || chunks[c].start >= place.end || best.isSeparate(text, place, chunks[c]) && (!best.ambiguous || isTechnology(text, words, i, last, place)) {
			found(best.kind, best.text)
			i = last
		}
	}
}

// matches reports whether n is in text where its words were found.
func (n name) matches(text string, words span) bool {
	start, end := words.start-n.lead, words.end+n.tail
	if start < 0 || end > len(text) {
		return false
	}
	if before, _ := utf8.DecodeLastRuneInString(text[:start]); n.lead > 0 && isWordRune(before) {
		return false // ".env" in "prod.env"
	}
	after, _ := utf8.DecodeRuneInString(text[end:])
	if n.tail > 0 && (after == '+' || after == '#') || n.tail == 0 && n.kind == Technologies && (after == '+' && strings.HasPrefix(text[end:], "++") || after == '#') {
		return false // "C" in "C++"
	}
	there := text[start:end]
	want := n.text
	if n.kind == Concepts && len(there)+1 == len(want) { // the singular
		want = want[:len(want)-1]
	}
	if n.exact {
		return there == want
	}
	return equalLoosely(there, want)
}

// equalLoosely reports whether there equals want in any case, where a space of want
// may be a hyphen or several spaces.
func equalLoosely(there, want string) bool {
	if strings.EqualFold(there, want) {
		return true
	}
	if !strings.Contains(want, " ") {
		return false
	}
	normalize := func(s string) string {
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '-' }), " ")
	}
	return strings.EqualFold(normalize(there), normalize(want))
}

// isSeparate reports whether a name is a separate word of its chunk: "JWT-based" names
// JWT, but "redis-cli" and "redis.conf" do not name Redis.
func (n name) isSeparate(text string, at span, c chunk) bool {
	if c.opaque || c.inCode && !(c.start == at.start && c.end == at.end && c.wholeSpan) {
		return false
	}
	if at.start > c.start {
		switch before := text[at.start-1]; before {
		case '/', ':':
		default:
			return false
		}
	}
	if at.end >= c.end {
		return true
	}
	rest := text[at.end:c.end]
	switch rest[0] {
	case '.':
		return strings.Trim(rest, ".") == "" || '0' <= rest[len(rest)-1] && rest[len(rest)-1] <= '9' && !n.ambiguous
	case '-':
		suffix, _, _ := strings.Cut(strings.ToLower(rest[1:]), "-")
		return !n.ambiguous && nameSuffixes[strings.TrimRight(suffix, ".:")]
	case '/', ':':
		return true
	}
	return false
}

var nameSuffixes = set(`based backed like style only compatible specific powered side encoded signed native aware basiert basierte auth
	token tokens`)

// isTechnology reports whether the words beside an ambiguous name show that it means
// the technology.
func isTechnology(text string, words []span, first, last int, at span) bool {
	if last+1 < len(words) && isSingleSpace(text, at.end, words[last+1].start) {
		next := strings.ToLower(text[words[last+1].start:words[last+1].end])
		if technologyAfter[next] || '0' <= next[0] && next[0] <= '9' && strings.ContainsAny(text[words[last+1].end:min(len(text), words[last+1].end+1)], ".") {
			return true
		}
	}
	if first == 0 || !isSingleSpace(text, words[first-1].end, at.start) {
		return false
	}
	before := strings.ToLower(text[words[first-1].start:words[first-1].end])
	if technologyBefore[before] {
		return true
	}
	if before == "in" && first > 1 {
		return technologyBeforeIn[strings.ToLower(text[words[first-2].start:words[first-2].end])]
	}
	return false
}

// isSingleSpace reports whether text[from:to] is one space.
func isSingleSpace(text string, from, to int) bool { return from < to && text[from:to] == " " }

var (
	technologyBefore   = set(`using idiomatic golang pure plain modern embedded nutze verwende`)
	technologyBeforeIn = set(`written write rewrite rewritten implemented implement coded code build built program programmed service server client backend
		cli tool api it this that geschrieben port ported`)
	technologyAfter = set(`code module modules program programs programming package packages compiler developer developers toolchain
		binary crate crates library libraries runtime api sdk script scripts backend frontend codebase stdlib generics
		goroutines component components hooks app apps project projects language syntax struct structs function functions
		test tests server client service bindings extension extensions framework middleware version source`)
)
