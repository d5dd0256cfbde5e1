package transcript

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A chatgptTalk is a conversation of ChatGPT's export: a tree of messages, of which the
// branch that ends in CurrentNode is the conversation.
type chatgptTalk struct {
	ID          string                 `json:"id"`
	Talk        string                 `json:"conversation_id"`
	Title       string                 `json:"title"`
	CurrentNode string                 `json:"current_node"`
	Mapping     map[string]chatgptNode `json:"mapping"`
}

type chatgptNode struct {
	Parent   string          `json:"parent"`
	Children []string        `json:"children"`
	Message  *chatgptMessage `json:"message"`
}

type chatgptMessage struct {
	ID     string `json:"id"`
	Author struct {
		Role string `json:"role"`
		Name string `json:"name"`
	} `json:"author"`
	Time    json.RawMessage `json:"create_time"`
	Content struct {
		Type  string            `json:"content_type"`
		Parts []json.RawMessage `json:"parts"`
		Text  string            `json:"text"`
	} `json:"content"`
	Recipient string `json:"recipient"` // "all", or a tool that is called
	Metadata  struct {
		Hidden bool `json:"is_visually_hidden_from_conversation"`
	} `json:"metadata"`
}

func isChatGPT(doc *jsonedit.Doc) bool {
	return has(doc, "mapping", jsonedit.Object) && (has(doc, "current_node") || has(doc, "conversation_id"))
}

// chatgpt reads conversations of ChatGPT's export.
func (rd *reader) chatgpt() {
	for _, r := range rd.records {
		var talk chatgptTalk
		if !rd.decode(r, &talk) || !rd.begins(cmp.Or(talk.Talk, talk.ID), talk.Title) {
			continue
		}
		branch, on := talk.branch()
		rd.besides(func() {
			for _, id := range slices.Sorted(maps.Keys(talk.Mapping)) {
				if !on[id] {
					rd.chatgptSays(r, talk.Mapping[id].Message)
				}
			}
		})
		for _, id := range branch {
			rd.chatgptSays(r, talk.Mapping[id].Message)
		}
	}
}

// branch returns the ids of the nodes of the conversation, from its beginning on, and reports of
// each that it is one of them. Where the last is not named it is the last child of the last child.
func (t *chatgptTalk) branch() (ids []string, on map[string]bool) {
	at := t.CurrentNode
	if _, there := t.Mapping[at]; !there && len(t.Mapping) > 0 {
		at = t.lastLeaf()
	}
	on = map[string]bool{}
	for !on[at] { // parents that loop end it
		node, there := t.Mapping[at]
		if !there {
			break
		}
		on[at] = true
		ids = append(ids, at)
		at = node.Parent
	}
	slices.Reverse(ids)
	return ids, on
}

// lastLeaf returns the last child of the last child of the root: of several, or where parents loop
// and there is none, of the first by id. The mapping is not empty.
func (t *chatgptTalk) lastLeaf() string {
	var roots []string
	for id, node := range t.Mapping {
		if _, there := t.Mapping[node.Parent]; !there {
			roots = append(roots, id)
		}
	}
	if len(roots) == 0 {
		roots = slices.Collect(maps.Keys(t.Mapping))
	}
	at := slices.Min(roots)
	for range t.Mapping {
		node := t.Mapping[at]
		if len(node.Children) == 0 {
			break
		}
		at = node.Children[len(node.Children)-1]
	}
	return at
}

// chatgptSays takes in a message; nil says nothing. What the client hides, the user's settings
// and thinking are no talk.
func (rd *reader) chatgptSays(r record, said *chatgptMessage) {
	if said == nil {
		return
	}
	m := schema.Message{Timestamp: timeIn(said.Time), Role: roleIn(said.Author.Role), Agent: "chatgpt"}
	if schema.ValidID(said.ID) {
		m.ID = "msg-" + said.ID
	}
	text := said.text()
	switch {
	case said.Metadata.Hidden, text == "":
		return
	case m.Role == "user":
		m.Agent, m.Content = "user", text
	case m.Role == "assistant" && said.Recipient != "" && said.Recipient != "all":
		m = callOf(m, said.Recipient, nil)
		m.Content += " " + text
	case m.Role == "assistant":
		m.Content = text
	case said.Author.Role == "tool":
		m = resultOf(m, calling{tool: said.Author.Name}.gave(false), text)
	default:
		return
	}
	rd.noted(r, m)
}

// text returns what a message says to people.
func (m *chatgptMessage) text() string {
	switch m.Content.Type {
	case "user_editable_context", "model_editable_context", "thoughts", "reasoning_recap":
		return ""
	case "text", "multimodal_text", "":
	default:
		if m.Content.Text != "" {
			return m.Content.Text
		}
	}
	var texts []string
	for _, part := range m.Content.Parts {
		var of struct {
			Type string `json:"content_type"`
			Text string `json:"text"`
		}
		switch text := str(part); {
		case text != "":
			texts = append(texts, text)
		case jsonedit.Decode(part, &of) != nil:
		case of.Type == "image_asset_pointer":
			texts = append(texts, "[image]")
		case of.Text != "": // what was spoken
			texts = append(texts, of.Text)
		}
	}
	return strings.TrimSpace(strings.Join(texts, "\n"))
}
