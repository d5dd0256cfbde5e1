package transcript

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A format is a way in which a conversation is written down.
type format struct {
	tool  string                       // as Tools names it
	what  string                       // for people
	is    func(doc *jsonedit.Doc) bool // of a record; nil for a text that is no JSON
	prose func(text []byte) bool       // of such a text; nil for JSON
	read  func(rd *reader)
}

// tells says whether a text that is no JSON is of the format.
func (f *format) tells(text []byte) bool { return f.prose != nil && f.prose(text) }

// bare says whether records may be of the format without a mark of it.
func (f *format) bare() bool {
	return f.tool == "chat" || f.tool == "forgemind" || f.tool == "swe-agent"
}

// formats are in the order in which they are asked: what is told by less comes
// later.
func formats() []format {
	return []format{
		{"specstory", "SpecStory's markdown", nil, isSpecStory, (*reader).specStory},
		{"cursor", "a chat exported from Cursor (markdown, or its composer's JSON)", isCursor, isCursorProse, (*reader).cursor},
		{"codex", "a Codex rollout (session_meta, response_item, event_msg)", isCodex, nil, (*reader).codex},
		{"copilot", "a session of the Copilot CLI (session.start, user.message)", isCopilot, nil, (*reader).copilot},
		{"claude-code", "a Claude Code transcript", isClaude, nil, (*reader).claude},
		{"gemini-cli", "a Gemini CLI session", isGemini, nil, (*reader).gemini},
		{"chatgpt", "conversations of ChatGPT's export (mapping)", isChatGPT, nil, (*reader).chatgpt},
		{"claude-ai", "conversations of Claude.ai's export (chat_messages)", isClaudeAI, nil, (*reader).claudeAI},
		{"vscode", "a chat session of VS Code (requests), or its log of changes", isVSCode, nil, (*reader).vscode},
		{"opencode", "a session that opencode exports (info, parts)", isOpencode, nil, (*reader).opencode},
		{"swe-agent", "a SWE-agent trajectory (history or trajectory)", isTrajectory, nil, (*reader).trajectory},
		{"forgemind", "messages of forgemind, one a line (content, with agent, or msg_id and timestamp)", isOwn, nil, (*reader).own},
		{"chat", "a chat of {role, content}, one a line or in an array", isChat, nil, (*reader).chat},
	}
}

// Tools are whose transcripts are known, as ReadOf takes them.
func Tools() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.tool)
	}
	slices.Sort(names)
	return names
}

// begin finds the records, and the format that they are of: that of the most;
// one without a reader where there are none.
func (rd *reader) begin(tool string) (format, error) {
	text := bytes.TrimSpace(rd.src)
	for _, f := range formats() {
		if (tool == "" || f.tool == tool) && f.tells(text) {
			return f, nil
		}
	}
	rd.open()
	if len(rd.records) == 0 && len(rd.faults) == 0 {
		return format{}, nil
	}
	rd.votes = map[string]int{}
	var doc jsonedit.Doc
	for _, r := range rd.records[:min(len(rd.records), 200)] {
		if doc.Parse(r.raw) != nil || doc.Nodes[0].Kind != jsonedit.Object {
			continue
		}
		for _, f := range formats() {
			if f.is != nil && f.is(&doc) {
				rd.votes[f.tool]++
				break
			}
		}
	}
	if tool == "" {
		tool = rd.hint
	}
	var best format
	for _, f := range formats() {
		if f.tool == tool || tool == "" && rd.votes[f.tool] > rd.votes[best.tool] {
			best = f
		}
	}
	if best.read == nil || tool != "" && (best.is == nil || !best.bare() && len(rd.votes) > 0 && !rd.knows(best)) {
		return format{}, rd.unknown(tool)
	}
	return best, nil
}

// knows says whether something in the text shows that it is of that format.
func (rd *reader) knows(f format) bool {
	return rd.votes[f.tool] > 0 || f.tells(bytes.TrimSpace(rd.src))
}

// unknown says what the text looks like instead.
func (rd *reader) unknown(tool string) error {
	for _, f := range formats() {
		if tool != "" && rd.knows(f) {
			return fmt.Errorf("no transcript of %s: it looks like one of %s", tool, f.tool)
		}
	}
	var seen, known []string
	for _, r := range rd.records[:min(len(rd.records), 3)] {
		seen = append(seen, fmt.Sprintf("line %d is %s", rd.lineOf(r.offset), looks(r.raw)))
	}
	for _, f := range rd.faults[:min(len(rd.faults), 1)] {
		at := bytes.LastIndexByte(rd.src[:f.offset], '\n') + 1
		seen = append(seen, fmt.Sprintf("line %d is %s", f.Line, looks(rd.src[at:lineEnd(rd.src, at)])))
	}
	for _, f := range formats() {
		if tool == "" || tool == f.tool {
			known = append(known, f.what)
		}
	}
	return fmt.Errorf("no known conversation: %s; known are %s", strings.Join(seen, ", "), strings.Join(known, "; "))
}

// looks describes a record for people.
func looks(raw []byte) string {
	doc, err := jsonedit.Parse(raw)
	if err != nil {
		return "no JSON (" + quoted(string(raw[:min(len(raw), 200)])) + ")"
	}
	if doc.Nodes[0].Kind != jsonedit.Object {
		return doc.Nodes[0].Kind.String()
	}
	var names []string
	for i := range doc.Children(0) {
		if names = append(names, quoted(doc.Key(i))); len(names) == 6 {
			names = append(names, "…")
			break
		}
	}
	return "an object with " + strings.Join(names, ", ")
}
