package extract

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// Importance is how much a message matters, a ratio from 0 to 1 in hundredths, by
// the ranges and boosts of the Quaid document, and the reasons in order: the
// first is the base. bosses are the agents who count as the user.
func Importance(m schema.Message, bosses, phrases []string) (ratio float64, reasons []string) {
	base, what := 0, ""
	users := false
	switch {
	case m.Kind == "tool_output", m.Role == "tool", m.Role == "" && m.ToolName != "":
		base, what = tools(m.Content)
	case m.Role == "system", m.Kind == "summary", m.Kind == "layer_change":
		base, what = systems(m)
	case m.Role == "user" || isBoss(m, bosses):
		users = true
		base, what = wishes(m.Content)
	default:
		base, what = answers(m)
	}
	reasons = append(reasons, fmt.Sprintf("%s %s", what, hundredths(base)))
	sum := base
	boost := func(by int, why string) {
		sum += by
		reasons = append(reasons, fmt.Sprintf("%s +%s", why, hundredths(by)))
	}
	if d, ok := Decision(m.Content, phrases); m.Kind == "decision" || ok && (users || !d.Imperative) {
		boost(20, "contains a decision")
	}
	if referencesCode(m.Content) {
		boost(10, "references code")
	}
	if users && asksToRemember(m.Content) {
		boost(30, "asks to remember this")
	}
	if tellsTrouble(m.Content) {
		boost(15, "contains an error or a warning")
	}
	if sum > 100 {
		sum = 100
		reasons = append(reasons, "capped at 1.0")
	}
	return float64(sum) / 100, reasons
}

// hundredths is n/100 with no more digits than it needs, and one at least.
func hundredths(n int) string {
	return strings.TrimSuffix(fmt.Sprintf("%d.%02d", n/100, n%100), "0")
}

func isBoss(m schema.Message, bosses []string) bool {
	for _, boss := range bosses {
		if m.Agent != "" && strings.EqualFold(boss, m.Agent) {
			return true
		}
	}
	return false
}

var (
	rule = lazyregexp.New(`^(?:(?:our|the|my|new|main|hard|project|session)\s+)*(?:goals?|objectives?|constraints?|requirements?|rules?)\s*[:=]|\bmust(?:n't| not)?\s|^(?:never|always) (?:use|add|commit|push|run|write|test|check|ask|keep|put|delete|change|edit|touch|call|log|make|return|include|merge|deploy)\b`)
	// guessing is a "must" that sets no rule.
	guessing = lazyregexp.New(`\bmust(?:'ve| have\b| be (?:a |so |very |really |proud|happy|nice|fun|hard|tough|great|amazing|tired|hungry))|\b(?:you|it|he|she|they|that|this|i) must\b|^must\b`)
	asking   = lazyregexp.New(`^(?:please\b|pls\b|let's (?:do|make|` + verbs + `)\b|let us (?:` + verbs + `)\b|(?:can|could|would|will) you\b|(?:i|we) (?:want|need|would like|'d like)\b|i'd like\b|(?:` + verbs + `)\b|bitte\b|lass uns\b|kannst du\b|请|帮我|我们来)`)
)

// verbs are what is asked for in a message of work.
const verbs = `implement|add|fix|create|write|build|refactor|rename|remove|delete|update|change|move|make sure|make|test|run|check|review|investigate|debug|set up|install|configure|deploy|document|explain|show|find|look at|look into|improve|optimi[sz]e|migrate|replace|convert|merge|commit|push|revert|clean up|continue|start|try|extend|split|extract|design|plan|release|help me`

// wishes is the base of a user's message, 0.7 to 0.9.
func wishes(text string) (int, string) {
	base, what := 70, "user message"
	n := 0
	for l := range lines(text) {
		if l.code || l.quoted {
			continue
		}
		for s := range sentences(unmarked(l.text)) {
			if n++; n > 200 {
				return base, what
			}
			low := strings.ReplaceAll(s.low[len(filler.FindString(s.low)):], "’", "'")
			if !s.asked && rule.MatchString(low) && !guessing.MatchString(low) {
				return 90, "user message that sets a goal or a rule"
			}
			if base == 70 && asking.MatchString(low) {
				base, what = 80, "user message that asks for work"
			}
		}
	}
	return base, what
}

var courtesy = lazyregexp.New(`^(?:\W*(?:ok(?:ay)?|sure|yes|no|yep|done|great|perfect|thanks?|thank you|thx|you're welcome|you are welcome|no problem|my pleasure|got it|sounds good|understood|noted|good|nice|cool|right|hi|hello|hey|bye|good (?:morning|night|luck)|of course|certainly|absolutely|will do|gern|danke|好的?|谢谢)\b?)+\W*$`)

