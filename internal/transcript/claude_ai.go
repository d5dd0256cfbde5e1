package transcript

import (
	"encoding/json"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A claudeAITalk is a conversation of Claude.ai's export.
type claudeAITalk struct {
	ID   string            `json:"uuid"`
	Name string            `json:"name"`
	Leaf string            `json:"current_leaf_message_uuid"`
	Said []claudeAIMessage `json:"chat_messages"`
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
	Name string `json:"file_name"`
}

func isClaudeAI(doc *jsonedit.Doc) bool { return has(doc, "chat_messages", jsonedit.Array) }

// claudeAI reads conversations of Claude.ai's export.
func (rd *reader) claudeAI() {
	for _, r := range rd.records {
		var talk claudeAITalk
		if !rd.decode(r, &talk) || !rd.begins(talk.ID, talk.Name) {
			continue
		}
		calls := map[string]calling{}
		branch := talk.branch()
		for i := range talk.Said {
			m := &talk.Said[i]
			if branch == nil || branch[m.ID] {
				rd.claudeAISays(r, m, calls)
			} else {
				rd.besides(func() { rd.claudeAISays(r, m, calls) })
			}
		}
	}
}

// claudeAISays takes in a message.
func (rd *reader) claudeAISays(r record, m *claudeAIMessage, calls map[string]calling) {
	l := chatLine{Role: m.Sender, Created: m.Time, Content: m.Content, Agent: "claude.ai"}
	if len(blocks(m.Content)) == 0 {
		l.Content = m.Text
	}
	if l.ID, _ = jsonedit.Value("msg-" + m.ID); roleIn(m.Sender) == "user" {
		l.Agent = "user"
	}
	for _, file := range slices.Concat(m.Files, m.Pasted) {
		l.files = withFile(l.files, file.Name)
	}
	rd.chatLine(r, &l, calls)
}

// branch returns the ids of the messages that lead to the conversation's last one; nil where it
// does not name that, for then all are of the conversation.
func (t *claudeAITalk) branch() map[string]bool {
	parent := map[string]string{}
	for _, m := range t.Said {
		parent[m.ID] = m.Parent
	}
	if _, there := parent[t.Leaf]; !there {
		return nil
	}
	branch := map[string]bool{}
	for at := t.Leaf; !branch[at]; at = parent[at] { // parents that loop end it
		if _, there := parent[at]; !there {
			break
		}
		branch[at] = true
	}
	return branch
}
