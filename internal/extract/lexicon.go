package extract

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A lexicon finds known names in a line, word by word.
type lexicon struct{ root term }

// A term is what has been read of names so far.
type term struct {
	next  map[string]*term
	names []name // that end here
}

// A name is one of a lexicon.
type name struct {
	text, kind string
	exact      bool // found only in the case that it is written in
	wary       bool // a word of the language too: found only where what stands beside it says so
	lead       int  // bytes before the first word, as of "@john"
	tail       int  // bytes behind the last word, as of "C++"
}

// What a lexicon of one's own holds at most, by kind, and how many words a name
// has at most.
const (
	mostOwn   = 1000
	mostWords = 24
)

func newLexicon(more map[string][]string) *lexicon {
	x := &lexicon{}
	for _, kind := range Kinds() {
		for i, text := range more[kind] {
			if i == mostOwn {
				break
			}
			if text = strings.TrimSpace(text); text != "" && len(text) <= longestName {
				x.put(name{text: text, kind: kind, exact: strings.ToLower(text) != text})
			}
		}
	}
	return x
}

// builtin is the lexicon of the house.
var builtin = sync.OnceValue(func() *lexicon {
	x := &lexicon{}
	for line := range strings.Lines(anyCase) {
		x.list(line, name{kind: Technologies})
	}
	for line := range strings.Lines(asWritten) {
		x.list(line, name{kind: Technologies, exact: true})
	}
	for line := range strings.Lines(wary) {
		x.list(line, name{kind: Technologies, exact: true, wary: true})
	}
	for concept := range strings.SplitSeq(concepts, ",") {
		x.plural(strings.Join(strings.Fields(concept), " "))
	}
	return x
})

// list puts names that commas part, like another.
func (x *lexicon) list(line string, like name) {
	for text := range strings.SplitSeq(line, ",") {
		if like.text = strings.TrimSpace(text); like.text != "" {
			x.put(like)
		}
	}
}

// plural puts a concept; one in the plural is found in the singular too.
func (x *lexicon) plural(concept string) {
	n := name{text: concept, kind: Concepts}
	x.put(n)
	if singular, ok := strings.CutSuffix(concept, "s"); ok && !strings.HasSuffix(singular, "s") {
		x.putAs(singular, n)
	}
}

func (x *lexicon) put(n name) { x.putAs(n.text, n) }

// putAs puts n to be found where text stands.
func (x *lexicon) putAs(text string, n name) {
	words := wordsIn(text)
	if len(words) == 0 || len(words) > mostWords {
		return
	}
	n.lead, n.tail = words[0].start, len(text)-words[len(words)-1].end
	at := &x.root
	for _, w := range words {
		key := strings.ToLower(text[w.start:w.end])
		if at.next == nil {
			at.next = map[string]*term{}
		}
		if at.next[key] == nil {
			at.next[key] = &term{}
		}
		at = at.next[key]
	}
	at.names = append(at.names, n)
}

// has says whether text is a name, in whatever case.
func (x *lexicon) has(text string) bool {
	_, found := x.kindOf(text)
	return found
}

