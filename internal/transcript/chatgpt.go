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
	ID          string                     `json:"id"`
	Talk        string                     `json:"conversation_id"`
	Title       string                     `json:"title"`
	Time        json.RawMessage            `json:"create_time"`
	CurrentNode json.RawMessage            `json:"current_node"`
	Mapping     map[string]json.RawMessage `json:"mapping"`
	nodes       map[string]chatgptNode     // Mapping, as far as it can be read
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
		Type   string            `json:"content_type"`
		Parts  []json.RawMessage `json:"parts"`
		Text   string            `json:"text"`
		Result string            `json:"result"` // of browsing
	} `json:"content"`
	Recipient string `json:"recipient"` // "all", or a tool that is called
	Metadata  struct {
		Hidden      json.RawMessage `json:"is_visually_hidden_from_conversation"`
		Attachments []struct {
			Name string `json:"name"`
		} `json:"attachments"`
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
		ids := slices.Sorted(maps.Keys(talk.Mapping))
		talk.nodes = map[string]chatgptNode{}
		for _, id := range ids {
			var node chatgptNode
			if err := jsonedit.Decode(talk.Mapping[id], &node); err != nil {
				rd.unfit(r, talk.Mapping[id], err)
			}
			talk.nodes[id] = node
		}
		talk.mendParents(ids)
		branch, on := talk.branch(ids)
		began := timeIn(talk.Time)
		rd.besides(func() {
			for _, id := range ids {
				if !on[id] {
					rd.chatgptSays(r, talk.nodes[id].Message, began)
				}
			}
		})
		at := began
		for _, id := range branch {
			at = rd.chatgptSays(r, talk.nodes[id].Message, at)
		}
	}
}

// mendParents gives the nodes whose parent is not there the one that names them as its child.
func (t *chatgptTalk) mendParents(ids []string) {
	parents := map[string]string{}
	for _, id := range ids {
		for _, child := range t.nodes[id].Children {
			parents[child] = id
		}
	}
	for _, id := range ids {
		node := t.nodes[id]
		if _, there := t.nodes[node.Parent]; !there {
			node.Parent = parents[id]
			t.nodes[id] = node
		}
	}
}

// branch returns the ids of the nodes of the conversation, from its beginning on, and reports of
// each that it is one of them. Where the last is not named it is the last child of the last child.
func (t *chatgptTalk) branch(ids []string) (branch []string, on map[string]bool) {
	at := str(t.CurrentNode)
	if _, there := t.nodes[at]; !there {
		at = t.lastLeaf(ids)
	}
	on = map[string]bool{}
	for !on[at] { // parents that loop end it
		node, there := t.nodes[at]
		if !there {
			break
		}
		on[at] = true
		branch = append(branch, at)
		at = node.Parent
	}
	slices.Reverse(branch)
	return branch, on
}

// lastLeaf returns the last child of the last child of the root: of several, or where parents loop
// and there is none, of the first of ids. Children that are not there do not count.
func (t *chatgptTalk) lastLeaf(ids []string) (at string) {
	missing := func(id string) bool { _, there := t.nodes[id]; return !there }
	next := ""
	if i := slices.IndexFunc(ids, func(id string) bool { return missing(t.nodes[id].Parent) }); i >= 0 {
		next = ids[i]
	} else if len(ids) > 0 {
		next = ids[0]
	}
	seen := map[string]bool{}
	for next != "" && !seen[next] { // children that loop end it
		at, next = next, ""
		seen[at] = true
		for _, child := range slices.Backward(t.nodes[at].Children) {
			if !missing(child) {
				next = child
				break
			}
		}
	}
	return at
}

// chatgptSays takes in a message; nil says nothing. What the client hides, the user's settings
// and thinking are no talk. It returns the time of the message: at where it has none.
func (rd *reader) chatgptSays(r record, said *chatgptMessage, at string) string {
	if said == nil {
		return at
	}
	at = cmp.Or(timeIn(said.Time), at)
	m := schema.Message{Timestamp: at, Role: roleIn(said.Author.Role), Agent: "chatgpt"}
	if schema.ValidID(said.ID) {
		m.ID = "msg-" + said.ID
	}
	text := said.text()
	switch {
	case string(said.Metadata.Hidden) == "true", text == "":
		return at
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
		return at
	}
	var files []string
	for _, file := range said.Metadata.Attachments {
		files = withFile(files, file.Name)
	}
	rd.note(&m, "", "")
	noteFiles(&m, files)
	rd.add(r, m)
	return at
}

// text returns what a message says to people.
func (m *chatgptMessage) text() string {
	switch m.Content.Type {
	case "user_editable_context", "model_editable_context", "thoughts", "reasoning_recap":
		return ""
	case "text", "multimodal_text", "":
	default:
		if text := cmp.Or(m.Content.Text, m.Content.Result); text != "" {
			return text
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
