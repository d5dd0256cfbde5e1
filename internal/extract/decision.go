package extract

import (
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A StatedDecision is a decision that a text states.
type StatedDecision struct {
	Decision   string
	Rationale  string  // "" for none
	Confidence float64 // ratio 0–1
	Phrase     string  // the phrase or the verb that states it
	Imperative bool    // such as "Use RS256": a decision of a user or a boss, mere advice of anybody else
}

// The confidence of a decision, by its phrase.
const (
	confidenceDecided    = 0.9 // "decided", "Decision:", "final answer"
	confidenceChosen     = 0.8 // "let's go with", "I choose"
	confidencePlanned    = 0.7 // "we'll use", and configured phrases
	confidenceReferred   = 0.6 // "approved", "use this instead", "from now on"
	confidenceImperative = 0.5 // "Use RS256"
)

// maxImperativeText is the length in bytes of a text up to which an imperative counts
// as a decision. Longer texts are instructions, plans or documents.
const maxImperativeText = 1000

// Decision returns the first decision that text states, or false if there is none.
// Questions, negations, conditions, reports about others, quotes and code state none.
// phrases mark a decision, in any case. If no sentence has a phrase, Decision returns
// the first imperative ("Use RS256").
func Decision(text string, phrases []string) (StatedDecision, bool) {
	lower := make([]string, 0, len(phrases))
	for _, p := range phrases {
		if p = strings.ToLower(strings.TrimSpace(p)); p != "" {
			lower = append(lower, p)
		}
	}
	var r decisionReader
	r.phrases, r.explains, r.short = lower, strings.Contains(text, "```"), len(text) <= maxImperativeText
	for l := range lines(text) {
		if l.code || l.quoted {
			continue
		}
		decided, nothing := r.record.read(l.text)
		if nothing {
			r.pending = 0
			continue
		}
		for s := range sentences(stripMarkers(l.text)) {
			if d, ok := r.read(s, decided); ok {
				return d, true
			}
		}
	}
	for _, d := range r.stated {
		if !d.Imperative {
			return d, true
		}
	}
	if len(r.stated) > 0 {
		return r.stated[0], true
	}
	return StatedDecision{}, false
}

// A decisionReader finds the decision of a text, sentence by sentence.
type decisionReader struct {
	phrases   []string
	explains  bool // the text has code, so that "we will use" may explain it
	short     bool // an imperative counts
	record    record
	stated    []StatedDecision // the imperative, and the decision
	sentences int              // that were read
	pending   int              // 1 + the index of the one whose rationale the next sentence may have; 0 for none
}

// maxStating is the number of sentences of a text that are searched for cues. Longer texts
// are listings.
const maxStating = 2000

// read returns the decision if it is complete with s. A sentence of a decided section
// states one.
func (r *decisionReader) read(s sentence, decided bool) (StatedDecision, bool) {
	if r.pending > 0 {
		d := &r.stated[r.pending-1]
		d.addReason(s)
		if !d.Imperative {
			return *d, true
		}
		r.pending = 0
	}
	if containsOne(s.low, ":", "：") && notDecided.MatchString(s.low) {
		return StatedDecision{}, false
	}
	d, ok := s.findDecision(r.phrases)
	if ok && (r.explains && usesOnly[d.Phrase] || tutorial.MatchString(s.low)) {
		return d, false
	}
	if r.sentences++; !ok && r.sentences <= maxStating {
		d, ok = s.byCue(r.explains)
	}
	if !ok && decided {
		d, ok = s.inDecidedSection()
	}
	if !ok && r.short && len(r.stated) == 0 {
		d, ok = s.findImperative()
	}
	if !ok {
		return d, false
	}
	r.stated = append(r.stated, d)
	r.pending = len(r.stated)
	return d, d.Rationale != "" && !d.Imperative
}

// usesOnly are the phrases that explain code beside them as often as they decide.
var usesOnly = map[string]bool{"we will use": true, "we'll use": true, "let's use": true, "let us use": true}

var tutorial = lazyregexp.New(`^(?:in (?:this|the next|the following) (?:chapter|section|tutorial|example|article|guide|lesson|exercise|step|post)|first|next|for (?:this|the) (?:example|exercise)),? `)

// inDecidedSection returns s as a decision.
func (s sentence) inDecidedSection() (StatedDecision, bool) {
	if s.isQuestion || len(s.text) < 8 || notLabel.MatchString(s.low) || hedge.MatchString(s.low) {
		return StatedDecision{}, false
	}
	d := StatedDecision{Confidence: confidenceDecided, Phrase: "decision"}
	d.Decision, d.Rationale = Because(s.text)
	return d, true
}

var reasonOnly = lazyregexp.New(`^(?:because|this is because|that's because|reason:|rationale:|the reason is(?: that)?|why:|weil|begründung:|因为|理由[:：])\s*`)

// addReason sets d's rationale if s consists only of a reason.
func (d *StatedDecision) addReason(s sentence) {
	if d.Rationale == "" && !s.isQuestion {
		low := strings.Replace(strings.TrimLeft(s.low, "*_ "), ":**", ":", 1)
		text := s.text[len(s.text)-len(strings.TrimLeft(s.low, "*_ ")):]
		if m := reasonOnly.FindString(low); m != "" && len(m) < len(low) {
			d.Rationale = strings.TrimLeft(text[len(m):], " *")
		}
	}
}

// findDecision returns the decision of s at the first of phrases in it, or false.
func (s sentence) findDecision(phrases []string) (StatedDecision, bool) {
	if s.isQuestion || s.text == "" {
		return StatedDecision{}, false
	}
	low := strings.ReplaceAll(s.low, "’", "'\x02\x02") // keeps the length
	best, at := "", -1
	for _, phrase := range phrases {
		p := strings.ReplaceAll(phrase, "’", "'")
		for from := 0; ; {
			i, n := findPhrase(low, p, from)
			if i < 0 || at >= 0 && i > at {
				break
			}
			if s.isDecision(low, p, i, i+n) && (at < 0 || i < at || len(p) > len(best)) {
				best, at = p, i
				break
			}
			from = i + n
		}
	}
	if at < 0 {
		return StatedDecision{}, false
	}
	d := StatedDecision{Confidence: confidenceOf(best), Phrase: best}
	d.Decision, d.Rationale = Because(s.clause(low, best, at))
	return d, d.Decision != "" && strings.ContainsFunc(d.Decision, unicode.IsLetter)
}

// findPhrase returns the offset of p in low, as whole words from an offset on, and its
// length there, which differs for a typographic apostrophe. at is -1 for none.
func findPhrase(low, p string, from int) (at, length int) {
	at = findWords(low, p, from)
	length = len(p)
	if strings.Contains(p, "'") {
		curly := strings.ReplaceAll(p, "'", "'\x02\x02")
		if i := findWords(low, curly, from); i >= 0 && (at < 0 || i < at) {
			return i, len(curly)
		}
	}
	return at, length
}

func confidenceOf(phrase string) float64 {
	switch phrase {
	case "decision:", "decided", "we decide", "i decide", "final answer", "entscheidung:", "entschieden", "beschlossen", "我们决定", "最终决定":
		return confidenceDecided
	case "let's go with", "let us go with", "we go with", "we'll go with", "i choose", "we choose", "we chose", "we've chosen", "we have chosen",
		"agreed on", "settled on", "we're going with", "we are going with", "geeinigt", "wir entscheiden uns für", "我们选择", "我们选定":
		return confidenceChosen
	case "approved", "use this instead", "from now on":
		return confidenceReferred
	}
	return confidencePlanned
}

var (
	// negation matches, before a phrase in its clause, a negation, a condition, a question, a report or a plan.
	negation = lazyregexp.New(`\b(?:not|never|no one|nobody|nothing|none|without|yet to|until|till|before|once|when|whenever|if|whether|unless|would|could|might|may|maybe|perhaps|possibly|should|shall|suppose|supposing|assuming|imagine|hypothetically|wonder(?:ing)?|why|who|how|what|which|unsure|unclear|says?|said|saying|thinks?|thought|suggests?|suggested|asks?|asked|asking|proposes?|proposed|claims?|claimed|wants?|wanted|argues?|argued|recommends?|recommended|undecided|nicht|kein|keine|ob|falls|wenn|wurde vorgeschlagen)\b|n't\b|n'\x02\x02t\b|没有|还没|尚未|未|是否|如果|要不要`)
	// condition matches a condition anywhere in the clause.
	condition     = lazyregexp.New(`(?:^|[^n]\s)\b(?:if|unless|provided that|as long as|falls|sofern)\b`)
	evenIf        = lazyregexp.New(`\b(?:even|as) if\b`)
	notYet        = lazyregexp.New(`\b(?:to be|must be|can be|be|being|get|gets|needs?|pending|await(?:s|ing)?|pre-?)\s*$`)
	ownSubject    = lazyregexp.New(`(?:^|[,;:.—–-]\s*|\b(?:and|so|but|then|also|finally|ok|okay)\s+)(?:(?:we|i|you|the team|team|it|this|that)\b[\s\x02']*)?(?:(?:'?ve|have|has|had|was|is|were|been|just|already|now|finally|both|all|also|jointly|then|eventually)\b[\s\x02']*)*$`)
	ownOpinion    = lazyregexp.New(`^(?:i|we)\s+(?:say|said|think|thought|suggest|propose)\b`)
	pronounObject = lazyregexp.New(`^\s*(?:this|that|it|these|those|them|the following|grep|\x60?ls\b)`)
	// nothingDecided matches what follows "decided" where nothing was decided.
	nothingDecided = lazyregexp.New(`^(?:$|yet|by |whether|(?:on )?nothing\b)`)
	germanSubject  = lazyregexp.New(`\b(?:wir haben|haben wir|ich habe|habe ich|(?:es|das) (?:ist|wurde)|(?:ist|sind|wurde|wurden))\b`)
	// germanAdverb matches what follows "entschieden" where it means "decidedly".
	germanAdverb     = lazyregexp.New(`^\s+(?:zu|mehr|weniger|besser|schlechter|gegen)\b`)
	undecidedChinese = lazyregexp.New(`^(?:不了|不下来)`)
	goingSomewhere   = lazyregexp.New(`\b(?:to|for|on|this|next|tomorrow|tonight)\b`)
	toInvestigate    = lazyregexp.New(`\bto (?:see|find|check|look|figure|search|understand|explore|inspect|determine|identify|verify|confirm|test|debug)\b`)
)

// maxApproval is the length in bytes of a sentence up to which "it was approved" is one.
const maxApproval = 30

// isDecision reports whether the phrase at low[start:end] states a decision.
func (s sentence) isDecision(low, phrase string, start, end int) bool {
	clause := low[clauseStart(low, start):start]
	if said := ownOpinion.FindString(clause); said != "" {
		clause = clause[len(said):]
	}
	if negation.MatchString(clause) || notYet.MatchString(clause) {
		return false
	}
	rest := evenIf.ReplaceAllString(low[end:], "")
	if condition.MatchString(rest) && !strings.HasSuffix(phrase, ":") || condition.MatchString(low[:start]) {
		return false
	}
	switch phrase {
	case "approved":
		before := strings.TrimSpace(low[:start])
		return ownSubject.MatchString(low[:start]) && (before == "" || len(low) < maxApproval || strings.HasSuffix(before, "we") || before == "i")
	case "decided", "agreed on", "settled on":
		if !ownSubject.MatchString(low[:start]) {
			return false
		}
		return !nothingDecided.MatchString(strings.TrimSpace(rest))
	case "entschieden", "beschlossen", "geeinigt":
		return germanSubject.MatchString(clause) && !germanAdverb.MatchString(rest)
	case "我们决定":
		return !undecidedChinese.MatchString(rest)
	case "we're going with", "we are going with": // not "with the children to the sea"
		object := strings.TrimSpace(s.text[end:])
		return (isProperName(object) || strings.HasPrefix(object, "the ")) && !goingSomewhere.MatchString(rest)
	case "we will use", "we'll use", "let's use", "let us use":
		return !pronounObject.MatchString(rest) && !toInvestigate.MatchString(rest) && strings.TrimSpace(rest) != ""
	case "final answer":
		return strings.HasPrefix(strings.TrimSpace(rest), ":") || strings.HasPrefix(strings.TrimSpace(rest), "is ")
	case "approved by":
		return false
	}
	return true
}

// clauseStart returns the start of the clause that contains low[at].
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

// clause returns the part of s with the phrase at an offset, without filler before it.
// A phrase that is a label ("Decision:") is not part of it.
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
	imperativeVerb = lazyregexp.New(`^(?:(?:use|adopt|switch to|go with|stick with|stay with|pick|choose|verwende|nutze|nimm|nehmen wir)\s+|(?:使用|采用)\s*)`)
	// notImperative matches titles, and sentences whose subject is the imperative: "Switch to X works".
	notImperative = lazyregexp.New(`^use[- ]cases?\b|^\S+(?: [^,;. ]+){1,4}? (?:works?|worked|is|are|was|were|fixe[sd]|helps?|helped|does|did|seems?|looks?|broke|breaks|fails?|failed|solve[sd]|made|makes|cost|costs|show|shows)\b`)
	preference    = lazyregexp.New(`\b(?:instead of|rather than|over|statt|anstatt|anstelle)\b|而不是`)
)

