package transcript

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// Typed returns what the user typed of a text that an agent's client gives as the
// user's, and the files that the rest of it names. Clients put an editor's context,
// reminders, what hooks told and the files of an attachment around it; typed is ""
// where all of the text is the client's. client is one of Tools, or the name that hooks
// have for it; of another only what no client's user types is taken off.
func Typed(client, text string) (typed string, files []string) {
	if tool, ok := clients[client]; ok {
		client = tool
	}
	w := unwrap(client, text)
	return w.typed, filesIn(w.context)
}

// clients are tools by the names that hooks and SpecStory have for their clients.
var clients = map[string]string{"claude": "claude-code", "codex": "codex", "copilot": "copilot", "cursor": "cursor", "gemini": "gemini-cli", "opencode": "opencode"}

// A wrapping is a text that a client gave, while it is taken apart.
type wrapping struct {
	typed   string
	context []string // pieces that were cut off
}

func unwrap(client, text string) wrapping {
	w := wrapping{typed: strings.TrimSpace(text)}
	switch client {
	case "cursor", "copilot", "chat":
		w.request()
	}
	w.elements(client)
	switch client {
	case "codex":
		w.codex()
	case "copilot", "claude-code": // the Copilot CLI runs the hooks of both
		w.skill()
	case "cursor":
		w.cursor()
	case "gemini-cli":
		w.editor()
		w.files()
		w.ours()
	case "opencode":
		w.commandLine()
		w.ours()
	case "chat": // it may be a checkpoint of the Gemini CLI
		w.editor()
	}
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
		from, _ := leading(w.typed, begin)
		if i := strings.Index(w.typed[from:], begin); i >= 0 {
			w.keep(from+i+len(begin), len(w.typed)-len(end))
			return
		}
	}
}

// cursor cuts out what Cursor says of its surroundings before the user says anything.
func (w *wrapping) cursor() {
	to, names := leading(w.typed, "")
	if to == len(w.typed) && slices.Contains(names, "user_info") && !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(cursorSurroundings, name) }) {
		w.cut(0, to)
	}
}

var cursorSurroundings = []string{"user_info", "git_status", "rules", "project_layout", "timestamp"}

var anyTag = lazyregexp.New(`^<([A-Za-z][\w-]*)(?:\s[^<>]*)?>`)

// leading returns how much of text is elements, one behind the other, before the tag
// stop, and their names.
func leading(text, stop string) (at int, names []string) {
	for {
		at = len(text) - len(strings.TrimLeft(text[at:], " \t\r\n"))
		tag := anyTag.FindStringSubmatch(text[at:])
		if tag == nil || tag[0] == stop {
			return at, names
		}
		end := "</" + tag[1] + ">"
		i := strings.Index(text[at:], end)
		if i < 0 {
			return at, names
		}
		at += i + len(end)
		names = append(names, tag[1])
	}
}

// addedTags are the tags of elements that clients add, with all that stands in them,
// beside the user's words; "" of all of them.
var addedTags = map[string]*lazyregexp.Regexp{
	"":            tags(),
	"claude-code": tags("new-diagnostics", "user-prompt-submit-hook"),
	"codex":       tags("in-app-browser-context"),
	"copilot":     tags("current_datetime", "editorContext", "reminderInstructions"),
	"cursor": tags("system_reminder", "additional_data", "attached_files", "image_files", "open_and_recently_viewed_files",
		"agent_skills", "agent_transcripts", "manually_attached_skills", "mcp_file_system"),
}

// tags matches the tags of elements of these names, and of those that any client may add.
func tags(names ...string) *lazyregexp.Regexp {
	names = append(names, "system-reminder", "local-command-caveat", "ide_opened_file", "ide_selection", "hook_context", "session_context")
	return lazyregexp.New(`(?i)<(/?)(` + strings.Join(names, "|") + `)(?:\s[^<>]*)?>`)
}

