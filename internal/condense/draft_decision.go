package condense

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A cue is a pattern for statements of decisions, with a confidence.
type cue struct {
	sure float64 // ratio
	says *lazyregexp.Regexp
}

// cues lists the patterns, highest confidence first.
var cues = []cue{
	{0.9, lazyregexp.New(`\b(?:we|we've|we have|team|everyone|everybody|all|it was|it's|is|was)\s+(?:\w+\s+){0,2}?(?:agreed|settled|concluded|chose|picked|resolved|decided)\b(?:\s+(?:to|on|that|upon|with|not|for|we))|\b(?:the|our) (?:final |general )?(?:decision|conclusion|verdict|consensus|outcome|agreement) (?:is|was|here is)\b|^consensus\b|\bthat(?:'s| is) (?:decided|settled)\b`)},
	{0.8, lazyregexp.New(`\b(?:let's|let us) (?:go (?:with|for|ahead)|use|keep (?:the|it|this|that|both|a|all|using|to|our \w+ as|[a-z]*\d)|make (?:the|that|this|it (?:a|the|\d|optional|mandatory|configurable|explicit|clear))|take|stick|drop|switch|move to|have|ship|merge|adopt|pick|choose|call it|do (?:it|that|this)|leave (?:it|that|the|out)|put|remove|start with|add|get rid|not (?:use|do|have|add|make))\b|\b(?:we|i)(?:'ll| will|'d better| shall| could| should| can)?(?: \w+){0,2} (?:go (?:with|ahead with)|(?:stick|stay) with|settle (?:on|for))\b|\b(?:i'm|i am|we're|we are) (?:gonna |going to )?(?:(?:go|going|stick|sticking) with|settl(?:ing|e) on)\b|\bclosing (?:this|it|as|in favou?r|for)\b|\breplaced by\b|\b(?:i|we) vote\b|\bso (?:the )?plan is\b|\bthe plan is\b|\bship it\b|\bwir (?:entscheiden uns|haben (?:uns )?(?:entschieden|beschlossen)|einigen uns|nehmen|bleiben bei|gehen mit|setzen auf)\b|\b(?:beschlossen|nous (?:choisissons|prenons|gardons)|on (?:prend|garde|part sur|choisit)|c'est décidé|nous avons décidé|vamos con|elegimos|decidimos|hemos decidido)\b|决定|就用`)},
	{0.7, lazyregexp.New(`^(?:then |so |therefore |thus )?(?:we|i) (?:hereby )?(?:select|choose|pick|adopt|approve|reject|standardi[sz]e on|settle|decide)\b|^(?:then |so )?(?:let's|let us) (?:\w+ ){0,2}\w{2,}`)},
	{0.6, lazyregexp.New(`^we (?:drop|move|switch|migrate|stop|remove|replace|ship|merge|pin|roll|deprecate)\b|^(?:then |so |therefore |thus )(?:we|we'd) (?:drop|move|keep|take|use|switch|migrate|stay|stop|remove|replace|ship|merge|pin|roll|go|do|start|add|leave|deprecate|raise|cut|buy|order)\b|\bwir (?:verwenden|benutzen|nutzen|behalten|wechseln|stellen|machen|brauchen kein)\b|\blasst uns\b|\b(?:nous (?:utilisons|allons)|on va|usaremos|usamos|utilizaremos)\b|我们用|采用`)},
	{0.5, lazyregexp.New(`^we (?:keep|take|go|start|add|leave|use)\b`)},
	{0.6, lazyregexp.New(`\b(?:we'll|we will|we're going to|we are going to|we're gonna|we are gonna|we're not going to|we won't|we will not|we can't have|we cannot have|we shall)\b|\bfrom now on\b|\b(?:i think )?we (?:should|shouldn't) (?:just|definitely|simply|then)\b|^(?:so )?(?:it's|it is) (?:going to|gonna) (?:be|have)\b|\bwe (?:don't|do not|won't) (?:need|want|wanna)\b`)},
	{0.45, lazyregexp.New(`\bwould (?:do|work|be (?:fine|enough|best))\b|\b(?:it|that|this)(?:'ll| will) (?:just )?(?:be|have)\b|\bwe (?:should|need to|have to|must|ought to|can't|cannot|can just)\b|\b(?:i (?:would )?(?:suggest|propose|recommend)|i'd (?:say|suggest|go|propose|rather)|my (?:vote|suggestion|proposal|preference)|i think we|i'm (?:for|in favou?r)|i prefer)\b|\b(?:it|that|this|they) (?:would|should) (?:be|have)\b`)},
	{0.3, lazyregexp.New(`\b(?:we could|maybe we|perhaps we|i think (?:it|that) (?:is|would|should))\b`)},
}

