package condense

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

var (
	titled     = lazyregexp.New(`(?i)^[\s#*_]*(?:topic|subject|title|thread|re|betreff|thema)[*_]*\s*[:：][\s*_]*(.{4,})$`)
	askedTopic = lazyregexp.New(`(?i)\b(?:shall|should|do|can|could|may) we\b|\bwhich\b|\bhow (?:do|should|to|can)\b|\bwhat (?:about|do|should|is)\b`)
	hollow     = lazyregexp.New(`^(?:i |you |he |she |they |we're |it's |it |that |this |there |where |who |when |what's |is it |is that |does it |did |are you |how are)`)
	greeting   = lazyregexp.New(`^(?:good (?:morning|afternoon|evening|day)|is every(?:body|one)|are we|welcome|can (?:you|everyone|everybody) hear|how (?:are|is|was)|happy)\b`)
	opening    = lazyregexp.New(`\b(?:we need to|we have to|the (?:problem|issue|question|goal|aim|idea|purpose)|problem|issue|question is|i'd like to|want to|wants? to|discuss|deciding|decide|talk about|proposal|currently|right now|at the moment|is (?:broken|failing|slow)|how (?:do|should|can) we|should we|which|what about|options?)\b`)
)

// topic returns the topic of the discussion: that of the options, a title in a message, the first
// suitable question, or the first sentence that is short enough. It returns "" if there is none.
func (d *discussion) topic() string {
	if t := single(d.o.Topic); t != "" {
		return shortened(t, 3*longestTopic)
	}
	for i, m := range d.messages {
		if i == 3 {
			break
		}
		first, _, _ := strings.Cut(strings.TrimSpace(m.Content), "\n")
		first = single(first)
		if m := titled.FindStringSubmatch(first); m != nil {
			return shortened(strings.Trim(m[1], "*_# "), longestTopic)
		}
		if headMark.MatchString(first) && len(first) > 5 {
			return shortened(strings.Trim(headMark.ReplaceAllString(first, ""), "*_# "), longestTopic)
		}
	}
	early := d.sentences[:min(len(d.sentences), 12+len(d.sentences)/10)]
	best, score := "", 0.0
	for i, s := range early {
		if s.broken || d.telling(s) < 2 || s.sure >= 0.6 || s.of(greeting) || d.spoken && s.of(dependent) || d.spoken && d.share(s.terms, d.about) < 0.15 {
			continue
		}
		worth := d.share(s.terms, d.about) - 0.3*float64(i)/float64(len(early))
		if i == 0 && !s.of(hollow) {
			worth += 0.35
		}
		if s.at == 0 && !d.spoken {
			worth += 0.2
		}
		if s.of(opening) {
			worth += 0.1
		}
		if s.asked {
			worth += 0.15
		}
		if s.asked && s.of(askedTopic) {
			worth += 0.15
		}
		if hollow.MatchString(s.low) || utf8.RuneCountInString(s.text) > longestTopic {
			worth -= 0.5
		}
		if utf8.RuneCountInString(s.text) <= 2*longestTopic && worth > score {
			best, score = mention.ReplaceAllString(s.text, ""), worth
		}
	}
	return shortened(strings.TrimRight(best, ".!"), longestTopic)
}

// shortened returns text cut between words to at most most characters.
func shortened(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	cut := string([]rune(text)[:most-1])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:.-") + "…"
}

// context returns the sentences that describe what was discussed. They are early ones about the
// topic and the decision, and can include a question.
func (d *discussion) context(decided, reasons []sentence) []sentence {
	about := termsOf(decided)
	for t := range d.about {
		about[t] = true
	}
	type place struct {
		index int
		score float64
	}
	var all []place
	last := len(d.messages)
	if len(decided) > 0 { // the context precedes the decision
		last = max(decided[0].at, (last+1)/2)
	}
	for i, s := range d.sentences {
		if s.at > last || s.broken || len(s.text) > longest || d.telling(s) < 2 || procedure.MatchString(s.low) && !opening.MatchString(s.low) || saidIn(decided, s) || saidIn(reasons, s) || slices.ContainsFunc(reasons, func(r sentence) bool { return d.overlap(r, s) > 0.9 }) || s.sure >= 0.6 || s.label != "" && s.label != "context" && s.label != "problem" {
			continue
		}
		score := 0.6*d.share(s.terms, about) + 0.6*d.fit(s) - 0.25*float64(s.at)/float64(max(1, last))
		if opening.MatchString(s.low) {
			score += 0.15
		}
		if s.at == 0 && d.spoken {
			score += 0.1
		} else if s.at == 0 { // the opening message of a thread often states its subject
			score += 0.45
		}
		if s.sure > 0.4 && !s.asked && s.at > 0 && !d.spoken {
			score -= 0.3
		}
		if s.asked && s.of(askedTopic) {
			score += 0.15
		}
		if hollow.MatchString(s.low) {
			score -= 0.15
		}
		if d.spoken && s.begun {
			score -= 0.15
		}
		if n := len(s.text); n < 40 && !(s.asked && s.of(askedTopic)) {
			score -= 0.2
		} else if n > 240 {
			score -= 0.1
		}
		all = append(all, place{i, score})
	}
	var taken []int
	said := termsOf(slices.Concat(decided, reasons))
	for best := 0.0; len(taken) < mostContext; {
		next, worth := -1, 0.0
		for _, p := range all {
			s := d.sentences[p.index]
			if w := p.score + gainOfContext*d.gain(s, said); w > worth && !slices.ContainsFunc(taken, func(i int) bool { return d.overlap(d.sentences[i], s) > 0.75 }) {
				next, worth = p.index, w
			}
		}
		if next < 0 || worth < 0.3*best {
			break
		}
		best = max(best, worth)
		taken = append(taken, next)
		for _, t := range d.sentences[next].terms {
			said[t] = true
		}
	}
	slices.Sort(taken)
	out := make([]sentence, len(taken))
	for i, at := range taken {
		out[i] = d.sentences[at]
	}
	return out
}

func has(all []sentence, s sentence) bool {
	return slices.ContainsFunc(all, func(other sentence) bool { return other.text == s.text })
}

// of reports whether the sentence matches a pattern.
func (s sentence) of(p *lazyregexp.Regexp) bool { return p.MatchString(s.low) }
