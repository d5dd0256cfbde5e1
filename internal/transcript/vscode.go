package transcript

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A vscodeTalk is a chat session of VS Code.
type vscodeTalk struct {
	Session  string          `json:"sessionId"`
	Title    string          `json:"customTitle"`
	Requests []vscodeRequest `json:"requests"`
}

// A vscodeRequest is what the user asked, and the parts of the answer.
type vscodeRequest struct {
	ID      string          `json:"requestId"`
	Time    json.RawMessage `json:"timestamp"`
	Message json.RawMessage `json:"message"` // a text, or an object that has one
	With    struct {
		Variables []vscodeVariable `json:"variables"`
	} `json:"variableData"`
	Response []vscodePart `json:"response"`
}

// A vscodeVariable is what the user attached to a request.
type vscodeVariable struct {
	Value json.RawMessage `json:"value"`
}

// file returns the path of a file that is attached; "" for something else.
func (v vscodeVariable) file() string {
	var at struct {
		Path string `json:"path"`
		URI  struct {
			Path string `json:"path"`
		} `json:"uri"`
	}
	if len(v.Value) == 0 || v.Value[0] != '{' || jsonedit.Decode(v.Value, &at) != nil {
		return ""
	}
	return cmp.Or(at.URI.Path, at.Path)
}

type vscodePart struct {
	Kind    string          `json:"kind"`  // "" for what is said
	Value   json.RawMessage `json:"value"` // a text, or an object that has one
	Tool    string          `json:"toolId"`
	Calls   json.RawMessage `json:"invocationMessage"`
	Called  json.RawMessage `json:"pastTenseMessage"`
	Special struct {
		Command struct {
			Original string `json:"original"`
		} `json:"commandLine"`
	} `json:"toolSpecificData"`
	Name      string `json:"name"` // of a file within what is said
	Reference struct {
		Path string `json:"path"`
		Name string `json:"name"`
	} `json:"inlineReference"`
}

// A vscodeChange is a line of a session that VS Code writes as changes of a document.
type vscodeChange struct {
	Kind *int              `json:"kind"` // 0 the document, 1 sets a value, 2 cuts an array and adds to it, 3 deletes
	At   []json.RawMessage `json:"k"`
	V    json.RawMessage   `json:"v"`
	From *int              `json:"i"`
}

func isVSCode(doc *jsonedit.Doc) bool {
	return has(doc, "requestId") && has(doc, "message") ||
		has(doc, "kind", jsonedit.Number) && (has(doc, "k", jsonedit.Array) || has(doc, "v", jsonedit.Object))
}

// vscode reads a chat session of VS Code: its requests, or what changes of them come to.
func (rd *reader) vscode() {
	var state any
	last := record{}
	for _, r := range rd.records {
		var l struct {
			vscodeChange
			vscodeRequest
		}
		if !rd.decode(r, &l) {
			continue
		}
		if l.Kind == nil {
			rd.vscodeRequest(r, &l.vscodeRequest)
			continue
		}
		rd.why, last = "a change", r
		state = l.apply(state)
	}
	text, err := jsonedit.Value(state)
	var talk vscodeTalk
	if last.raw == nil || err != nil || jsonedit.Decode(text, &talk) != nil {
		return
	}
	rd.begins(talk.Session, "", talk.Title)
	for i := range talk.Requests { // the last change brings what all of them come to
		rd.vscodeRequest(last, &talk.Requests[i])
	}
}

// apply returns the state with a change made; as it was where its place is not there.
func (c *vscodeChange) apply(state any) any {
	var value any
	if len(c.V) > 0 && jsonedit.Decode(c.V, &value) != nil {
		return state
	}
	switch {
	case *c.Kind == 0:
		return value
	case state == nil: // the document is torn
		state = map[string]any{}
	}
	changed, _ := c.change(state, c.At, value)
	return changed
}

// change returns what stands in node with the change at the rest of its path made.
func (c *vscodeChange) change(node any, path []json.RawMessage, value any) (any, bool) {
	if len(path) == 0 {
		switch list, ok := node.([]any); {
		case *c.Kind == 1:
			return value, true
		case *c.Kind != 2 || !ok && node != nil:
			return node, false
		default:
			if c.From != nil && *c.From >= 0 && *c.From < len(list) {
				list = list[:*c.From]
			}
			more, _ := value.([]any)
			return append(list, more...), true
		}
	}
	switch in := node.(type) {
	case map[string]any:
		name := str(path[0])
		if *c.Kind == 3 && len(path) == 1 {
			delete(in, name)
			return in, true
		}
		next, ok := c.change(in[name], path[1:], value)
		if ok {
			in[name] = next
		}
		return in, ok
	case []any:
		var i int
		if jsonedit.Decode(path[0], &i) != nil || i < 0 || i >= len(in) {
			return node, false
		}
		next, ok := c.change(in[i], path[1:], value)
		if ok {
			in[i] = next
		}
		return in, ok
	}
	return node, false
}

// vscodeRequest takes in what the user asked, and the answer.
func (rd *reader) vscodeRequest(r record, q *vscodeRequest) {
	rd.why = "nothing said"
	m := schema.Message{Timestamp: timeIn(q.Time), Role: "user", Agent: "user", Content: vscodeText(q.Message)}
	if schema.ValidID(q.ID) {
		m.ID = "msg-" + q.ID
	}
	rd.note(&m, "", "")
	var files []string
	for _, v := range q.With.Variables {
		files = withFile(files, v.file())
	}
	noteFiles(&m, files)
	rd.add(r, m)
	m = schema.Message{Timestamp: m.Timestamp, Agent: "copilot"}
	said := ""
	speak := func() {
		if said = strings.TrimSpace(said); said != "" {
			m := m
			m.Role, m.Content, said = "assistant", said, ""
			rd.noted(r, m)
		}
	}
	for _, part := range q.Response {
		switch part.Kind {
		case "", "markdownContent":
			said += vscodeText(part.Value)
		case "inlineReference":
			said += cmp.Or(part.Name, part.Reference.Name, part.Reference.Path)
		case "toolInvocationSerialized", "toolInvocation":
			speak()
			call := callOf(m, part.Tool, nil)
			call.Content += " " + cmp.Or(part.Special.Command.Original, vscodeText(part.Called), vscodeText(part.Calls))
			rd.noted(r, call)
		}
	}
	speak()
}

// vscodeText returns a text that stands alone or in an object.
func vscodeText(raw json.RawMessage) string {
	var in struct {
		Text  string `json:"text"`
		Value string `json:"value"`
	}
	if len(raw) > 0 && raw[0] == '{' && jsonedit.Decode(raw, &in) == nil {
		return cmp.Or(in.Text, in.Value)
	}
	return str(raw)
}