var (
	// procedure matches statements about the discussion itself.
	procedure = lazyregexp.New(`\b(?:let's|let us) (?:\w+ )?(?:hope|be honest|think|assume|face it|ask|chat|sync|call|revisit|catch up|sleep on|pretend|imagine)\b|\b(?:let's|let us|we'll|we will|we should|we can|we could|shall|i'll|we're going to|we are going to|we're gonna|we need to|we have to|we won't) (?:\w+ ){0,3}?(?:see|talk|discuss|move on|go (?:on|through|over|back|around|round)|come (?:back|to)|get (?:back|started|into)|start(?:\.| the meeting| off| by| from)|begin|continue|wrap|finish|meet|break|wait|say|hear|listen|look at|try to (?:talk|see)|take a (?:look|break)|have a (?:look|break|meeting)|return|skip|end|stop|be (?:quick|brief)|do (?:this|that) (?:quickly|later))\b|\b(?:meeting|agenda|slide|slides|powerpoint|the minutes|meeting minutes|presentation|next (?:item|point|topic)|move on|moving on|any other|questionnaire)\b|\bi(?:'ll| will|'m going to| am going to|'m gonna) (?:\w+ )?(?:explain|show|present|talk|tell|ask (?:you|a|every\w+|all|about|if|whether))\b|\b(?:was|were) gonna\b`)
	// undecided matches sentences that state no decision.
	undecided      = lazyregexp.New(`\b(?:if|unless|whether|depends?|depending|not sure|don't know|no idea|wonder(?:ing)?|undecided|would be nice|hopefully|hope|might|maybe|perhaps|possibly|or something|what if|suppose|supposed to|could have|should have|would have|used to|had to|i thought)\b`)
	unlessObjected = lazyregexp.New(`\bunless (?:we hear otherwise|any(?:one|body) objects?|there are (?:any )?objections|somebody objects|you object)\b|\bas if\b|\beven if\b`)
	cheering       = lazyregexp.New(`\b(?:keep \w+ing|make (?:it happen|a difference|the (?:most|best|world)|some)|dreams?|memories|awesome|amazing|fun|together)\b`)
	joking         = lazyregexp.New(`(?:^|\s)/s[.!]?$|\bwhat could (?:possibly )?go wrong\b|🙄|\bwhile we(?:'re| are) at it\b`)
	dependent      = lazyregexp.New(`^(?:which means|which|because|cuz|'cause|if|like|which|just because|as long as|so that|such as)\b`)
	others         = lazyregexp.New(`\b(?:he|she|they|someone|somebody|people) (?:said|says|think|thinks|thought|decided|want|wants|wanted|were|was)\b`)
	summing        = lazyregexp.New(`^(?:to (?:sum|summari[sz]e|recap|conclude)|in (?:summary|conclusion|the end|short)|finally|overall|final|conclusion|outcome|result|bottom line|tl;dr)\b`)
	// agreeing and objecting match the beginnings of replies to a proposal.
	agreeing  = lazyregexp.New(`^\W*(?:yes|yeah|yep|yup|ok|okay|agreed|i agree|agree|sure|sounds (?:good|great|fine|like a plan)|good(?: idea| point| call|\.|,|!|$)|great|perfect|exactly|definitely|absolutely|right|fine|deal|done|\+1|👍|:\+1:|lgtm|works for me|that works|makes sense|true|of course|i like (?:it|that)|let's do|works|go ahead|ship it|approved|nice|excellent|mm - hmm|alright|all right|✅|no objections?|there we go|fair enough|cool|mm-hmm|i think so|einverstanden|passt|ja\b|genau|klar|gut\b|in ordnung|d'accord|oui|parfait|de acuerdo|vale\b|claro|sí\b|同意|好的|好)`)
	objecting = lazyregexp.New(`^\W*(?:no\b(?:,| |\.)|nope|nah|but |i disagree|disagree|i don't (?:think|agree|like)|not (?:sure|really|necessarily|so fast)|wait|hmm|hold on|-1|👎|actually|i'm not|what about|why |nein\b|non\b|scratch that|不行|不)`)
	reversing = lazyregexp.New(`\b(?:actually|instead|on second thought|scratch that|changed my mind|forget (?:that|it)|never ?mind|correction|i take (?:it|that) back|rather than|no longer|revert|after all|not anymore)\b`)
)

