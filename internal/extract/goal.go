package extract

import (
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A StatedGoal is a goal that a text states.
type StatedGoal struct {
	Goal       string  // without the words that call it one
	Confidence float64 // ratio 0–1
}

// goals are the statements of goals. The first group that matches is where the goal
// begins.
var goals = []struct {
	sure float64
	says *lazyregexp.Regexp
}{
	{0.9, lazyregexp.New(lead + `(?:(?:our|my|the|new|main|current|next|overall|project|session|team|quarterly|sprint) )*(?:goals?|objectives?|targets?|ziel|目标)(?: (?:for|of) [^:,]{2,40}?)?(?:\s*[:：]\s*[*_]*|[*_]+\s*[:：]\s*| (?:is|was|remains) (?:to )?)()\S`)},
	{0.8, lazyregexp.New(lead + `(?:our|my|the team's) (?:main |overall |next )?(?:aim|mission|objective) (?:is|remains) (?:to )?()\S`)},
	{0.8, lazyregexp.New(lead + `we (?:want|need|aim|plan|intend|hope|have) to ()(?:ship|launch|release|finish|deliver|reach|have|get|be|go live|roll out|publish|reduce|increase|cut|double|halve|complete|support|migrate|open|close|hit)\b.{0,120}\b(?:by|before|until|within|this (?:week|month|quarter|year)|next (?:week|month|quarter|year)) ?\S`)},
	{0.8, lazyregexp.New(lead + `we(?:'re| are) (?:aiming|working|heading|planning) (?:to|towards?|for) ()\S.{0,120}\b(?:by|before|until|within|this (?:week|month|quarter|year)|next (?:week|month|quarter|year))\b`)},
	{0.8, lazyregexp.New(`^(?:unser|mein|das) (?:nächstes |wichtigstes )?ziel (?:ist|bleibt)(?: es)?,? ()\S|^wir (?:wollen|möchten) ()(?:bis|vor|noch)\b.{3,}|^wir (?:wollen|möchten) ().{3,80}\bbis (?:zum|ende|anfang|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|montag|freitag|nächste|\d)`)},
	{0.8, lazyregexp.New(`^(?:我们|我|团队|本季度|这个季度|项目)的?(?:主要|最终|下一个|首要)?目标(?:是|：|:)()\S|^我们(?:要|想|计划|希望|打算)()在?.{1,20}(?:之前|前|以内|底)(?:完成|上线|发布|交付|推出|达到).*`)},
}

// notGoal matches what follows where no goal is stated.
var notGoal = lazyregexp.New(`^(?:unclear|unknown|not|clear|the same|tbd|none|n/a|what|whether|achieved|reached|done|met|wrong|too|a good|great|good|important|difference|scored?|named|set|listed|shown|stored|updated)\b|\b(?:was scored|of the game)\b`)

// Goal returns the first goal that text states, or false if there is none. Questions,
// negations, reports about others, quotes and code state none.
func Goal(text string) (StatedGoal, bool) {
	if len(text) > maxRuleText {
		return StatedGoal{}, false
	}
	for l := range lines(text) {
		if l.code || l.quoted {
			continue
		}
		for s := range sentences(stripMarkers(l.text)) {
			if g, ok := s.goal(); ok {
				return g, true
			}
		}
	}
	return StatedGoal{}, false
}

// goal returns the goal that s states, or false.
func (s sentence) goal() (StatedGoal, bool) {
	if s.isQuestion || !containsOne(s.low, "goal", "objective", "target", "aim", "mission", "we want", "we need", "we plan", "we intend", "we hope", "we have to", "we're", "we are", "ziel", "wir ", "目标", "我们") {
		return StatedGoal{}, false
	}
	low := strings.ReplaceAll(s.low, "’", "'")
	for _, c := range goals {
		m := c.says.FindStringSubmatchIndex(low)
		if m == nil {
			continue
		}
		for i := 2; i < len(m); i += 2 {
			if m[i] < 0 {
				continue
			}
			rest := low[m[i]:]
			if notGoal.MatchString(rest) || len(rest) < 6 || hedge.MatchString(low[:m[i]]) {
				return StatedGoal{}, false
			}
			text := s.text[max(0, len(s.text)-len(rest)):]
			return StatedGoal{Goal: strings.TrimLeft(text, " *_,"), Confidence: c.sure}, true
		}
	}
	return StatedGoal{}, false
}