// kindOf is the name that text is, in whatever case.
func (x *lexicon) kindOf(text string) (name, bool) {
	at := &x.root
	for _, w := range wordsIn(text) {
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

// wordsIn are the words of a text: letters and digits, and each character by
// itself where no space stands between words.
func wordsIn(text string) []stretch {
	var words []stretch
	start := -1
	for i, r := range text {
		in := joined(r)
		if !in && start >= 0 {
			words = append(words, stretch{start, i})
			start = -1
		}
		if in && start < 0 {
			start = i
		}
		if ideographic(r) {
			words = append(words, stretch{i, i + utf8.RuneLen(r)})
		}
	}
	if start >= 0 {
		words = append(words, stretch{start, len(text)})
	}
	return words
}

// match gives the names that text contains, the longest where several begin.
// With chunks, a word that is a part of something else is none.
func (x *lexicon) match(text string, chunks []chunk, found func(kind, name string)) {
	if len(x.root.next) == 0 {
		return
	}
	words := wordsIn(text)
	lower := strings.ToLower
	c := 0
	for i := 0; i < len(words); i++ {
		at := &x.root
		var best name
		last := -1
		for j := i; j < len(words) && j-i < mostWords; j++ {
			if j > i && words[j].start-words[j-1].end > 4 {
				break
			}
			if at = at.next[lower(text[words[j].start:words[j].end])]; at == nil {
				break
			}
			for _, n := range at.names {
				if n.stands(text, stretch{words[i].start, words[j].end}) {
					best, last = n, j
				}
			}
		}
		if last < 0 {
			continue
		}
		at2 := stretch{words[i].start - best.lead, words[last].end + best.tail}
		for chunks != nil && c < len(chunks) && chunks[c].end <= at2.start {
			c++
		}
		if chunks == nil || c == len(chunks) || chunks[c].start >= at2.end || best.free(text, at2, chunks[c]) && (!best.wary || meant(text, words, i, last, at2)) {
			found(best.kind, best.text)
			i = last
		}
	}
}

// stands says whether n is what stands in text where its words were found.
func (n name) stands(text string, words stretch) bool {
	start, end := words.start-n.lead, words.end+n.tail
	if start < 0 || end > len(text) {
		return false
	}
	if before, _ := utf8.DecodeLastRuneInString(text[:start]); n.lead > 0 && joined(before) {
		return false // ".env" in "prod.env"
	}
	after, _ := utf8.DecodeRuneInString(text[end:])
	if n.tail > 0 && (after == '+' || after == '#') || n.tail == 0 && n.kind == Technologies && (after == '+' && strings.HasPrefix(text[end:], "++") || after == '#') {
		return false // "C" in "C++"
	}
	there := text[start:end]
	want := n.text
	if n.kind == Concepts && len(there)+1 == len(want) { // in the singular
		want = want[:len(want)-1]
	}
	if n.exact {
		return there == want
	}
	return equalLoosely(there, want)
}

// equalLoosely compares in whatever case, where a space of want may be a hyphen
// or several spaces.
func equalLoosely(there, want string) bool {
	if strings.EqualFold(there, want) {
		return true
	}
	if !strings.Contains(want, " ") {
		return false
	}
	fold := func(s string) string {
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '-' }), " ")
	}
	return strings.EqualFold(fold(there), fold(want))
}

// free says whether a name stands by itself in its chunk: "JWT-based" names JWT,
// "redis-cli" and "redis.conf" don't name Redis.
func (n name) free(text string, at stretch, c chunk) bool {
	if c.opaque || c.coded && !(c.start == at.start && c.end == at.end && c.whole) {
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
		return strings.Trim(rest, ".") == "" || '0' <= rest[len(rest)-1] && rest[len(rest)-1] <= '9' && !n.wary
	case '-':
		suffix, _, _ := strings.Cut(strings.ToLower(rest[1:]), "-")
		return !n.wary && suffixes[strings.TrimRight(suffix, ".:")]
	case '/', ':':
		return true
	}
	return false
}

var suffixes = set(`based backed like style only compatible specific powered side encoded signed native aware basiert basierte auth
	token tokens`)

// meant says whether the words beside a name that is a word of the language too
// say that it is the technology.
func meant(text string, words []stretch, first, last int, at stretch) bool {
	if last+1 < len(words) && separated(text, at.end, words[last+1].start) {
		next := strings.ToLower(text[words[last+1].start:words[last+1].end])
		if afterWary[next] || '0' <= next[0] && next[0] <= '9' && strings.ContainsAny(text[words[last+1].end:min(len(text), words[last+1].end+1)], ".") {
			return true
		}
	}
	if first == 0 || !separated(text, words[first-1].end, at.start) {
		return false
	}
	before := strings.ToLower(text[words[first-1].start:words[first-1].end])
	if beforeWary[before] {
		return true
	}
	if before == "in" && first > 1 {
		return inWary[strings.ToLower(text[words[first-2].start:words[first-2].end])]
	}
	return false
}

// separated says whether nothing but one space stands between two offsets.
func separated(text string, from, to int) bool { return from < to && text[from:to] == " " }

var (
	beforeWary = set(`using idiomatic golang pure plain modern embedded nutze verwende`)
	inWary     = set(`written write rewrite rewritten implemented implement coded code build built program programmed service server client backend
		cli tool api it this that geschrieben port ported`)
	afterWary = set(`code module modules program programs programming package packages compiler developer developers toolchain
		binary crate crates library libraries runtime api sdk script scripts backend frontend codebase stdlib generics
		goroutines component components hooks app apps project projects language syntax struct structs function functions
		test tests server client service bindings extension extensions framework middleware version source`)
)