// A candidate is a sentence that may state a decision.
type candidate struct {
	sentence
	index int // index of the sentence
	score float64
}

// decision returns the sentences that state the decision, in order, or none.
func (d *discussion) decision() []sentence {
	all := d.candidates()
	if len(all) == 0 {
		return nil
	}
	most := min(mostDecision, 2+len(d.messages)/fewMessages)
	new, least := 0.0, 0.6
	if d.long() {
		new, least = gainOfMuch, 0.5
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.index, a.index))
	})
	var taken []candidate
	said := map[string]bool{}
	best := 0.0
	for len(taken) < most {
		next, worth := -1, 0.0
		for i, c := range all {
			if w := c.score + new*d.gain(c.sentence, said); w > worth && !slices.ContainsFunc(taken, func(t candidate) bool { return d.overlap(c.sentence, t.sentence) >= 0.6 }) {
				next, worth = i, w
			}
		}
		if next < 0 || worth < least*best {
			break
		}
		best = max(best, worth)
		taken = append(taken, all[next])
		for _, t := range all[next].terms {
			said[t] = true
		}
	}
	taken = d.standing(taken)
	out := make([]sentence, 0, len(taken))
	slices.SortFunc(taken, func(a, b candidate) int { return cmp.Compare(a.index, b.index) })
	for _, c := range taken {
		if before := d.meant(c); before >= 0 && !has(out, d.sentences[before]) && (len(out) == 0 || out[len(out)-1].at < c.at-3) {
			out = append(out, d.sentences[before])
		}
		out = append(out, c.sentence)
	}
	if telling := slices.DeleteFunc(slices.Clone(out), func(s sentence) bool { return s.of(merelyReplacing) }); len(telling) > 0 {
		return telling
	}
	return out
}

// merelyReplacing matches sentences that only name the decision that is replaced. The form has a
// separate field for it.
var merelyReplacing = lazyregexp.New(`^(?:it|this|that|this decision|the decision)(?: also| thus| hereby| therefore)? (?:supersedes|replaces|overrides|overturns|reverses)\b[^,;]*$`)

var pointing = lazyregexp.New(`\b(?:that|this|it|those|these)\b(?:\s+(?:one|proposal|option|approach|plan|way|idea|then|instead|for now))?[.!,]|\b(?:that|this) (?:one|proposal|option|approach|plan|way|idea|suggestion)\b|\b(?:the (?:first|second|third|last|former|latter)(?: one| option)?|option [a-z0-9]|(?:your|his|her|their|ann's) (?:proposal|suggestion|idea))\b`)

// meant returns the index of the sentence shortly before c to which c refers, as in "let's do
// that", or -1.
func (d *discussion) meant(c candidate) int {
	enough := 3
	if c.of(proposed) {
		enough = 6
	}
	if !c.of(pointing) || d.telling(c.sentence) > enough {
		return -1
	}
	best, score := -1, 0.0
	for i := c.index - 1; i >= 0 && d.sentences[i].at >= c.at-5; i-- {
		s := d.sentences[i]
		if s.asked || s.broken || s.stumbled || d.telling(s) < 2 || d.spoken && d.telling(s) < 3 || s.of(agreeing) && len(s.text) < 40 {
			continue
		}
		worth := d.fit(s) - 0.08*float64(c.at-s.at)
		if s.of(proposing) || s.sure > 0 {
			worth += 0.4
		}
		if worth > score {
			best, score = i, worth
		}
	}
	return best
}

var proposed = lazyregexp.New(`\b(?:that|this|your|his|her|their) (?:one|proposal|option|approach|plan|way|idea|suggestion)\b`)

var proposing = lazyregexp.New(`\b(?:we (?:could|should|can|might)|i(?:'d| would)? (?:suggest|propose|recommend|prefer|vote|say|go)|how about|what about|my (?:vote|suggestion|proposal|preference)|proposal|i think we|maybe we|let's|option)\b`)

// standing removes candidates that a later one revokes.
func (d *discussion) standing(taken []candidate) []candidate {
	return slices.DeleteFunc(slices.Clone(taken), func(c candidate) bool {
		return slices.ContainsFunc(taken, func(later candidate) bool {
			return later.at > c.at && reversing.MatchString(lower(d.messages[later.at].Content)) && d.overlap(c.sentence, later.sentence) > 0.15
		})
	})
}

// Weights for the gain of a sentence relative to the way in which it is said. A long discussion has
// many decisions in passing, so the gain counts more there.
const (
	gainOfMuch    = 2.0
	gainOfContext = 0.5
	gainOfReason  = 0.3
	gainOfDoubt   = 0.3
)