// answers is the base of an agent's message, 0.4 to 0.8.
func answers(m schema.Message) (int, string) {
	if m.ToolName != "" {
		return 40, "an agent's call of a tool"
	}
	if text := strings.TrimSpace(m.Content); text == "" || len(text) <= 80 && courtesy.MatchString(strings.ToLower(strings.ReplaceAll(text, "’", "'"))) {
		return 40, "agent message of courtesy"
	}
	switch w := Work(m.Content); {
	case len(w.Done) > 0 && len(w.Pending)+len(w.Next) > 0, len(w.Done) > 2:
		return 80, "agent message that sums up work"
	case len(w.Done)+len(w.Doing)+len(w.Pending)+len(w.Next) > 0:
		return 70, "agent message that reports work"
	}
	return 60, "agent message"
}

// systems is the base of a system event, 0.3 to 0.6.
func systems(m schema.Message) (int, string) {
	switch m.Kind {
	case "summary":
		return 60, "summary"
	case "layer_change":
		return 60, "change of the layer"
	}
	return 50, "system event"
}

// tools is the base of a tool's output, 0.3 to 0.6.
func tools(text string) (int, string) {
	if len(strings.TrimSpace(text)) < 40 {
		return 30, "short tool output"
	}
	return 40, "tool output"
}

// referencesCode says whether text has code in it, or names a file or a function.
func referencesCode(text string) bool {
	f := finder{own: &lexicon{}, builtin: &lexicon{}, names: map[string]*names{}}
	for raw := range strings.Lines(text) {
		if fenceOf(strings.TrimLeft(raw, " \t")) != "" {
			return true
		}
		raw = strings.TrimRight(raw, "\r\n")
		for _, s := range spans(raw) {
			if strings.TrimSpace(raw[s.start:s.end]) != "" {
				return true
			}
		}
		if f.line(line{text: raw}, line{}); len(f.names[Files].all())+len(f.names[Functions].all()) > 0 {
			return true
		}
	}
	return false
}

var remember = lazyregexp.New(`^(?:(?:ok|and|so|also|but)[, ]+)*(?:please |pls |you (?:must|should) |always )?(?:remember|don't forget|do not forget|keep in mind)(?: (?:this|that)\b|:)|^/remember\b|\bremember this\b|^(?:bitte )?(?:merke? dir|denk daran)|^(?:请)?记住`)

// recalling is a "remember this" that asks for nothing.
var recalling = lazyregexp.New(`\b(?:i|we|they|he|she|you|can't|cannot|couldn't|don't|do|to) remember this\b`)

// asksToRemember says whether a sentence of text asks so.
func asksToRemember(text string) bool {
	for l := range lines(text) {
		if l.code || l.quoted {
			continue
		}
		for s := range sentences(unmarked(l.text)) {
			if low := strings.ReplaceAll(s.low, "’", "'"); !s.asked && remember.MatchString(low+suffix(l.text, s.text)) && !recalling.MatchString(low) {
				return true
			}
		}
	}
	return false
}

// suffix is the colon that was taken off a sentence at the end of its line.
func suffix(line, sentence string) string {
	if strings.HasSuffix(strings.TrimSpace(line), sentence+":") {
		return ":"
	}
	return ""
}

var (
	trouble = lazyregexp.New(`\b(?:errors?|warnings?|exceptions?|tracebacks?|panic(?:ked|s)?:|segfaults?|crash(?:ed|es)|failed|(?:is|are|keeps?) failing|fatal|fehler|warnung)\b|错误|警告|异常|失败`)
	// raised is an error by the name of its type.
	raised = lazyregexp.New(`\b[A-Z]\w*(?:Error|Exception): `)
	// fine takes away what looks like trouble and is none.
	fine = lazyregexp.New(`\b(?:no|0|zero|without(?: any)?|any|ohne|keine?) (?:\w+ )?(?:errors?|warnings?|exceptions?|failures?|fehler)\b|\b0 failed\b|\b(?:errors?|exceptions?|warnings?)[- ](?:handling|handlers?|messages?|codes?|types?|classes|class|budgets?|rates?|logging)\b|\bwith(?:out)? exceptions?\b`)
)

// tellsTrouble says whether text tells of an error or a warning.
func tellsTrouble(text string) bool {
	for raw := range strings.Lines(text) {
		low := strings.ToLower(raw)
		if !containsOne(low, "err", "warn", "except", "traceback", "panic", "segf", "crash", "fail", "fatal", "fehler", "错误", "警告", "异常", "失败") {
			continue
		}
		if raised.MatchString(raw) || trouble.MatchString(low) && trouble.MatchString(fine.ReplaceAllString(low, "")) {
			return true
		}
	}
	return false
}
