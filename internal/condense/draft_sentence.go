package condense

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// The lengths of sentences that a draft quotes, in bytes.
const (
	shortest = 12
	longest  = 320
	longRead = 16 << 10 // of a message
)

// A sentence is a part of a message that can stand alone.
type sentence struct {
	at       int    // of the message among those that speak
	who      string // who says it
	text     string // as it is quoted, without what only leads to it
	low      string // text in lower case, apostrophes straight
	asked    bool   // it is a question
	broken   bool   // it was never finished
	begun    bool   // it goes on what somebody said before
	stumbled bool   // its speaker lost it on the way
	listed   bool   // an item of a list
	label    string // what the line begins with, in lower case: "decision", "next steps"
	terms    []string
	sure     float64 // ratio: that it says what was decided
}

var (
	fenceMark = lazyregexp.New("^\\s*(?:```|~~~)")
	headMark  = lazyregexp.New(`^\s*#{1,6}\s+`)
	listMark  = lazyregexp.New(`^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?`)
	labelMark = lazyregexp.New(`^[\s*_]*([\p{L}][\p{L} -]{1,24}?)[*_]*\s*[:：][*_]*\s+`)
	// leading is what a sentence can do without.
	leading = lazyregexp.New(`^(?i:(?:(?:well|right|then|great|good|cool|perfect|fine|sure|(?:hi|hello|hey|good morning|morning|thanks|thank you)(?: (?:all|everyone|team|there|@?\p{L}+))?|thanks|thank you|basically|actually|like|no|nah|now|exactly|agreed|sounds good|makes sense|nice|wow|lgtm|\+1|👍|:\+1:|done|deal|works for me|however|imho|wait|hmm|hm|true|correct|also|otherwise|for example|(?:but )?seriously(?: though)?|in any case|to be fair|tbh|afaik|afaict|` + fillers + `)\s*[,.!:;—–-]+\s+|(?:` + fillers + `)\s+)+)`)
	soMuch  = lazyregexp.New(`^(?i:that|far|many|much|long|as|few|called)\b`)
	salute  = lazyregexp.New(`^(?i:hey|hi|hello|dear|thanks|thank you|good (?:morning|evening|afternoon))(?:[ ,]+[\p{L}@]+){0,2}[.!,]*$`)
	mention = lazyregexp.New(`^(?:@[\p{L}\d_.-]+[,:]?\s+)+`)
)

// fillers lead a sentence also without a comma behind them.
const fillers = `so|ok|okay|yeah|yes|yep|alright|all right|and|but|anyway|anyways|oh|ah|i mean|you know|i guess|so then|then|let me see`

// sentences are those of a message, in order. Quotes of others, code, tables and
// greetings are none.
func sentences(m schema.Message, at int, spoken bool, known map[string]bool) (all []sentence) {
	text := m.Content
	if len(text) > longRead {
		text = strings.ToValidUTF8(text[:longRead], "")
	}
	fenced := false
	if spoken {
		text = anew.ReplaceAllString(text, "$1 . $2")
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if fenceMark.MatchString(line) {
			fenced = !fenced
			continue
		}
		trimmed := strings.TrimSpace(line)
		if fenced || trimmed == "" || trimmed[0] == '>' || trimmed[0] == '|' || strings.HasPrefix(trimmed, "<!--") || headMark.MatchString(line) {
			continue
		}
		listed := listMark.MatchString(line)
		line = single(listMark.ReplaceAllString(line, ""))
		if led := leading.ReplaceAllString(line, ""); labelMark.MatchString(led) { // "So, decision: …"
			line = led
		}
		label := ""
		if m := labelMark.FindStringSubmatch(line); m != nil {
			if word := strings.ToLower(strings.TrimSpace(m[1])); known[word] || structural.MatchString(word) {
				label, line = word, line[len(m[0]):]
			}
		}
		for _, raw := range split(line) {
			if s, ok := newSentence(raw, at, m.Agent, spoken); ok && (len(s.text) >= shortest || label != "") {
				s.listed, s.label = listed, label
				all = append(all, s)
			}
		}
	}
	return all
}