// long reports whether the discussion is so long that it decides several matters.
func (d *discussion) long() bool { return d.spoken || len(d.messages) > 4*fewMessages }

// leastSure is the least confidence of a decision.
const leastSure = 0.6

// candidates returns the sentences that may state a decision.
func (d *discussion) candidates() (all []candidate) {
	enough := 2 // in a long discussion short sentences are not enough
	if len(d.messages) > 4*fewMessages {
		enough = 3
	}
	for i, s := range d.sentences {
		if s.asked || s.broken || len(s.text) > longest {
			continue
		}
		sure := s.sure
		if sure == 0 || d.telling(s) < 2 && (sure < 0.8 || d.telling(s) < 1 && d.meant(candidate{sentence: s, index: i}) < 0) {
			continue
		}
		if d.spoken && sure < 0.8 && d.telling(s) < enough || s.of(dependent) {
			continue
		}
		score := sure + d.replyEffect(s)
		if score < leastSure && !(d.spoken && sure >= 0.4 && score+gainOfDoubt*d.gain(s, nil) >= leastSure) {
			continue
		}
		score += 0.35*float64(s.at)/float64(max(1, len(d.messages)-1)) + 0.6*d.fit(s)
		if d.boss[lower(s.who)] {
			score += 0.2
		}
		if n := len(s.text); n > 200 {
			score -= 0.1
		} else if n < 20 || d.spoken && n < 30 {
			score -= 0.15
		}
		all = append(all, candidate{sentence: s, index: i, score: score})
	}
	if slices.ContainsFunc(all, func(c candidate) bool { return c.sure >= 0.6 }) { // explicit statements suffice
		all = slices.DeleteFunc(all, func(c candidate) bool { return c.sure < 0.6 && len(d.messages) > fewMessages })
	}
	return all
}

// confidence returns the confidence that a sentence by itself states a decision.
func (d *discussion) confidence(s sentence) float64 {
	sure := 0.0
	switch s.label {
	case "we decided", "we agreed", "decision", "decisions", "conclusion", "outcome", "resolution", "resolved", "verdict", "decided", "consensus", "agreed", "final decision":
		return 1
	}
	if d.messages[s.at].Kind == "decision" {
		return 1
	}
	if found, ok := extract.Decision(s.text, d.o.Phrases); ok && (!found.Imperative || d.boss[lower(s.who)] || d.messages[s.at].Role == "user") {
		if sure = found.Confidence; found.Imperative {
			sure = 0.7 // said by a boss
		}
	}
	first := holds(s.low, speakers...)
	for _, c := range cues {
		if c.sure <= sure {
			break
		}
		if first && c.says.MatchString(s.low) {
			sure = c.sure
		}
	}
	if sure == 0 || procedure.MatchString(s.low) || others.MatchString(s.low) {
		return 0
	}
	if strings.HasSuffix(s.text, "!") || s.of(cheering) {
		sure -= 0.2
	}
	if undecided.MatchString(unlessObjected.ReplaceAllString(s.low, "")) {
		sure -= 0.35
	}
	if summing.MatchString(s.low) || s.label == "summary" {
		sure += 0.2
	}
	return max(0, sure)
}

// speakers lists substrings of which every cue contains at least one.
var speakers = []string{"we", "let", "i ", "i'", "it ", "it'", "is ", "was", "that", "this", "the", "all", "every", "team", "consensus", "clos", "plan", "vote", "ship it", "replaced", "would", "now on", "maybe", "my ", "wir", "lasst", "beschlossen", "nous", "on ", "c'est", "vamos", "eleg", "decid", "usa", "utili", "决定", "就用", "我们", "采用"}

// longestEcho is the number of messages within which a sentence is answered.
const longestEcho = 50

// replyEffect returns the effect of others' replies to a sentence, which agree or object.
func (d *discussion) replyEffect(s sentence) float64 {
	sum := 0.0
	heard := 0
	for i := s.at + 1; i < min(len(d.messages), s.at+longestEcho) && heard < 3; i++ {
		m := d.messages[i]
		if single(m.Agent) == s.who && s.who != "" {
			if reversing.MatchString(d.head(i)) {
				sum -= 0.1
			}
			continue
		}
		heard++
		switch low := d.head(i); {
		case objecting.MatchString(low):
			sum -= 0.2 / float64(heard)
		case agreeing.MatchString(low):
			sum += 0.3 / float64(heard)
		}
	}
	return max(-0.3, min(0.4, sum))
}
