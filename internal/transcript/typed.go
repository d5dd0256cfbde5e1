package transcript

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// Typed returns what the user typed of a text that an agent's client gives as the
// user's, and the files that the rest of it names. Clients put an editor's context,
// reminders, what hooks told and the files of an attachment around it; typed is ""
// where all of the text is the client's.
func Typed(text string) (typed string, files []string) {
	w := unwrap(text)
	return w.typed, filesIn(w.context)
}

// A wrapping is a text that a client gave, while it is taken apart.
type wrapping struct {
	typed   string
	context []string // pieces that were cut off
}

func unwrap(text string) wrapping {
	w := wrapping{typed: strings.TrimSpace(text)}
	w.request()
	w.elements()
	w.codex()
	w.gemini()
	if foreign.MatchString(w.typed) || byClient(w.typed) {
		w.typed = ""
	}
	return w
}

// keep makes all but typed[from:to] the client's.
func (w *wrapping) keep(from, to int) {
	w.context = append(w.context, w.typed[:from], w.typed[to:])
	w.typed = strings.TrimSpace(w.typed[from:to])
}

// cut makes typed[from:to] the client's.
func (w *wrapping) cut(from, to int) {
	w.context = append(w.context, w.typed[from:to])
	w.typed = strings.TrimSpace(w.typed[:from] + w.typed[to:])
}

// requestTags are elements in which Cursor, and Copilot in VS Code, put what the user
// typed, behind elements of their own.
var requestTags = []string{"user_query", "userRequest"}

func (w *wrapping) request() {
	for _, name := range requestTags {
		begin, end := "<"+name+">", "</"+name+">"
		if !strings.HasPrefix(w.typed, "<") || !strings.HasSuffix(w.typed, end) {
			continue
		}
		from := leading(w.typed, begin)
		if i := strings.Index(w.typed[from:], begin); i >= 0 {
			w.keep(from+i+len(begin), len(w.typed)-len(end))
			return
		}
	}
	if strings.HasPrefix(w.typed, "<user_info>") && leading(w.typed, "") == len(w.typed) { // Cursor's of its surroundings
		w.keep(0, 0)
	}
}

var anyTag = lazyregexp.New(`^<([A-Za-z][\w-]*)(?:\s[^<>]*)?>`)

// leading returns how much of text is elements, one behind the other, before the tag
// stop.
func leading(text, stop string) int {
	at := 0
	for {
		at = len(text) - len(strings.TrimLeft(text[at:], " \t\r\n"))
		tag := anyTag.FindStringSubmatch(text[at:])
		if tag == nil || tag[0] == stop {
			return at
		}
		end := "</" + tag[1] + ">"
		i := strings.Index(text[at:], end)
		if i < 0 {
			return at
		}
		at += i + len(end)
	}
}

// withoutElements is text without the elements that clients add.
func withoutElements(text string) string {
	w := wrapping{typed: strings.TrimSpace(text)}
	w.elements()
	return w.typed
}

// addedTag is a tag of an element that a client puts beside the user's words.
var addedTag = lazyregexp.New(`(?i)<(/?)(` + strings.Join([]string{
	"system-reminder", "local-command-caveat", "ide_opened_file", "ide_selection", "new-diagnostics", "user-prompt-submit-hook", // Claude Code's
	"hook_context", "session_context", // the Gemini CLI's
	"in-app-browser-context",                                    // Codex's
	"current_datetime", "editorContext", "reminderInstructions", // Copilot's
	"system_reminder", "additional_data", "attached_files", "image_files", "open_and_recently_viewed_files", "agent_skills", // Cursor's
	"agent_transcripts", "manually_attached_skills", "mcp_file_system",
}, "|") + `)(?:\s[^<>]*)?>`)

