package transcript

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
)

// A format is a format of stored conversations.
type format struct {
	tool  string                       // its name in Tools
	what  string                       // its description for people
	is    func(doc *jsonedit.Doc) bool // recognizes a record; nil for a text format
	prose func(text []byte) bool       // recognizes a text that is not JSON; nil for JSON
	read  func(im *intake)
}

// tells reports whether a text that is not JSON has the format.
func (f *format) tells(text []byte) bool { return f.prose != nil && f.prose(text) }

// bare reports whether records of the format may lack a distinctive mark.
func (f *format) bare() bool {
	return f.tool == "chat" || f.tool == "forgemind" || f.tool == "swe-agent"
}

// formats returns the formats in the order in which they are tried: those with weaker marks come
// later.
func formats() []format {
	return []format{
		{"specstory", "SpecStory's markdown", nil, isSpecStory, (*intake).specStory},
		{"cursor", "a chat exported from Cursor (markdown, or its composer's JSON)", isCursor, isCursorProse, (*intake).cursor},
		{"codex", "a Codex rollout (session_meta, response_item, event_msg)", isCodex, nil, (*intake).codex},
		{"copilot", "a session of the Copilot CLI (session.start, user.message)", isCopilot, nil, (*intake).copilot},
		{"claude-code", "a Claude Code transcript", isClaude, nil, (*intake).claude},
		{"gemini-cli", "a Gemini CLI session", isGemini, nil, (*intake).gemini},
		{"swe-agent", "a SWE-agent trajectory (history or trajectory)", isTrajectory, nil, (*intake).trajectory},
		{"forgemind", "messages of forgemind, one a line (content, with agent, or msg_id and timestamp)", isOwn, nil, (*intake).own},
		{"chat", "a chat of {role, content}, one a line or in an array", isChat, nil, (*intake).chat},
	}
}

// Tools returns the tools whose transcripts can be read, by the names that ReadAs takes.
func Tools() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.tool)
	}
	slices.Sort(names)
	return names
}

// begin finds the records, and the format of most of them. The format has no reader if there are no
// records.
func (im *intake) begin(tool string) (format, error) {
	text := bytes.TrimSpace(im.src)
	for _, f := range formats() {
		if (tool == "" || f.tool == tool) && f.tells(text) {
			return f, nil
		}
	}
	im.open()
	if len(im.records) == 0 && len(im.faults) == 0 {
		return format{}, nil
	}
	im.votes = map[string]int{}
	var doc jsonedit.Doc
	for _, r := range im.records[:min(len(im.records), 200)] {
		if doc.Parse(r.raw) != nil || doc.Nodes[0].Kind != jsonedit.Object {
			continue
		}
		for _, f := range formats() {
			if f.is != nil && f.is(&doc) {
				im.votes[f.tool]++
				break
			}
		}
	}
	if tool == "" {
		tool = im.hint
	}
	var best format
	for _, f := range formats() {
		if f.tool == tool || tool == "" && im.votes[f.tool] > im.votes[best.tool] {
			best = f
		}
	}
	if best.read == nil || tool != "" && (best.is == nil || !best.bare() && len(im.votes) > 0 && !im.knows(best)) {
		return format{}, im.unknown(tool)
	}
	return best, nil
}

// knows reports whether something in the text is of format f.
func (im *intake) knows(f format) bool {
	return im.votes[f.tool] > 0 || f.tells(bytes.TrimSpace(im.src))
}

// unknown returns an error that describes the format the text seems to have.
func (im *intake) unknown(tool string) error {
	for _, f := range formats() {
		if tool != "" && im.knows(f) {
			return fmt.Errorf("no transcript of %s: it looks like one of %s", tool, f.tool)
		}
	}
	var seen, known []string
	for _, r := range im.records[:min(len(im.records), 3)] {
		seen = append(seen, fmt.Sprintf("line %d is %s", im.lineOf(r.offset), looks(r.raw)))
	}
	for _, f := range im.faults[:min(len(im.faults), 1)] {
		at := bytes.LastIndexByte(im.src[:f.offset], '\n') + 1
		seen = append(seen, fmt.Sprintf("line %d is %s", f.Line, looks(im.src[at:lineEnd(im.src, at)])))
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
		return "no JSON (" + text.Quote(string(raw[:min(len(raw), 200)]), maxQuoted) + ")"
	}
	if doc.Nodes[0].Kind != jsonedit.Object {
		return doc.Nodes[0].Kind.String()
	}
	var names []string
	for i := range doc.Children(0) {
		if names = append(names, text.Quote(doc.Key(i), maxQuoted)); len(names) == 6 {
			names = append(names, "…")
			break
		}
	}
	return "an object with " + strings.Join(names, ", ")
}
