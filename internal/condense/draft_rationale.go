package condense

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

var (
	reasoning = lazyregexp.New(`\b(?:(?:argument|reason) (?:for|against)|because|cuz|'cause|since (?:it|they|the|this|that|there|we (?:have|need|are|can|can't|want|run|use|already)|we're)\b|so that|that way|the reason|due to|thanks to|otherwise|the (?:problem|advantage|benefit|point|trouble) (?:is|with|of)|in order to|which (?:means|makes|would)|this (?:means|makes|avoids|lets|allows|gives)|that (?:means|makes|avoids|lets|allows|gives)|it (?:means|makes|avoids|lets|allows|gives|would be)|easier|cheaper|cheap|faster|safer|simpler|better|less|fewer|more|too (?:much|expensive|slow|hard|complicated|many|big|high)|costs?|expensive|saves?|over (?:the |our )?budget|not worth)\b|weil|因为`)
	faulting  = lazyregexp.New(`\b(?:the (?:problem|trouble|cost) (?:is|with|of)|costs?|expensive|too (?:much|expensive|slow|hard|complicated|many|big|high)|% more|over (?:the |our )?budget|not worth)\b`)
	strongly  = lazyregexp.New(`\b(?:(?:main|best|strongest|another|an) (?:argument|reason) (?:for|against)|because|cuz|'cause|the reason|so that|due to|that way|otherwise|in order to|which means|rationale|since (?:it|they|the|this|that|there|we (?:have|need|are|can|can't|want|run|use|already)|we're)\b)|weil|因为`)
)

// parted splits the reasons off the decision, as in "we'll use X because Y".
func (d *discussion) parted(decided []sentence) (short, reasons []sentence) {
	for _, s := range decided {
		what, why := because(s.text)
		reason, ok := newSentence(why, s.at, s.who, d.spoken)
		left, whole := newSentence(what, s.at, s.who, d.spoken)
		scanty := s.label == "" && (len(left.text) < shortest || len(strings.Fields(what)) < 3) // without a label it is too vague
		if why == "" || !ok || !whole || len(reason.terms) == 0 || scanty || left.asked || d.telling(left) < 1 || reason.broken || left.broken {
			short = append(short, s)
			continue
		}
		short, reasons = append(short, left), append(reasons, reason)
	}
	return short, reasons
}

// because splits a text into a statement and its reason, as in "X because Y" and "X: it is
// cheaper".
func because(text string) (what, why string) {
	if what, why = extract.Because(text); why != "" {
		if at := strings.Index(text, "weil "+why); at >= 0 { // German puts the verb last
			why = "weil " + why
		}
		return what, why
	}
	before, after, ok := strings.Cut(text, ": ")
	if ok && len(strings.Fields(before)) >= 4 && strings.Count(text, ": ") == 1 && reasoning.MatchString(lower(after)) {
		return before, after
	}
	return text, ""
}

// rationale returns the sentences that give reasons, near the decision or about the same terms. If
// the decision states its own reason, it returns at most one more.
func (d *discussion) rationale(decided, given []sentence) []sentence {
	most := mostRationale
	if len(d.messages) > 4*fewMessages { // of several matters
		most++
	}
	if len(decided) == 0 || len(given) >= most {
		return given[:min(len(given), most)]
	}
	about := termsOf(decided)
	type place struct {
		index int
		score float64
	}
	var all []place
	for i, s := range d.sentences {
		labelled := s.label == "rationale" || s.label == "reason" || s.label == "reasons" || s.label == "why"
		if s.asked || s.broken || len(s.text) > longest || saidIn(decided, s) || saidIn(given, s) || s.label == "next" || d.telling(s) < 2 {
			continue
		}
		near, beside := 0.0, false
		for _, dec := range decided {
			away := float64(dec.at - s.at)
			beside = beside || dec.at == s.at || dec.at == s.at-1
			if away < 0 {
				away = -1.5 * away
			}
			near = max(near, 1/(1+away/4))
		}
		same := d.share(s.terms, about)
		if !labelled && !beside && same < 0.15 {
			continue
		}
		if !labelled && (0.5*same+0.35*near < 0.15 || !s.of(reasoning) || s.sure >= 0.6 && !s.of(strongly)) || s.of(procedure) {
			continue
		}
		if !labelled && !d.spoken && s.of(faulting) && !s.of(strongly) && slices.ContainsFunc(s.terms, func(t string) bool { return about[t] && d.weights[t] > 0 }) {
			continue // it argues against the decision
		}
		score := 0.5*same + 0.35*near
		if s.of(strongly) {
			score += 0.25
		}
		if labelled {
			score++
		}
		if s.of(undecided) {
			score -= 0.1
		}
		if score >= 0.4 {
			all = append(all, place{i, score})
		}
	}
	taken := slices.Clone(given)
	said := termsOf(slices.Concat(decided, given))
	for best := 0.0; len(taken) < most; {
		next, worth := -1, 0.0
		for _, p := range all {
			s := d.sentences[p.index]
			if w := p.score + gainOfReason*d.gain(s, said); w > worth && !has(taken, s) {
				next, worth = p.index, w
			}
		}
		if next < 0 || worth < 0.6*best {
			break
		}
		best = max(best, worth)
		taken = append(taken, d.sentences[next])
		for _, t := range d.sentences[next].terms {
			said[t] = true
		}
	}
	slices.SortStableFunc(taken, func(a, b sentence) int { return cmp.Compare(a.at, b.at) })
	return taken
}

// saidIn reports whether s is in all, or contains one of them.
func saidIn(all []sentence, s sentence) bool {
	return slices.ContainsFunc(all, func(other sentence) bool {
		return other.at == s.at && strings.Contains(s.low, strings.TrimRight(other.low, "."))
	})
}