// elements cuts out the elements that a client adds. A tag without its counterpart is
// text.
func (w *wrapping) elements(client string) {
	if !strings.Contains(w.typed, "<") {
		return
	}
	added := addedTags[client]
	if added == nil {
		added = addedTags[""]
	}
	text := w.typed
	open := map[string][]int{} // where elements of that name begin that have no end yet
	var cuts [][2]int          // from, to; in the order of their ends
	for _, at := range added.FindAllStringSubmatchIndex(text, -1) {
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
	codexHead    = lazyregexp.New(`^# (?:Context from my IDE setup|Files mentioned by the user):[ \t\r]*(?:\n|$)`)
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
		w.cut(0, len(w.typed))
	case at == nil:
	case known, at[0] == 0 && len(w.context) > 0, codexSection.MatchString(w.typed) && strings.HasSuffix(w.typed[:at[1]], "for Codex:"):
		w.keep(at[1], len(w.typed))
		w.typed = strings.TrimSpace(codexImage.ReplaceAllString(w.typed, ""))
	}
}

// How the Copilot CLI writes a skill that the user calls: words around the call stand behind
// the element, words behind a name at the beginning in its end.
var (
	copilotSkill = lazyregexp.New(`^The user explicitly invoked the "(/[^"\n]+)" skill\. Follow its instructions now\.\n\n<skill-context name=`)
	copilotWords = lazyregexp.New(`(?s)\n\n\nARGUMENTS: (.*?)\n?$`) // behind a text that ends with a line break
)

// skill makes a skill's text the call of it. Where the text of the skill took the words in,
// they are not told apart from it.
func (w *wrapping) skill() {
	const end = "\n</skill-context>"
	head := copilotSkill.FindStringSubmatch(w.typed)
	to := strings.Index(w.typed, end)
	if strings.HasSuffix(w.typed, end) { // else words stand behind it
		to = len(w.typed) - len(end)
	}
	if head == nil || to < 0 {
		return
	}
	if rest := strings.TrimSpace(w.typed[to+len(end):]); rest != "" {
		w.typed = rest
		return
	}
	words := copilotWords.FindStringSubmatch(w.typed[:to])
	if w.typed = head[1]; words != nil {
		w.typed += " " + words[1]
	}
}

// How the Gemini CLI writes what it adds: what is open in an editor, in JSON, before the
// user's words, and the files that they name with an @ behind them.
var geminiEditor = lazyregexp.New(`^Here is (?:the user's editor context as a JSON object|a summary of changes in the user's editor context)[^\n]*\n`)

const (
	geminiFiles    = "--- Content from referenced files ---"
	geminiFilesEnd = "--- End of content ---"
)

// How a command that we give the Gemini CLI and opencode tells the model what it did, or is to do,
// behind what was typed.
const (
	OursBegin = "\n\n<forgemind_slash>\n"
	OursEnd   = "\n</forgemind_slash>"
)

// fileMark matches the mark of a file of ours, which opencode takes for a part of a command.
var fileMark = lazyregexp.New(`\s+<!-- forgemind:file [0-9a-f]{12} -->$`)

// ours cuts out what one of our commands did, or is to do.
func (w *wrapping) ours() {
	w.typed = fileMark.ReplaceAllString(w.typed, "")
	if i := strings.Index(w.typed, OursBegin); i > 0 && strings.HasSuffix(w.typed, OursEnd) {
		w.typed = strings.TrimSpace(w.typed[:i])
	}
}

// opencodeWords matches how `opencode run` writes a prompt with a space that stands on the command
// line, and what comes in by a pipe behind it.
var opencodeWords = lazyregexp.New(`(?s)^"((?:[^"]|\\")* (?:[^"]|\\")*)"(\n.*)?$`)

// commandLine takes off the quotes that a command line got. One that a user typed in quotes as a
// whole loses them, too.
func (w *wrapping) commandLine() {
	if words := opencodeWords.FindStringSubmatch(w.typed); words != nil {
		w.typed = strings.TrimSpace(strings.ReplaceAll(words[1], `\"`, `"`) + words[2])
	}
}

// withoutTold returns what a tool gave without what our plugin for opencode told behind it.
func withoutTold(text string) string {
	const begin, end = "\n\n<forgemind>\n", "\n</forgemind>"
	whole := "\n\n" + text
	if i := strings.LastIndex(whole, begin); i >= 0 && strings.HasSuffix(whole, end) {
		return whole[min(i, 2):i]
	}
	return text
}

// editor cuts out an editor's context.
func (w *wrapping) editor() {
	if head := geminiEditor.FindString(w.typed); head != "" {
		end := len(w.typed)
		if i := strings.Index(w.typed, "\n```\n"); i >= 0 {
			end = i + len("\n```\n")
		}
		w.cut(0, end)
	}
}

// files cuts out the content of files.
func (w *wrapping) files() {
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
