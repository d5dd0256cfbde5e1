package hook

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// mostContext is how much may be said to an agent at once, in characters as
// JavaScript counts them: Claude Code, Codex and Cursor cut at 10,000. Of the
// others no limit is known, and more would not be read.
const mostContext = 9500

// inForm is text for an agent, in the form in which it reads what a hook says;
// nil where it reads nothing at that moment, and for no text.
func inForm(agent string, at moment, text string) []byte {
	if text == "" || !reads(agent, at) {
		return nil
	}
	type specific struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	var v any
	switch {
	case agent == "cursor" && at == prompted:
		v = struct {
			Continue bool   `json:"continue"`
			Context  string `json:"additional_context"`
		}{true, text}
	case agent == "cursor", agent == memfas:
		v = struct {
			Context string `json:"additional_context"`
		}{text}
	case agent == "copilot", agent == "opencode":
		v = struct {
			Context string `json:"additionalContext"`
		}{text}
	default:
		v = struct {
			Output specific `json:"hookSpecificOutput"`
		}{specific{ownName(agent, at), text}}
	}
	answer, err := jsonedit.Value(v)
	if err != nil {
		return nil
	}
	return append(answer, '\n')
}

// reads reports whether an agent reads what a hook says at a moment.
func reads(agent string, at moment) bool {
	switch at {
	case begins, prompted:
		return true
	case asking:
		return agent == memfas
	case working, delegated:
		return agent != memfas && agent != "cursor"
	case worked: // the others are told before
		return agent == "gemini"
	}
	return false
}

// ownName is what an agent calls a moment; whoever ran the hook may have called it
// otherwise, and a strict agent takes no other name.
func ownName(agent string, at moment) string {
	switch gemini := agent == "gemini"; {
	case at == begins:
		return "SessionStart"
	case at == delegated:
		return "SubagentStart"
	case at == working:
		return "PreToolUse"
	case at == worked:
		return "AfterTool"
	case gemini:
		return "BeforeAgent"
	}
	return "UserPromptSubmit"
}

// memfas is the agent whose events are the four of memfas: message-received,
// pre-response, post-response, session-end. Any agent may use their names.
const memfas = "memfas"

// units is how long a text is, as JavaScript counts.
func units(text string) (n int) {
	for _, r := range text {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// cut keeps what has room of a text, by whole lines where it has several.
func cut(text string, most int) string {
	if units(text) <= most {
		return text
	}
	n, end, line := 0, 0, 0
	for i, r := range text {
		if n += max(1, utf16.RuneLen(r)); n > most-1 {
			break
		}
		end = i + utf8.RuneLen(r)
		if r == '\n' {
			line = end
		}
	}
	if line > 0 {
		end = line
	}
	if end == 0 || most < 2 {
		return ""
	}
	return text[:end] + "…"
}

// clean takes out what is not seen, for what is recorded. What ends a line ends it as
// '\n' does.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Zl, unicode.Zp):
			return '\n'
		case schema.Hidden(r), r == utf8.RuneError:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// oneLine is a text on one line, of at most so many characters.
func oneLine(text string, most int) string {
	if len(text) > 8*most {
		text = text[:8*most]
	}
	return cut(sanitize.Text(strings.Join(strings.Fields(text), " ")), most)
}