// findImperative returns the decision of an imperative s, or false. The object must be
// a proper name, or be preferred to something else.
func (s sentence) findImperative() (StatedDecision, bool) {
	if s.isQuestion || s.text == "" || len(s.text) > 300 {
		return StatedDecision{}, false
	}
	lead := len(filler.FindString(s.low))
	low := s.low[lead:]
	m := imperativeVerb.FindStringIndex(low)
	if m == nil || condition.MatchString(low) || notImperative.MatchString(low) || strings.Contains(low, " or ") || strings.Contains(low, " below") || strings.Contains(low, "following") {
		return StatedDecision{}, false
	}
	verb := strings.TrimRightFunc(low[:m[1]], unicode.IsSpace)
	object := strings.TrimLeft(s.text[lead+len(verb):], " ")
	if !isProperName(object) && !preference.MatchString(low) {
		return StatedDecision{}, false
	}
	d := StatedDecision{Confidence: confidenceImperative, Phrase: verb, Imperative: true}
	d.Decision, d.Rationale = Because(s.text[lead:])
	return d, true
}

// isProperName reports whether text begins with a name: code, a technology, or a word
// with a capital letter or a digit.
func isProperName(text string) bool {
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

// stripMarkers returns a line without the markers of a list item, a heading or
// emphasis at its start.
func stripMarkers(text string) string {
	text = bullet.ReplaceAllString(text, "")
	return strings.TrimLeft(text, "*_ ")
}

var bullet = lazyregexp.New(`^\s*(?:(?:[-*+•–]|#{1,6}|\d{1,3}[.)])\s+)*(?:\[[ xX]\]\s+)?`)
