package hook

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/text"
)

// mostContext is the largest text that an agent is given at once, in UTF-16 code units as JavaScript
// counts. Claude Code, Codex and Cursor cut at 10,000. The limits of other agents are unknown.
const mostContext = 9500

// inForm returns text in the form in which an agent reads the output of a hook. It returns nil if
// text is empty or the agent ignores output at that moment.
func inForm(agent string, at moment, text string) []byte {
	if text == "" {
		return nil
	}
	type specific struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	var v any
	switch {
	case at != begins && at != prompted && !(agent == memfas && at == asking) && !(readsBeforeTool(agent) && at == edits):
		return nil
	case agent == "cursor" && at == prompted:
		v = struct {
			Continue bool   `json:"continue"`
			Context  string `json:"additional_context"`
		}{true, text}
	case agent == "cursor", agent == memfas:
		v = struct {
			Context string `json:"additional_context"`
		}{text}
	case agent == "copilot":
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

// ownName returns an agent's name for a moment. A strict agent accepts no other name, but the hook
// may have been called with another one.
func ownName(agent string, at moment) string {
	switch {
	case at == begins:
		return "SessionStart"
	case at == edits:
		return "PreToolUse"
	case agent == "gemini":
		return "BeforeAgent"
	}
	return "UserPromptSubmit"
}

// memfas is the agent with the four events of memfas: message-received, pre-response, post-response
// and session-end. Any agent may use their names.
const memfas = "memfas"

// units returns the length of a text as JavaScript counts it.
func units(text string) (n int) {
	for _, r := range text {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// cut returns the beginning of a text of at most most units. It cuts at a line end if there are
// several lines.
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

// clean removes invisible characters from a text that is recorded. It replaces every line end by
// '\n'.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Zl, unicode.Zp):
			return '\n'
		case text.Hidden(r), r == utf8.RuneError:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// oneLine returns a text on one line, of at most most characters.
func oneLine(text string, most int) string {
	if len(text) > 8*most {
		text = text[:8*most]
	}
	return cut(sanitize.Text(strings.Join(strings.Fields(text), " ")), most)
}
