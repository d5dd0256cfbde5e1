package compact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// The kinds of messages.
const (
	Message       = "message"
	Decision      = "decision"
	Clarification = "clarification"
	Question      = "question"
	LayerChange   = "layer_change"
	ToolOutput    = "tool_output"
	Summary       = "summary"
)

// Classify returns the kind of a message (decision, clarification, question,
// layer_change, tool_output, summary, message): its own kind if it has one, else a kind
// derived from its speaker and its text. The output of a tool is always tool_output,
// except that a user's answer inside a tool's result is a message of the user.
func Classify(m schema.Message, o Options) string {
	switch m.Kind {
	case Message, Decision, Clarification, Question, LayerChange, ToolOutput, Summary:
		return m.Kind
	}
	switch {
	case isBoss(m, o) && saysOneOf(m.Content, o.Phrases):
		return Decision
	case m.Role == "tool", m.Role == "" && m.ToolName != "":
		return ToolOutput
	case isCall(m):
		return Message
	case tellsLayer(m.Content):
		return LayerChange
	case clarifies(m.Content):
		return Clarification
	case isQuestion(m.Content):
		return Question
	}
	return Message
}

// speaker returns the speaker of m; a user without a name is "user".
func speaker(m schema.Message) string {
	if m.Agent != "" {
		return strings.ToLower(m.Agent)
	}
	return m.Role
}

func isBoss(m schema.Message, o Options) bool {
	name := speaker(m)
	for _, boss := range o.Bosses {
		if name != "" && strings.EqualFold(boss, name) {
			return true
		}
	}
	return false
}

// isCall reports whether m is an agent's call of a tool.
func isCall(m schema.Message) bool { return m.Role == "assistant" && m.ToolName != "" }

// saysOneOf reports whether text contains a phrase as whole words, in upper or lower
// case, with any spaces and apostrophes.
func saysOneOf(text string, phrases []string) bool {
	text = plain(text)
	for _, phrase := range phrases {
		if phrase = plain(phrase); phrase != "" && contains(text, phrase) {
			return true
		}
	}
	return false
}

// plain returns text in lower case with single spaces and straight apostrophes.
func plain(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	space := false
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		if r == '’' || r == 'ʼ' {
			r = '\''
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// contains reports whether text contains phrase without a letter or digit before or
// after it.
func contains(text, phrase string) bool {
	first, _ := utf8.DecodeRuneInString(phrase)
	last, _ := utf8.DecodeLastRuneInString(phrase)
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		start := from + i
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[start+len(phrase):])
		if !(wordly(first) && wordly(before)) && !(wordly(last) && wordly(after)) {
			return true
		}
		from = start + utf8.RuneLen(first)
	}
}

func wordly(r rune) bool {
	return r != utf8.RuneError && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r))
}

// isQuestion reports whether text ends in a question mark, possibly followed by closing
// quotes, brackets and emphasis.
func isQuestion(text string) bool {
	text = strings.TrimRightFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`)]*_~”’»", r)
	})
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.HasSuffix(text, "؟")
}

// isBareQuestion reports whether text is a question without any other statement.
func isBareQuestion(text string) bool {
	if !isQuestion(text) {
		return false
	}
	body := strings.TrimRight(strings.TrimSpace(text), "?？؟")
	return !strings.ContainsAny(body, ".!\n:;") && len(body) < 300
}

const layerName = `(?:[0-5]\b|idea\b|module\b|domain\b|requirements?\b|specifications?\b|code\b)`

var (
	layerStep  = lazyregexp.New(`\blayer\s+` + layerName + `(?:\s*\(?\w*\)?)?\s*(?:→|->|=>|⇒|\bto\b)\s*(?:layer\s+)?` + layerName)
	layerMove  = lazyregexp.New(`\b(?:mov(?:e|ed|es|ing)|transition(?:ed|ing)?|advanc(?:e|ed|ing)|switch(?:ed|ing)?|backtrack(?:ed|ing)?|enter(?:ed|ing)?|return(?:ed|ing)?|go(?:es|ing)?|proceed(?:ed|ing)?)\s+(?:\w+\s+){0,2}?(?:(?:in)?to\s+)?(?:the\s+)?layer\s+` + layerName)
	layerMoved = lazyregexp.New(`\blayer (?:change|transition)\b`)
	clarifying = lazyregexp.New(`(?:^|\n)\W{0,4}clarif(?:ication|ied|ying)\b|\b(?:to clarify|let me clarify|to be clear|just to be clear|what i mean(?:t)? (?:is|was))\b`)
	aiming     = lazyregexp.New(`(?i)^\W{0,4}(?:(?:project|session|our|the|my|important|hard|main|new)\s+){0,2}(?:goals?|objectives?|constraints?|requirements?)\s*(?:is|are|\d+)?\W{0,3}[:=–—-]`)
)

// tellsLayer reports whether a short text announces a change of the layer.
func tellsLayer(text string) bool {
	if len(text) > 600 {
		return false
	}
	lower := strings.ToLower(text)
	if !strings.Contains(lower, "layer") {
		return false // most texts need no patterns
	}
	return layerStep.MatchString(lower) || layerMove.MatchString(lower) || layerMoved.MatchString(lower) && !isQuestion(text)
}

// clarifies reports whether the beginning of a text announces a clarification.
func clarifies(text string) bool {
	lower := strings.ToLower(head(text, 400))
	for _, mark := range []string{"clarif", "to be clear", "what i mean"} {
		if strings.Contains(lower, mark) {
			return clarifying.MatchString(lower)
		}
	}
	return false
}

// head returns the first n bytes of text or fewer, cut between characters.
func head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
