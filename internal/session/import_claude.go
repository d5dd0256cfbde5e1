package session

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A claudeLine is a line of a Claude Code transcript, as far as it is read.
type claudeLine struct {
	Type       string          `json:"type"`
	Subtype    string          `json:"subtype"`
	UUID       string          `json:"uuid"`
	Timestamp  json.RawMessage `json:"timestamp"`
	SessionID  string          `json:"sessionId"`
	CWD        string          `json:"cwd"`
	Branch     string          `json:"gitBranch"`
	Meta       bool            `json:"isMeta"`
	Sidechain  bool            `json:"isSidechain"`
	Summary    bool            `json:"isCompactSummary"`
	APIError   bool            `json:"isApiErrorMessage"`
	Content    json.RawMessage `json:"content"` // of a system line
	Result     json.RawMessage `json:"toolUseResult"`
	Message    *claudeMessage  `json:"message"`
	Attachment *claudeQueued   `json:"attachment"`
}

type claudeMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Usage   json.RawMessage `json:"usage"`
}

// claudeQueued is what the user typed while the agent worked.
type claudeQueued struct {
	Type   string          `json:"type"`
	Prompt json.RawMessage `json:"prompt"`
}

func isClaude(doc *jsonedit.Doc) bool {
	if member(doc, "type") == "" || has(doc, "projectHash") {
		return false
	}
	for _, name := range []string{"uuid", "sessionId", "leafUuid", "messageId", "parentUuid"} {
		if has(doc, name, jsonedit.String) {
			return true
		}
	}
	return false
}

// A calling is a tool that was called, by the id of the call.
type calling struct {
	tool  string
	input json.RawMessage
}

// claude reads a Claude Code transcript. A subagent's talk inside of another
// conversation is left out: what came of it is the result of the tool that
// started it. In a subagent's own transcript it is the conversation.
func (im *intake) claude() {
	type item struct {
		record
		claudeLine
	}
	var items []item
	side := true
	for _, r := range im.records {
		it := item{record: r}
		if !im.decode(r, &it.claudeLine) {
			continue
		}
		if it.Message != nil && (it.Type == "user" || it.Type == "assistant") && !it.Sidechain {
			side = false
		}
		items = append(items, it)
	}
	calls := map[string]calling{}
	for _, it := range items {
		if it.Sidechain == side && !it.Meta && !it.APIError {
			im.claudeLine(it.record, &it.claudeLine, calls)
			if it.Summary {
				im.compacted()
			} else if it.Message != nil && it.Message.Role == "assistant" {
				im.state(Usage{Tokens: claudeUsage(it.Message.Usage), Agent: "claude", At: timeIn(it.Timestamp)})
			}
		}
	}
}

func (im *intake) claudeLine(r record, l *claudeLine, calls map[string]calling) {
	sub := 0
	add := func(m schema.Message) {
		m.ID = "msg-" + l.UUID
		if sub > 0 {
			m.ID += fmt.Sprintf(".%d", sub)
		}
		if l.UUID == "" {
			m.ID = ""
		}
		sub++
		if m.Agent == "" {
			m.Agent = "claude"
		}
		im.note(&m, l.CWD, l.Branch)
		im.add(r, m)
	}
	said := schema.Message{Timestamp: timeIn(l.Timestamp), Session: l.SessionID}
	switch {
	case l.Type == "attachment" && l.Attachment != nil && l.Attachment.Type == "queued_command":
		typed(said, textOf(l.Attachment.Prompt), add)
	case l.Type == "system" && l.Subtype == "local_command":
		typed(said, textOf(l.Content), add)
	case l.Message == nil || l.Type == "progress":
	case l.Summary:
		said.Role, said.Kind, said.Content = "system", "summary", textOf(l.Message.Content)
		add(said)
	case l.Message.Role == "assistant":
		for _, b := range blocks(l.Message.Content) {
			if strings.HasSuffix(b.Type, "tool_use") {
				calls[b.ID] = calling{b.Name, b.Input}
				add(callOf(said, b.Name, b.Input))
			} else if strings.HasSuffix(b.Type, "tool_result") {
				add(resultOf(said, calls[b.ToolUseID].tool, textOf(b.Content)))
			} else if text := b.text(); strings.TrimSpace(text) != "" {
				m := said
				m.Role, m.Content = "assistant", text
				add(m)
			}
		}
	case l.Message.Role == "user":
		var text []string
		for _, b := range blocks(l.Message.Content) {
			if strings.HasSuffix(b.Type, "tool_result") {
				add(claudeResult(said, b, calls[b.ToolUseID], l.Result))
			} else if t := b.text(); t != "" {
				text = append(text, t)
			}
		}
		typed(said, strings.Join(text, "\n"), add)
	}
}