// structural are the labels that say what a line is.
var structural = lazyregexp.New(`^(?:(?:final |our |the )?(?:decision|conclusion|outcome|resolution|verdict|consensus)s?|(?:we )?(?:decided|agreed)|resolved|rationale|reasons?|why|context|background|problem|summary|tl;dr|action items?|actions?|next steps?|next|todos?|to do|to-do|follow[- ]?ups?|assigned|owner|supersedes|replaces|overrides|note|update|edit|fyi|ps)$`)

// newSentence tidies what was said; false where nothing is left that could stand
// alone.
func newSentence(raw string, at int, who string, spoken bool) (sentence, bool) {
	s := sentence{at: at, who: single(who)}
	tail := strings.TrimRight(raw, " .,!?")
	s.broken = strings.HasSuffix(tail, "}") || strings.HasSuffix(strings.TrimSpace(raw), "…") || strings.HasSuffix(strings.TrimSpace(raw), "...")
	text := tidy(raw, spoken)
	if lead := leading.FindString(text); lead != "" && !soMuch.MatchString(text[len(lead):]) {
		text = text[len(lead):]
	}
	text = strings.TrimLeftFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("\"“'`@#($€£§/~_*<[", r)
	})
	if lead := leading.FindString(text); lead != "" && !soMuch.MatchString(text[len(lead):]) {
		text = text[len(lead):] // behind an emoji
	}
	text = strings.TrimSpace(text)
	text = strings.TrimRight(text, ", ")
	if strings.Count(text, "**")%2 != 0 {
		text = strings.ReplaceAll(text, "**", "")
	}
	if text == "" || text[0] == '[' && strings.HasSuffix(strings.TrimRight(text, "."), "]") || !strings.ContainsFunc(text, unicode.IsLetter) || halved(text) || salute.MatchString(text) {
		return s, false
	}
	s.asked = slices.ContainsFunc(split(text), isQuestion) // what was left out between "?A So" and the next word can have parted it
	first, size := utf8.DecodeRuneInString(text)
	s.begun = unicode.IsLower(first) && len(text)+2 >= len(single(raw))
	if word, _, _ := strings.Cut(text, " "); !strings.ContainsAny(word, "/_.()`") && unicode.ToLower(unicode.ToUpper(first)) == first {
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if last, _ := utf8.DecodeLastRuneInString(text); !strings.ContainsRune(".!?。！？:", last) {
		text = strings.TrimRight(text, ";,") + "."
	}
	s.text = text
	s.low = lower(text)
	s.terms = distinct(relevance.Terms(text))
	end := s.low[max(0, len(s.low)-24):]
	s.broken = s.broken || s.of(joking) || strings.HasSuffix(text, ":") || dangling.MatchString(end) || spoken && (trailing.MatchString(end) || garbled(s.low))
	s.stumbled = spoken && s.of(stumbling)
	return s, true
}

// isQuestion reports whether a sentence ends as a question.
func isQuestion(text string) bool {
	return strings.HasSuffix(strings.TrimRight(text, "\"'*_)”’»!. "), "?") || strings.HasSuffix(text, "？")
}

// stumbling is where a speaker lost his sentence and went on with another.
var stumbling = lazyregexp.New(`\b(?:a|an|the) (?:a|an|the|i|we|that's|it's|there|this|at|you|they)\b|\b(?:we|i|they|it|he|you) (?:that's|it's|there's|we're|i'm|we'll|i'll|we|i|they)\b|\b(?:to|of) (?:i|we|that's|it's)\b|\b(?:is|are) use\b`)

// dangling ends what was never finished; what else may end speech only.
var (
	dangling = lazyregexp.New(`\b(?:the|a|an|of|and|but|or|because|my|your|our|if|than|is a)\s*[.!]$`)
	trailing = lazyregexp.New(`\b(?:to|so|with|for|in|at|is|are|i|we|this is|it's|i'm|like|just|from|as|into|by|we have|we'll just have|what'll be)\s*[.!]$`)
)

