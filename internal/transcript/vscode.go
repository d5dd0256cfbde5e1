package transcript

import (
	"cmp"
	"encoding/json"
	"slices"
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
	Response []json.RawMessage `json:"response"`
	State    struct {
		Done json.RawMessage `json:"completedAt"`
	} `json:"modelState"`
	Hidden  bool            `json:"isHidden"` // as versions before wrote what Removed says
	Removed json.RawMessage `json:"shouldBeRemovedOnSend"`
}

// takenBack reports whether the user went back to what stands before the request. One that is
// undone in part stays: the files that were edited after a stop are as they were.
func (q *vscodeRequest) takenBack() bool {
	var of struct {
		AfterStop string `json:"afterUndoStop"`
	}
	switch {
	case q.Hidden, string(q.Removed) == "true":
		return true
	case len(q.Removed) == 0 || q.Removed[0] != '{' || jsonedit.Decode(q.Removed, &of) != nil:
		return false
	}
	return of.AfterStop == ""
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

// A vscodePart is a part of an answer.
type vscodePart struct {
	Kind   string          `json:"kind"`  // "" for what is said
	Value  json.RawMessage `json:"value"` // a text, or an object that has one
	Tool   string          `json:"toolId"`
	Calls  json.RawMessage `json:"invocationMessage"`
	Called json.RawMessage `json:"pastTenseMessage"`
	Helper string          `json:"subAgentInvocationId"` // of what a subagent calls
	Result json.RawMessage `json:"resultDetails"`
	Ran    struct {
		Command struct {
			Original string `json:"original"`
			Edited   string `json:"userEdited"`
		} `json:"commandLine"`
		Output struct {
			Text string `json:"text"`
		} `json:"terminalCommandOutput"`
		State struct {
			Code int `json:"exitCode"`
		} `json:"terminalCommandState"`
	} `json:"toolSpecificData"`
	Name      string `json:"name"` // of a file within what is said
	Reference struct {
		Path string `json:"path"`
		Name string `json:"name"`
	} `json:"inlineReference"`
	Questions []struct {
		ID      string          `json:"id"`
		Title   string          `json:"title"`
		Message json.RawMessage `json:"message"`
	} `json:"questions"`
	Data json.RawMessage `json:"data"` // the answers, by the ids of questions
}

// A vscodeChange is a line of a session that VS Code writes as changes of a document.
type vscodeChange struct {
	Kind *int              `json:"kind"` // 0 the document, 1 sets a value, 2 cuts an array and adds to it, 3 deletes
	At   []json.RawMessage `json:"k"`
	V    json.RawMessage   `json:"v"`
	From *int              `json:"i"`
}

func isVSCode(doc *jsonedit.Doc) bool {
	return has(doc, "message") && (has(doc, "requestId") || has(doc, "response", jsonedit.Array)) ||
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
			rd.why, rd.taken = "nothing said", l.takenBack()
			rd.vscodeSays(r, &l.vscodeRequest)
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
	rd.session, rd.title = talk.Session, talk.Title
	for i := range talk.Requests { // the last change brings what all of them come to
		if q := &talk.Requests[i]; q.takenBack() {
			rd.besides(func() { rd.vscodeSays(last, q) })
		} else {
			rd.vscodeSays(last, q)
		}
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

// vscodeSays takes in what the user asked, and the answer.
func (rd *reader) vscodeSays(r record, q *vscodeRequest) {
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
	for _, raw := range q.Response {
		var part vscodePart
		if err := jsonedit.Decode(raw, &part); err != nil {
			rd.fail(r.offset, err)
			continue
		}
		switch part.Kind {
		case "", "markdownContent":
			said += vscodeText(part.Value)
		case "inlineReference":
			said += cmp.Or(part.Name, part.Reference.Name, part.Reference.Path)
		case "questionCarousel":
			speak()
			rd.noted(r, answerOf(m, "ask_user", part.answers()))
		case "toolInvocationSerialized", "toolInvocation":
			if speak(); part.Helper == "" {
				rd.vscodeCall(r, m, &part)
			}
		}
	}
	m.Timestamp = cmp.Or(timeIn(q.State.Done), m.Timestamp)
	speak()
}

// vscodeCall takes in the call of a tool, and what it gave.
func (rd *reader) vscodeCall(r record, m schema.Message, part *vscodePart) {
	var result struct {
		Input  string `json:"input"`
		Output []struct {
			Value json.RawMessage `json:"value"`
		} `json:"output"`
		IsError bool `json:"isError"`
	}
	if len(part.Result) > 0 && part.Result[0] == '{' { // else the places that were found
		_ = jsonedit.Decode(part.Result, &result) // or a picture
	}
	call := calling{tool: part.Tool}
	if command := cmp.Or(part.Ran.Command.Edited, part.Ran.Command.Original); command != "" {
		call.input, _ = jsonedit.Value(struct {
			Command string `json:"command"`
		}{command})
	} else if _, err := jsonedit.Parse([]byte(result.Input)); err == nil {
		call.input = json.RawMessage(result.Input)
	}
	m = callOf(m, call.tool, call.input)
	if call.input == nil {
		m.Content += " " + cmp.Or(vscodeText(part.Called), vscodeText(part.Calls))
	}
	rd.noted(r, m)
	text := part.Ran.Output.Text
	for _, out := range result.Output {
		text += vscodeText(out.Value)
	}
	rd.noted(r, resultOf(m, call.gave(result.IsError || part.Ran.State.Code != 0), text))
}

// answers returns what the user answered to the questions of a part, in their order.
func (p *vscodePart) answers() string {
	var out []string
	var answers map[string]json.RawMessage
	if len(p.Data) == 0 || jsonedit.Decode(p.Data, &answers) != nil {
		return ""
	}
	for _, q := range p.Questions {
		var of struct {
			Value  string   `json:"selectedValue"`
			Values []string `json:"selectedValues"`
			Free   string   `json:"freeformValue"`
		}
		raw := answers[q.ID]
		answer := str(raw)
		if len(raw) > 0 && raw[0] == '{' && jsonedit.Decode(raw, &of) == nil {
			parts := append([]string{of.Value}, append(of.Values, of.Free)...)
			answer = strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
		}
		if answer != "" {
			out = append(out, "Q: "+cmp.Or(vscodeText(q.Message), q.Title)+"\nA: "+answer)
		}
	}
	return strings.Join(out, "\n\n")
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
