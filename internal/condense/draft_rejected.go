package condense

import (
	"slices"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

var (
	rejects      = lazyregexp.New(`(?i)\b(?:reject(?:ed)?|ruled? out|decided against|discard(?:ed)?|dismiss(?:ed)?|turned down|(?:won't|will not|don't want to) use)\s+(.+)`)
	isRejected   = lazyregexp.New(`(?i)^(.+?)\s+(?:is|are|was|were|has been|have been|gets)\s+(?:rejected|ruled out|discarded|dismissed|turned down|off the table|out of the question)\b`)
	insteadOf    = lazyregexp.New(`(?i)\b(?:instead of|rather than|and not|but not|over)\s+(.+)`)
	proposes     = lazyregexp.New(`(?i)(?:^|\b(?:but|and|or|so) )(?:(?:an|the|another|one|my) (?:other )?(?:alternative|option|possibility)(?: is| was| would be| could be|:)(?: to)?|alternatively,?(?: we could)?|we could(?: also)?|what about|how about|why not|maybe we (?:could|should))\s+(.+)`)
	refuses      = lazyregexp.New(`(?i)^(?:no|nope|nah)\b|\b(?:reject (?:it|that|this|both)|rul(?:e|ed|es) (?:it|that|this|both) out|rather not|(?:i'm|we're|i am|we are) against|won't do|decided against (?:it|that)|too (?:much|expensive|slow|hard|complicated|risky|costly|big)|don't (?:want|like) (?:it|that)|not worth|not an option|off the table)\b`)
	clauseEnd    = lazyregexp.New(`(?i)[,;:.!?()–—]|\s(?:because|since|due to|as it|as they|for now|for its|for their|so that|but|which|that would|-)\s`)
	namesNothing = lazyregexp.New(`(?i)^(?:it|that|this|them|these|those|both|one|the (?:first|second|last|other)(?: one)?|all|here|there|everything|anything|time|again)$`)
	clarifying   = lazyregexp.New(`\b(?:counts?|do(?:es)? not count|doesn't count|don't count)(?: as\b| too\b|[.,;!]|$)`)
)

// rejected returns the alternatives that a discussion turns down: those that a sentence calls
// rejected, those that the decision replaces, and proposals that are refused right away.
func (d *discussion) rejected(decided []sentence) (all []string) {
	if len(decided) == 0 {
		return nil
	}
	add := func(text string) {
		if what := alternative(text); what != "" && len(all) < mostRejected && !slices.ContainsFunc(all, func(a string) bool { return strings.EqualFold(a, what) }) {
			all = append(all, what)
		}
	}
	for _, s := range d.sentences {
		if s.broken || s.of(conditional) || len(s.text) > longest {
			continue
		}
		if m := proposes.FindStringSubmatch(s.text); m != nil && d.refused(s, m[1]) && !saidIn(decided, s) {
			add(m[1])
			continue
		}
		if s.asked {
			continue
		}
		if m := rejects.FindStringSubmatch(s.text); m != nil {
			add(m[1])
		} else if m := isRejected.FindStringSubmatch(s.text); m != nil {
			add(m[1])
		}
		if m := insteadOf.FindStringSubmatch(s.text); m != nil && saidIn(decided, s) {
			add(m[1])
		}
	}
	return all
}

// refused reports whether the proposal of a sentence is refused: by rest, the remaining text
// of the sentence, by the next sentence of its message, or by the beginning of the next
// message.
func (d *discussion) refused(s sentence, rest string) bool {
	if refuses.MatchString(rest) {
		return true
	}
	_, next, ok := strings.Cut(single(d.messages[s.at].Content), strings.TrimRight(rest, ".!?"))
	if next = strings.TrimLeft(next, ".!? "); ok && next != "" {
		return refuses.MatchString(next[:min(len(next), fewBytes)])
	}
	if s.at+1 == len(d.messages) {
		return false
	}
	answer := single(d.messages[s.at+1].Content)
	return refuses.MatchString(answer[:min(len(answer), fewBytes)])
}

// fewBytes limits the distance between a proposal and the words that refuse it.
const fewBytes = 120

// alternative returns the beginning of text, up to a reason or another clause; "" if that is
// unusable, such as a pronoun.
func alternative(text string) string {
	if at := clauseEnd.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	text = strings.TrimSpace(text)
	for _, article := range []string{"a ", "an ", "the ", "to ", "using "} {
		text = strings.TrimPrefix(text, article)
	}
	if namesNothing.MatchString(text) || len(text) < 2 || len(text) > 80 || !strings.ContainsFunc(text, unicode.IsLetter) {
		return ""
	}
	return text
}

// clarified returns the decision, with one later sentence that defines it.
func (d *discussion) clarified(decided []sentence) []sentence {
	if len(decided) == 0 {
		return decided
	}
	about := termsOf(decided)
	for _, s := range d.sentences[d.first[decided[len(decided)-1].at]:] {
		if s.asked || s.broken || saidIn(decided, s) || !s.of(clarifying) || d.share(s.terms, about) == 0 {
			continue
		}
		if !slices.ContainsFunc(decided, func(t sentence) bool { return d.overlap(s, t) >= 0.6 }) {
			return append(slices.Clone(decided), s)
		}
	}
	return decided
}