// halved says whether quotes or parentheses in text are not closed: one end of
// them stands in another sentence.
func halved(text string) bool {
	return strings.Count(text, `"`)%2 != 0 || strings.Count(text, "“") != strings.Count(text, "”") ||
		strings.Count(text, "(") != strings.Count(text, ")") || strings.Count(text, "`")%2 != 0
}

// split parts a line into sentences. A long one is parted where a clause begins.
func split(line string) (parts []string) {
	start := 0
	for i := 0; i < len(line); {
		n := ending(line, i)
		if n == 0 {
			i++
			continue
		}
		i += n
		parts = append(parts, line[start:i])
		start = i
	}
	if start < len(line) {
		parts = append(parts, line[start:])
	}
	return slices.Concat(slices.Collect(func(yield func([]string) bool) {
		for _, p := range parts {
			if !yield(clauses(p)) {
				return
			}
		}
	})...)
}

// ending is how long the end of a sentence at line[i] is; 0 where none is.
func ending(line string, i int) int {
	for _, full := range []string{"。", "！", "？"} {
		if strings.HasPrefix(line[i:], full) {
			return len(full)
		}
	}
	if c := line[i]; c != '.' && c != '!' && c != '?' {
		return 0
	}
	n := 1
	for i+n < len(line) && strings.IndexByte(`.!?"')*_`, line[i+n]) >= 0 {
		n++
	}
	if i+n < len(line) && line[i+n] != ' ' && line[i+n] != '\t' {
		return 0
	}
	if line[i] == '.' && n == 1 {
		word := strings.ToLower(line[max(0, i-8):i])
		word = word[strings.LastIndexAny(word, " \t(")+1:]
		switch word {
		case "e.g", "i.e", "vs", "cf", "dr", "mr", "mrs", "ms", "st", "no", "approx", "z.b", "d.h", "bzw", "ca", "etc":
			return 0
		}
		if i > 0 && strings.Trim(line[:i], "0123456789") == "" {
			return 0
		}
	}
	return n
}

var clause = lazyregexp.New(`(?:; |\s?, (?:so|but|and then|and so|because then|and) )`)

// clauses parts a sentence that is too long to be quoted.
func clauses(text string) []string {
	if len(text) <= longest {
		return []string{text}
	}
	var parts []string
	start := 0
	for _, at := range clause.FindAllStringIndex(text, -1) {
		if at[0]-start >= 60 && len(text)-at[0] >= 40 {
			parts = append(parts, text[start:at[0]])
			start = at[0] + 1
		}
	}
	parts = append(parts, text[start:])
	return slices.DeleteFunc(parts, func(p string) bool { return len(p) > longest })
}

func distinct(terms []string) []string {
	seen := make(map[string]bool, len(terms))
	return slices.DeleteFunc(terms, func(t string) bool {
		again := seen[t]
		seen[t] = true
		return again
	})
}

// lower is text in lower case, its apostrophes straight.
func lower(text string) string { return strings.ReplaceAll(strings.ToLower(text), "’", "'") }

// holds says whether text has any of parts in it. It spares most sentences a
// pattern, which takes fifty times as long.
func holds(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// head is the beginning of a message in lower case, as much as an answer needs.
func (d *discussion) head(i int) string {
	if d.heads == nil {
		d.heads = make([]string, len(d.messages))
	}
	if d.heads[i] == "" {
		d.heads[i] = d.begins(i)
	}
	return d.heads[i]
}

func (d *discussion) begins(i int) string {
	text := d.messages[i].Content
	text = lower(text[:min(len(text), 600)])
	text = tidy(strings.ToValidUTF8(text[:min(len(text), 400)], ""), d.spoken)
	return strings.ToValidUTF8(text[:min(len(text), 200)], "")
}
