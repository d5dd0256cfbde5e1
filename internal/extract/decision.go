package extract

import (
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A Decided is a decision that a text states.
type Decided struct {
	Decision   string
	Rationale  string  // "" where the text gives none
	Confidence float64 // ratio
	Phrase     string  // what gave it away
	Imperative bool    // "Use RS256": it decides where a user or a boss says it, and else it is advice
}

// How sure a statement is, by what gives it away.
const (
	sureDecided  = 0.9 // "decided", "Decision:", "final answer"
	sureChosen   = 0.8 // "let's go with", "I choose"
	surePlanned  = 0.7 // "we'll use", and phrases of one's own
	sureReferred = 0.6 // "approved", "use this instead", "from now on"
	sureTold     = 0.5 // "Use RS256"
)

// longestOrder is how long a text is, in bytes, in which an imperative is taken
// for a decision: longer ones are instructions, plans, documents.
const longestOrder = 1000

// Decision finds the first decision that text states; false where it states none.
// What is asked, denied, supposed or reported of others is none, nor is what
// stands in quotes or in code. phrases are what gives one away, in whatever case;
// without one, an imperative ("Use RS256") is, when nothing clearer is.
func Decision(text string, phrases []string) (Decided, bool) {
	lower := make([]string, 0, len(phrases))
	for _, p := range phrases {
		if p = strings.ToLower(strings.TrimSpace(p)); p != "" {
			lower = append(lower, p)
		}
	}
	var stated []Decided // at most one, and the imperative
	pending := -1        // of stated, whose rationale the next sentence may give
	told := -1
	for l := range lines(text) {
		if l.code || l.quoted {
			continue
		}
		for s := range sentences(unmarked(l.text)) {
			if pending >= 0 {
				stated[pending].reasoned(s)
				if !stated[pending].Imperative {
					return stated[pending], true
				}
				pending = -1
			}
			d, ok := s.decides(lower)
			if !ok && told < 0 && len(text) <= longestOrder {
				if d, ok = s.orders(); ok {
					told = len(stated)
				}
			}
			if ok {
				stated = append(stated, d)
				if pending = len(stated) - 1; d.Rationale != "" && !d.Imperative {
					return d, true
				}
			}
		}
	}
	for _, d := range stated {
		if !d.Imperative {
			return d, true
		}
	}
	if told >= 0 {
		return stated[told], true
	}
	return Decided{}, false
}

var explains = lazyregexp.New(`^(?:because|this is because|that's because|reason:|rationale:|the reason is(?: that)?|why:|weil|begründung:|因为|理由[:：])\s*`)

// reasoned takes a sentence that gives nothing but a reason for d's.
func (d *Decided) reasoned(s sentence) {
	if d.Rationale == "" && !s.asked {
		low := strings.Replace(strings.TrimLeft(s.low, "*_ "), ":**", ":", 1)
		text := s.text[len(s.text)-len(strings.TrimLeft(s.low, "*_ ")):]
		if m := explains.FindString(low); m != "" && len(m) < len(low) {
			d.Rationale = strings.TrimLeft(text[len(m):], " *")
		}
	}
}

// decides finds what s decides by one of phrases, the first that it contains.
func (s sentence) decides(phrases []string) (Decided, bool) {
	if s.asked || s.text == "" {
		return Decided{}, false
	}
	low := strings.ReplaceAll(s.low, "’", "'\x02\x02") // as long
	best, at := "", -1
	for _, phrase := range phrases {
		p := strings.ReplaceAll(phrase, "’", "'")
		for from := 0; ; {
			i, n := wholePhrase(low, p, from)
			if i < 0 || at >= 0 && i > at {
				break
			}
			if s.holds(low, p, i, i+n) && (at < 0 || i < at || len(p) > len(best)) {
				best, at = p, i
				break
			}
			from = i + n
		}
	}
	if at < 0 {
		return Decided{}, false
	}
	d := Decided{Confidence: sureness(best), Phrase: best}
	d.Decision, d.Rationale = Because(s.clause(low, best, at))
	return d, d.Decision != "" && strings.ContainsFunc(d.Decision, unicode.IsLetter)
}

// wholePhrase is where p stands in low as whole words, and how long it is there:
// an apostrophe may be a typographer's.
func wholePhrase(low, p string, from int) (at, length int) {
	at = wholeWords(low, p, from)
	length = len(p)
	if strings.Contains(p, "'") {
		curly := strings.ReplaceAll(p, "'", "'\x02\x02")
		if i := wholeWords(low, curly, from); i >= 0 && (at < 0 || i < at) {
			return i, len(curly)
		}
	}
	return at, length
}

func sureness(phrase string) float64 {
	switch phrase {
	case "decision:", "decided", "we decide", "i decide", "final answer":
		return sureDecided
	case "let's go with", "let us go with", "we go with", "we'll go with", "i choose", "we choose":
		return sureChosen
	case "approved", "use this instead", "from now on":
		return sureReferred
	}
	return surePlanned
}

var (
	// denying, before a phrase in its clause: denied, supposed, asked, reported or still to come.
	denying = lazyregexp.New(`\b(?:not|never|no one|nobody|nothing|none|without|yet to|until|till|before|once|when|whenever|if|whether|unless|would|could|might|may|maybe|perhaps|possibly|should|shall|suppose|supposing|assuming|imagine|hypothetically|wonder(?:ing)?|why|who|how|what|which|unsure|unclear|says?|said|saying|thinks?|thought|suggests?|suggested|asks?|asked|asking|proposes?|proposed|claims?|claimed|wants?|wanted|argues?|argued|recommends?|recommended|undecided|nicht|kein|keine|ob|falls|wenn|wurde vorgeschlagen)\b|n't\b|n'\x02\x02t\b|没有|还没|尚未|未|是否|如果|要不要`)
	// supposing, anywhere in the clause, makes it hang on something.
	supposing = lazyregexp.New(`(?:^|[^n]\s)\b(?:if|unless|provided that|as long as|falls|sofern)\b`)
	evenIf    = lazyregexp.New(`\b(?:even|as) if\b`)
	tobe      = lazyregexp.New(`\b(?:to be|must be|can be|be|being|get|gets|needs?|pending|await(?:s|ing)?|pre-?)\s*$`)
	ours      = lazyregexp.New(`(?:^|[,;:.—–-]\s*|\b(?:and|so|but|then|also|finally|ok|okay)\s+)(?:(?:we|i|you|the team|team|it|this|that)\b[\s\x02']*)?(?:(?:'?ve|have|has|had|was|is|were|been|just|already|now|finally|both|all|also|jointly|then|eventually)\b[\s\x02']*)*$`)
	ownWords  = lazyregexp.New(`^(?:i|we)\s+(?:say|said|think|thought|suggest|propose)\b`)
	pointing  = lazyregexp.New(`^\s*(?:this|that|it|these|those|them|the following|grep|\x60?ls\b)`)
	toLook    = lazyregexp.New(`\bto (?:see|find|check|look|figure|search|understand|explore|inspect|determine|identify|verify|confirm|test|debug)\b`)
)

// holds says whether the phrase at low[start:end] states a decision.
func (s sentence) holds(low, phrase string, start, end int) bool {
	clause := low[clauseStart(low, start):start]
	if said := ownWords.FindString(clause); said != "" {
		clause = clause[len(said):]
	}
	if denying.MatchString(clause) || tobe.MatchString(clause) {
		return false
	}
	rest := evenIf.ReplaceAllString(low[end:], "")
	if supposing.MatchString(rest) && !strings.HasSuffix(phrase, ":") || supposing.MatchString(low[:start]) {
		return false
	}
	switch phrase {
	case "decided", "approved":
		if !ours.MatchString(low[:start]) {
			return false
		}
		next := strings.TrimSpace(rest)
		return phrase == "approved" || next != "" && !strings.HasPrefix(next, "yet") && !strings.HasPrefix(next, "by ") && !strings.HasPrefix(next, "whether")
	case "we will use", "we'll use":
		return !pointing.MatchString(rest) && !toLook.MatchString(rest) && strings.TrimSpace(rest) != ""
	case "final answer":
		return strings.HasPrefix(strings.TrimSpace(rest), ":") || strings.HasPrefix(strings.TrimSpace(rest), "is ")
	case "approved by":
		return false
	}
	return true
}

// clauseStart is where the clause begins that low[at:] goes on.
func clauseStart(low string, at int) int {
	start := 0
	for _, mark := range []string{"; ", ", so ", ", and ", ", then ", " — ", " – ", ": "} {
		if i := strings.LastIndex(low[:at], mark); i >= 0 && i+len(mark) > start {
			start = i + len(mark)
		}
	}
	return start
}

var filler = lazyregexp.New(`^(?:(?:ok|okay|yes|yeah|yep|yup|no|sure|great|good|perfect|alright|all right|right|fine|so|well|then|and|but|actually|hmm|thanks|thank you|please|cool|nice|agreed|got it|sounds good|makes sense|ja|gut|okej|also|genau|bitte|好|好的|那)\b?[\s,.!—–:，。！-]+)+`)

// clause is the part of s that the phrase at an offset is in, without what only
// leads to it.
func (s sentence) clause(low, phrase string, at int) string {
	start := clauseStart(low, at)
	if strings.HasSuffix(phrase, ":") || phrase == "final answer" {
		label := at + len(phrase)
		return strings.TrimLeft(s.text[label:], " :*_")
	}
	start += len(filler.FindString(low[start:at]))
	return strings.TrimLeft(s.text[start:], " *_,")
}

var (
	order    = lazyregexp.New(`^(?:(?:always use|use|adopt|switch to|go with|stick with|stay with|pick|choose|verwende|nutze|nimm|nehmen wir)\s+|(?:使用|采用)\s*)`)
	settling = lazyregexp.New(`\b(?:instead of|rather than|over|statt|anstatt|anstelle)\b|而不是`)
)

// orders finds what s tells to use: something with a name of its own, or one
// thing instead of another.
func (s sentence) orders() (Decided, bool) {
	if s.asked || s.text == "" || len(s.text) > 300 {
		return Decided{}, false
	}
	lead := len(filler.FindString(s.low))
	low := s.low[lead:]
	m := order.FindStringIndex(low)
	if m == nil || supposing.MatchString(low) || strings.Contains(low, " or ") || strings.Contains(low, " below") || strings.Contains(low, "following") {
		return Decided{}, false
	}
	verb := strings.TrimRightFunc(low[:m[1]], unicode.IsSpace)
	object := strings.TrimLeft(s.text[lead+len(verb):], " ")
	if !properly(object) && !settling.MatchString(low) {
		return Decided{}, false
	}
	d := Decided{Confidence: sureTold, Phrase: verb, Imperative: true}
	d.Decision, d.Rationale = Because(s.text[lead:])
	return d, true
}

// properly says whether text begins with a name: code, a technology, or a word
// with a capital or a digit in it.
func properly(text string) bool {
	if strings.HasPrefix(text, "`") {
		return true
	}
	word, _, _ := strings.Cut(text, " ")
	word = strings.TrimRight(word, ".,;:!")
	lower := strings.ToLower(word)
	if lower == "ctrl" || lower == "cmd" || strings.Contains(lower, "ctrl+") || strings.Contains(lower, "cmd+") || lower == "i" {
		return false
	}
	return lower != word || strings.ContainsAny(word, "0123456789") || builtin().has(word)
}

// unmarked is a line without what marks it as an item of a list, a heading or
// emphasis.
func unmarked(text string) string {
	text = bullet.ReplaceAllString(text, "")
	return strings.TrimLeft(text, "*_ ")
}

var bullet = lazyregexp.New(`^\s*(?:(?:[-*+•–]|#{1,6}|\d{1,3}[.)])\s+)*(?:\[[ xX]\]\s+)?`)
