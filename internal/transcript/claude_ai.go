package transcript

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A claudeAITalk is a conversation of Claude.ai's export.
type claudeAITalk struct {
	ID   string            `json:"uuid"`
	Name string            `json:"name"`
	Leaf string            `json:"current_leaf_message_uuid"`
	Said []json.RawMessage `json:"chat_messages"`
}

type claudeAIMessage struct {
	ID      string          `json:"uuid"`
	Parent  string          `json:"parent_message_uuid"`
	Sender  string          `json:"sender"` // human or assistant
	Text    json.RawMessage `json:"text"`
	Content json.RawMessage `json:"content"`
	Time    json.RawMessage `json:"created_at"`
	Files   []claudeAIFile  `json:"files"`
	Pasted  []claudeAIFile  `json:"attachments"`
}

type claudeAIFile struct {
	Name string `json:"file_name"` // "" of what was pasted
	Text string `json:"extracted_content"`
}

// claudeAIRoot is the parent of a conversation's first message.
const claudeAIRoot = "00000000-0000-4000-8000-000000000000"

func isClaudeAI(doc *jsonedit.Doc) bool { return has(doc, "chat_messages", jsonedit.Array) }

// claudeAI reads conversations of Claude.ai's export.
func (rd *reader) claudeAI() {
	for _, r := range rd.records {
		var talk claudeAITalk
		if !rd.decode(r, &talk) || !rd.begins(talk.ID, talk.Name) {
			continue
		}
		var said []claudeAIMessage
		for _, raw := range talk.Said {
			var m claudeAIMessage
			if err := jsonedit.Decode(raw, &m); err != nil {
				rd.unfit(r, raw, err)
			}
			said = append(said, m)
		}
		calls := map[string]calling{}
		branch := branchTo(talk.Leaf, said)
		for i := range said {
			if branch == nil || said[i].ID == "" || branch[said[i].ID] {
				rd.claudeAISays(r, &said[i], calls)
			} else {
				rd.besides(func() { rd.claudeAISays(r, &said[i], calls) })
			}
		}
	}
}

// claudeAISays takes in a message, with what was pasted behind it.
func (rd *reader) claudeAISays(r record, m *claudeAIMessage, calls map[string]calling) {
	l := chatLine{Role: m.Sender, Created: m.Time, Content: m.Content, Agent: "claude.ai"}
	if textOf(m.Content) == "" && !slices.ContainsFunc(blocks(m.Content), func(b block) bool { return strings.HasPrefix(b.Type, "tool_") }) {
		l.Content = m.Text
	}
	if roleIn(m.Sender) == "user" {
		l.Agent = "user"
	}
	if schema.ValidID(m.ID) {
		l.ID, _ = jsonedit.Value("msg-" + m.ID)
	}
	words := textOf(l.Content)
	for _, file := range slices.Concat(m.Files, m.Pasted) {
		if l.files = withFile(l.files, file.Name); file.Name == "" && file.Text != "" {
			words += "\n" + file.Text
			l.Content, _ = jsonedit.Value(strings.TrimSpace(words))
		}
	}
	rd.chatLine(r, &l, calls)
}

// branchTo returns the ids of the messages that lead to the one of id leaf; nil where that is not
// there, for then all are of the conversation. Of a message whose parent is not there it is the
// one before it.
func branchTo(leaf string, said []claudeAIMessage) map[string]bool {
	parent := map[string]string{}
	for _, m := range said {
		parent[m.ID] = m.Parent
	}
	if _, there := parent[leaf]; !there || leaf == "" {
		return nil
	}
	before := ""
	for _, m := range said {
		if _, there := parent[m.Parent]; !there && m.Parent != claudeAIRoot {
			parent[m.ID] = before
		}
		before = m.ID
	}
	branch := map[string]bool{}
	for at := leaf; at != "" && at != claudeAIRoot && !branch[at]; at = parent[at] { // parents that loop end it
		branch[at] = true
	}
	return branch
}