// Marks that Claude Code puts around what it adds to the user's words.
var (
	reminder = regexp.MustCompile(`(?s)<(system-reminder|local-command-caveat|ide_opened_file|ide_selection)>.*?</(?:system-reminder|local-command-caveat|ide_opened_file|ide_selection)>`)
	command  = regexp.MustCompile(`(?s)<command-name>(.*?)</command-name>`)
	argument = regexp.MustCompile(`(?s)<command-args>(.*?)</command-args>`)
	shell    = regexp.MustCompile(`(?s)^<bash-input>(.*)</bash-input>$`)
	output   = regexp.MustCompile(`(?s)<(?:bash-stdout|bash-stderr|local-command-stdout|local-command-stderr)>(.*?)</(?:bash-stdout|bash-stderr|local-command-stdout|local-command-stderr)>`)
)

// typed adds what stands in the user's turn: words, a slash command, a shell
// command, or what either printed.
func typed(m schema.Message, text string, add func(schema.Message)) {
	text = strings.TrimSpace(reminder.ReplaceAllString(text, ""))
	if text == "" {
		return
	}
	m.Role, m.Agent, m.Content = "user", "user", text
	if name := command.FindStringSubmatch(text); name != nil && strings.HasPrefix(text, "<command-") {
		m.Content = strings.TrimSpace(name[1])
		if args := argument.FindStringSubmatch(text); args != nil {
			m.Content = strings.TrimSpace(m.Content + " " + strings.TrimSpace(args[1]))
		}
	} else if line := shell.FindStringSubmatch(text); line != nil {
		m.Content = "! " + line[1]
	} else if printed := output.FindAllStringSubmatch(text, -1); printed != nil && strings.HasPrefix(text, printed[0][0]) {
		var lines []string
		for _, p := range printed {
			if p[1] != "" {
				lines = append(lines, p[1])
			}
		}
		m = resultOf(m, "shell", strings.Join(lines, "\n"))
	}
	add(m)
}

// How Claude Code words what the user did with a tool.
const (
	refused  = "The user doesn't want to proceed with this tool use."
	becauses = "the user said:\n"
	planned  = "User has approved"
	plan     = "## Approved Plan:\n"
)

// claudeResult is the message of a tool's result, or that of the user in it:
// the answers to questions, the word about a plan, the reason for a refusal.
func claudeResult(m schema.Message, b block, call calling, result json.RawMessage) schema.Message {
	text := textOf(b.Content)
	switch {
	case b.IsError && strings.HasPrefix(text, refused):
		said := "The user refused " + call.tool
		if _, why, ok := strings.Cut(text, becauses); ok {
			why, _, _ = strings.Cut(why, "\n\nNote: The user's next message")
			said += ": " + strings.TrimSpace(why)
		}
		return answerOf(m, call.tool, said)
	case asks(call.tool) && !b.IsError:
		if answers := claudeAnswers(result); answers != "" {
			text = answers
		}
		return answerOf(m, call.tool, text)
	case (call.tool == "ExitPlanMode" || call.tool == "exit_plan_mode") && !b.IsError && strings.HasPrefix(text, planned):
		var of struct {
			Plan string `json:"plan"`
		}
		if jsonedit.Decode(result, &of) != nil || of.Plan == "" {
			if _, of.Plan, _ = strings.Cut(text, plan); of.Plan == "" {
				_ = jsonedit.Decode(call.input, &of)
			}
		}
		return answerOf(m, call.tool, strings.TrimSpace("The user approved the plan:\n"+of.Plan))
	}
	return resultOf(m, call.tool, text)
}

// claudeAnswers are the questions that were asked and what the user answered,
// with notes, in the order they were asked.
func claudeAnswers(result json.RawMessage) string {
	var asked struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
		Answers     map[string]json.RawMessage `json:"answers"`
		Annotations map[string]struct {
			Notes string `json:"notes"`
		} `json:"annotations"`
	}
	if len(result) == 0 || jsonedit.Decode(result, &asked) != nil {
		return ""
	}
	var out []string
	for _, q := range asked.Questions {
		answer := answerText(asked.Answers[q.Question])
		if notes := asked.Annotations[q.Question].Notes; notes != "" {
			answer = strings.TrimSpace(answer + "\n" + notes)
		}
		if answer != "" {
			out = append(out, "Q: "+q.Question+"\nA: "+answer)
		}
	}
	if len(out) < len(asked.Answers) { // to what was not asked so: nothing is left out
		return ""
	}
	return strings.Join(out, "\n\n")
}

// answerText is an answer: one text, or several.
func answerText(raw json.RawMessage) string {
	var several []string
	if len(raw) > 0 && raw[0] == '[' && jsonedit.Decode(raw, &several) == nil {
		return strings.Join(several, ", ")
	}
	if len(raw) > 0 && raw[0] == '{' {
		var in struct {
			Answers json.RawMessage `json:"answers"`
		}
		if jsonedit.Decode(raw, &in) == nil && len(in.Answers) > 0 && in.Answers[0] != '{' {
			return answerText(in.Answers)
		}
		return compactJSON(raw)
	}
	return str(raw)
}