// elements cuts out the elements that clients add, with all that stands in them. A tag
// without its counterpart is text.
func (w *wrapping) elements() {
	if !strings.Contains(w.typed, "<") {
		return
	}
	text := w.typed
	open := map[string][]int{} // where elements of that name begin that have no end yet
	var cuts [][2]int          // from, to; in the order of their ends
	for _, at := range addedTag.FindAllStringSubmatchIndex(text, -1) {
		name := strings.ToLower(text[at[4]:at[5]])
		if at[2] == at[3] {
			open[name] = append(open[name], at[0])
			continue
		}
		n := len(open[name])
		if n == 0 {
			continue
		}
		from := open[name][n-1]
		open[name] = open[name][:n-1]
		for len(cuts) > 0 && cuts[len(cuts)-1][0] >= from { // it stands within
			cuts = cuts[:len(cuts)-1]
		}
		cuts = append(cuts, [2]int{from, at[1]})
	}
	var kept strings.Builder
	end := 0
	for _, c := range cuts {
		if c[0] >= end {
			kept.WriteString(text[end:c[0]])
		}
		w.context = append(w.context, text[max(c[0], end):max(c[1], end)])
		end = max(end, c[1])
	}
	kept.WriteString(text[end:])
	w.typed = strings.TrimSpace(kept.String())
}

// How Codex writes what its extension and its desktop program add: sections under
// headings, the last of which is the user's.
var (
	codexHead    = lazyregexp.New(`^# (?:Context from my IDE setup|Files mentioned by the user):`)
	codexSection = lazyregexp.New(`^# [^\n]{1,80}:[ \t\r]*\n`)
	codexTabs    = lazyregexp.New(`(?m)^## Open tabs:[ \t\r]*\n(?:- [^\n]*\n|[ \t\r]*\n)*## My request(?: for Codex)?:`) // a selection above them may hold anything
	codexRequest = lazyregexp.New(`(?m)^## My request(?: for Codex)?:`)
	codexImage   = lazyregexp.New(`(?m)^</?image(?: name=[^>\n]*)?>[ \t\r]*$\n?`)
)

// codex cuts out the sections above the user's.
func (w *wrapping) codex() {
	at := codexTabs.FindStringIndex(w.typed)
	if at == nil {
		at = codexRequest.FindStringIndex(w.typed)
	}
	known := codexHead.MatchString(w.typed)
	switch {
	case at == nil && known:
		w.keep(0, 0)
	case at == nil:
	case known, at[0] == 0 && len(w.context) > 0, codexSection.MatchString(w.typed) && strings.HasSuffix(w.typed[:at[1]], "for Codex:"):
		w.keep(at[1], len(w.typed))
		w.typed = strings.TrimSpace(codexImage.ReplaceAllString(w.typed, ""))
	}
}

// How the Gemini CLI writes what it adds: what is open in an editor, in JSON, before the
// user's words, and the files that they name with an @ behind them.
var geminiEditor = lazyregexp.New(`^Here is (?:the user's editor context as a JSON object|a summary of changes in the user's editor context)[^\n]*\n`)

const (
	geminiFiles    = "--- Content from referenced files ---"
	geminiFilesEnd = "--- End of content ---"
)

// gemini cuts out an editor's context and the content of files.
func (w *wrapping) gemini() {
	if head := geminiEditor.FindString(w.typed); head != "" {
		end := len(w.typed)
		if i := strings.Index(w.typed, "\n```\n"); i >= 0 {
			end = i + len("\n```\n")
		}
		w.cut(0, end)
	}
	if from := strings.Index(w.typed, geminiFiles); from == 0 || from > 0 && w.typed[from-1] == '\n' {
		to := len(w.typed)
		if i := strings.LastIndex(w.typed, geminiFilesEnd); i > from {
			to = i + len(geminiFilesEnd)
		}
		w.cut(from, to)
	}
}

// foreign begins what others than the user put into the user's turn.
var foreign = lazyregexp.New(`^(?:Another Claude session sent a message:\s*)?<(task-notification|cross-session-message|teammate-message)\b`)

// How clients begin what they write into the user's turn.
const (
	continued     = "This session is being continued from a previous conversation" // a summary of Claude Code's
	stateSnapshot = "<state_snapshot>"                                             // a summary of the Gemini CLI's
)

// byClient reports whether a client wrote the text into the user's turn.
func byClient(text string) bool {
	return text == "Tool loaded." || slices.ContainsFunc([]string{
		continued, stateSnapshot, "[Request interrupted by user",
		"Caveat: The messages below were generated by the user while running local commands.",
	}, func(begin string) bool { return strings.HasPrefix(text, begin) })
}
