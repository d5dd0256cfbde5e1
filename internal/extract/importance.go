package extract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// Importance returns the importance of a message, a ratio 0–1 in hundredths, by the
// ranges and boosts of the Quaid document, and its reasons, of which the first is the
// base. bosses are the agents that count as the user.
func Importance(m schema.Message, bosses, phrases []string) (ratio float64, reasons []string) {
	base, reason := 0, ""
	fromUser := false
	switch {
	case m.Kind == "tool_output", m.Role == "tool", m.Role == "" && m.ToolName != "":
		base, reason = toolBase(m.Content)
	case m.Role == "system", m.Kind == "summary", m.Kind == "layer_change":
		base, reason = systemBase(m)
	case m.Role == "user" || isBoss(m, bosses):
		fromUser = true
		base, reason = userBase(m.Content)
	default:
		base, reason = agentBase(m)
	}
	reasons = append(reasons, fmt.Sprintf("%s %s", reason, hundredths(base)))
	sum := base
	boost := func(by int, why string) {
		sum += by
		reasons = append(reasons, fmt.Sprintf("%s +%s", why, hundredths(by)))
	}
	if d, ok := Decision(m.Content, phrases); m.Kind == "decision" || ok && (fromUser || !d.Imperative) {
		boost(20, "contains a decision")
	}
	if referencesCode(m.Content) {
		boost(10, "references code")
	}
	if fromUser && AsksToRemember(m.Content) {
		boost(30, "asks to remember this")
	}
	if reportsProblem(m.Content) {
		boost(15, "contains an error or a warning")
	}
	if sum > 100 {
		sum = 100
		reasons = append(reasons, "capped at 1.0")
	}
	return float64(sum) / 100, reasons
}

// hundredths formats n/100 with one decimal, or two if necessary.
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
	ruleStart = lazyregexp.New(`^(?:(?:our|the|my|new|main|hard|project|session)\s+)*(?:goals?|objectives?|constraints?|requirements?|rules?)\s*[:=]|\bmust(?:n't| not)?\s|^(?:never|always) (?:use|add|commit|push|run|write|test|check|ask|keep|put|delete|change|edit|touch|call|log|make|return|include|merge|deploy)\b`)
	// notRule matches a "must" that is not a rule.
	notRule      = lazyregexp.New(`\bmust(?:'ve| have\b| be (?:a |so |very |really |proud|happy|nice|fun|hard|tough|great|amazing|tired|hungry))|\b(?:you|it|he|she|they|that|this|i) must\b|^must\b`)
	requestStart = lazyregexp.New(`^(?:please\b|pls\b|let's (?:do|make|` + requestVerbs + `)\b|let us (?:` + requestVerbs + `)\b|(?:can|could|would|will) you\b|(?:i|we) (?:want|need|would like|'d like)\b|i'd like\b|(?:` + requestVerbs + `)\b|bitte\b|lass uns\b|kannst du\b|请|帮我|我们来)`)
)

// requestVerbs are the verbs of requests for work.
const requestVerbs = `implement|add|fix|create|write|build|refactor|rename|remove|delete|update|change|move|make sure|make|test|run|check|review|investigate|debug|set up|install|configure|deploy|document|explain|show|find|look at|look into|improve|optimi[sz]e|migrate|replace|convert|merge|commit|push|revert|clean up|continue|start|try|extend|split|extract|design|plan|release|help me`

// userBase returns the base of a user's message, 70 to 90 hundredths, and its reason.
func userBase(text string) (int, string) {
	base, what := 70, "user message"
	n := 0
	for l := range lines(text) {
		if l.code || l.quoted {
			continue
		}
		for s := range sentences(stripMarkers(l.text)) {
			if n++; n > 200 {
				return base, what
			}
			low := strings.ReplaceAll(s.low[len(filler.FindString(s.low)):], "’", "'")
			if _, ok := s.rule(); ok {
				return 90, "user message that sets a goal or a rule"
			}
			if !s.isQuestion && ruleStart.MatchString(low) && !notRule.MatchString(low) {
				return 90, "user message that sets a goal or a rule"
			}
			if base == 70 && requestStart.MatchString(low) {
				base, what = 80, "user message that asks for work"
			}
		}
	}
	return base, what
}

var courtesy = lazyregexp.New(`^(?:\W*(?:ok(?:ay)?|sure|yes|no|yep|done|great|perfect|thanks?|thank you|thx|you're welcome|you are welcome|no problem|my pleasure|got it|sounds good|understood|noted|good|nice|cool|right|hi|hello|hey|bye|good (?:morning|night|luck)|of course|certainly|absolutely|will do|gern|danke|好的?|谢谢)\b?)+\W*$`)

