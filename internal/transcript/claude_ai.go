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
		if !rd.decode(r, &talk) {
			continue
		}
		rd.why = "nothing said"
		rd.begins(talk.ID, "", talk.Name)
		calls := map[string]calling{}
		branch := talk.branch()
		for _, m := range talk.Said {
			if !slices.Contains(branch, m.ID) {
				rd.otherBranch(m.ID)
				continue
			}
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
	}
}

// branch returns the ids of the messages of the conversation: those that lead to its leaf, where
// it names one, and all where it does not.
func (t *claudeAITalk) branch() (ids []string) {
	parent := map[string]string{}
	for _, m := range t.Said {
		ids = append(ids, m.ID)
		parent[m.ID] = m.Parent
	}
	if _, there := parent[t.Leaf]; !there {
		return ids
	}
	ids = nil
	for at := t.Leaf; at != "" && !slices.Contains(ids, at); at = parent[at] {
		if _, there := parent[at]; !there {
			break
		}
		ids = append(ids, at)
	}
	return ids
}