// agentBase returns the base of an agent's message, 40 to 80 hundredths, and its
// reason.
func agentBase(m schema.Message) (int, string) {
	if m.ToolName != "" {
		return 40, "agent's tool call"
	}
	if text := strings.TrimSpace(m.Content); text == "" || len(text) <= 80 && courtesy.MatchString(strings.ToLower(strings.ReplaceAll(text, "’", "'"))) {
		return 40, "agent's courtesy message"
	}
	switch w := Work(m.Content); {
	case len(w.Done) > 0 && len(w.Pending)+len(w.Next) > 0, len(w.Done) > 2:
		return 80, "agent message that summarizes work"
	case len(w.Done)+len(w.Doing)+len(w.Pending)+len(w.Next) > 0:
		return 70, "agent message that reports work"
	}
	return 60, "agent message"
}

// systemBase returns the base of a system event, 50 or 60 hundredths, and its reason.
func systemBase(m schema.Message) (int, string) {
	switch m.Kind {
	case "summary":
		return 60, "summary"
	case "layer_change":
		return 60, "layer change"
	}
	return 50, "system event"
}

// toolBase returns the base of a tool's output, 30 or 40 hundredths, and its reason.
func toolBase(text string) (int, string) {
	if len(strings.TrimSpace(text)) < 40 {
		return 30, "short tool output"
	}
	return 40, "tool output"
}

// referencesCode reports whether text contains code or names a file or a function.
func referencesCode(text string) bool {
	f := finder{custom: &lexicon{}, builtin: &lexicon{}, names: map[string]*nameList{}}
	for raw := range strings.Lines(text) {
		if fenceMark(strings.TrimLeft(raw, " \t")) != "" {
			return true
		}
		raw = strings.TrimRight(raw, "\r\n")
		for _, s := range codeSpans(raw) {
			if strings.TrimSpace(raw[s.start:s.end]) != "" {
				return true
			}
		}
		if f.addLine(line{text: raw}, line{}); len(f.names[Files].all())+len(f.names[Functions].all()) > 0 {
			return true
		}
	}
	return false
}

var rememberRequest = lazyregexp.New(`^(?:(?:ok|and|so|also|but)[, ]+)*(?:please |pls |you (?:must|should) |always )?(?:remember|don't forget|do not forget|keep in mind)(?: (?:this|that)\b|:)|^/remember\b|\bremember this\b|^(?:bitte )?(?:merke? dir|denk daran)|^(?:请)?记住`)

// rememberWords are words of which every match of rememberRequest has one.
var rememberWords = []string{"remember", "forget", "keep in mind", "merk", "denk", "记住"}

// notRemember matches a "remember this" that is not a request.
var notRemember = lazyregexp.New(`\b(?:i|we|they|he|she|you|can't|cannot|couldn't|don't|do|to) remember this\b`)

// AsksToRemember reports whether a sentence of text asks to remember something.
func AsksToRemember(text string) bool {
	low := strings.ToLower(text)
	if !slices.ContainsFunc(rememberWords, func(word string) bool { return strings.Contains(low, word) }) {
		return false // as nearly all texts
	}
	for l := range lines(text) {
		if l.code || l.quoted {
			continue
		}
		for s := range sentences(stripMarkers(l.text)) {
			if low := strings.ReplaceAll(s.low, "’", "'"); !s.isQuestion && rememberRequest.MatchString(low+removedColon(l.text, s.text)) && !notRemember.MatchString(low) {
				return true
			}
		}
	}
	return false
}

// removedColon returns the colon that sentences removed from the end of a line, or "".
func removedColon(line, sentence string) string {
	if strings.HasSuffix(strings.TrimSpace(line), sentence+":") {
		return ":"
	}
	return ""
}

var (
	problem = lazyregexp.New(`\b(?:errors?|warnings?|exceptions?|tracebacks?|panic(?:ked|s)?:|segfaults?|crash(?:ed|es)|failed|(?:is|are|keeps?) failing|fatal|fehler|warnung)\b|错误|警告|异常|失败`)
	// raisedError matches an error by the name of its type.
	raisedError = lazyregexp.New(`\b[A-Z]\w*(?:Error|Exception): `)
	// noProblem matches what looks like a problem, but is none.
	noProblem = lazyregexp.New(`\b(?:no|0|zero|without(?: any)?|any|ohne|keine?) (?:\w+ )?(?:errors?|warnings?|exceptions?|failures?|fehler)\b|\b0 failed\b|\b(?:errors?|exceptions?|warnings?)[- ](?:handling|handlers?|messages?|codes?|types?|classes|class|budgets?|rates?|logging)\b|\bwith(?:out)? exceptions?\b`)
)

// reportsProblem reports whether text mentions an error or a warning.
func reportsProblem(text string) bool {
	for raw := range strings.Lines(text) {
		low := strings.ToLower(raw)
		if !containsOne(low, "err", "warn", "except", "traceback", "panic", "segf", "crash", "fail", "fatal", "fehler", "错误", "警告", "异常", "失败") {
			continue
		}
		if raisedError.MatchString(raw) || problem.MatchString(low) && problem.MatchString(noProblem.ReplaceAllString(low, "")) {
			return true
		}
	}
	return false
}
