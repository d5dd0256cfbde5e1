package transcript

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A vscodeRequest holds what the user asked, and the parts of the answer.
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
	Hidden  json.RawMessage `json:"isHidden"` // as earlier versions wrote what Removed says
	Removed json.RawMessage `json:"shouldBeRemovedOnSend"`
}

// takenBack reports whether the user went back to what stands before the request. One that is
// undone in part stays: the files that were edited after a stop are as they were.
func (q *vscodeRequest) takenBack() bool {
	var of struct {
		AfterStop string `json:"afterUndoStop"`
	}
	switch {
	case string(q.Hidden) == "true", string(q.Removed) == "true":
		return true
	case len(q.Removed) == 0 || q.Removed[0] != '{' || jsonedit.Decode(q.Removed, &of) != nil:
		return false
	}
	return of.AfterStop == ""
}

// A vscodeVariable is a thing that the user attached to a request.
type vscodeVariable struct {
	Value json.RawMessage `json:"value"`
}

// file returns the path of a file that is attached; "" for something else.
func (v vscodeVariable) file() string {
	var at vscodePlace
	if len(v.Value) == 0 || v.Value[0] != '{' || jsonedit.Decode(v.Value, &at) != nil {
		return ""
	}
	return at.file()
}

// A vscodePlace is a file, or a place in one.
type vscodePlace struct {
	Path   string          `json:"path"`
	Scheme string          `json:"scheme"`
	Name   string          `json:"name"`
	URI    json.RawMessage `json:"uri"`
}

// file returns the path of a file, "" for what is none: something of the web, or not saved yet.
func (p *vscodePlace) file() string {
	var of vscodePlace
	switch {
	case len(p.URI) > 0 && p.URI[0] == '{' && jsonedit.Decode(p.URI, &of) == nil:
		return of.file()
	case len(p.URI) > 0:
		p.Path = str(p.URI)
		p.Scheme, _, _ = strings.Cut(p.Path, "://")
	}
	if p.Scheme != "" && p.Scheme != "file" {
		return ""
	}
	if drive := strings.TrimPrefix(p.Path, "/"); len(drive) > 1 && drive[1] == ':' {
		return drive
	}
	return p.Path
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
		Line    string `json:"command"` // as earlier versions wrote it
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
	Name      string          `json:"name"` // of a file within what is said
	Reference vscodePlace     `json:"inlineReference"`
	Content   json.RawMessage `json:"content"` // of what is marked: a text, or an object that has one
	Questions []struct {
		ID      string          `json:"id"`
		Title   string          `json:"title"`
		Message json.RawMessage `json:"message"`
	} `json:"questions"`
	Data json.RawMessage `json:"data"` // the answers, by the ids of questions
}

func isVSCode(doc *jsonedit.Doc) bool {
	return has(doc, "message") && !has(doc, "type") && (has(doc, "requestId") || has(doc, "response", jsonedit.Array)) ||
		has(doc, "kind", jsonedit.Number) && (has(doc, "k", jsonedit.Array) || has(doc, "v", jsonedit.Object))
}

// vscode reads a chat session of VS Code: its requests, or what changes of them come to.
func (rd *reader) vscode() {
	var state any
	var gone []any // requests that a change took out
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
		out := l.takesOut(state)
		changed, err := l.apply(state)
		if err != nil {
			rd.unfit(r, l.V, err)
			rd.bad = true
			continue
		}
		state, gone = changed, append(gone, out...)
	}
	if last.raw != nil { // the last change brings what all of them come to
		rd.vscodeState(last, state, gone)
	}
}

// vscodeSays takes in what the user asked, and the answer. The messages of an answer are known by
// the request and their place in it.
func (rd *reader) vscodeSays(r record, q *vscodeRequest) {
	m := schema.Message{Timestamp: timeIn(q.Time), Role: "user", Agent: "user", Content: vscodeText(q.Message)}
	if schema.ValidID(q.ID) {
		m.ID = "msg-" + q.ID
	}
	id, n := m.ID, 0
	rd.note(&m, "", "")
	var files []string
	for _, v := range q.With.Variables {
		files = withFile(files, v.file())
	}
	noteFiles(&m, files)
	rd.add(r, m)
	m = schema.Message{Timestamp: m.Timestamp, Agent: "copilot"}
	add := func(m schema.Message) {
		if n++; id != "" {
			m.ID = fmt.Sprintf("%s.%d", id, n)
		}
		rd.noted(r, m)
	}
	said := ""
	speak := func() {
		if said = strings.TrimSpace(said); said != "" {
			m := m
			m.Role, m.Content, said = "assistant", said, ""
			add(m)
		}
	}
	for _, raw := range q.Response {
		var part vscodePart
		if err := jsonedit.Decode(raw, &part); err != nil {
			rd.unfit(r, raw, err)
			continue
		}
		switch part.Kind {
		case "":
			said += vscodeText(part.Value)
		case "markdownContent", "markdownVuln":
			said += vscodeText(part.Content)
		case "inlineReference":
			said += cmp.Or(part.Name, part.Reference.Name, part.Reference.file())
		case "questionCarousel":
			speak()
			add(answerOf(m, "ask_user", part.answers()))
		case "toolInvocationSerialized", "toolInvocation":
			if speak(); part.Helper == "" {
				part.call(m, add)
			}
		}
	}
	m.Timestamp = cmp.Or(timeIn(q.State.Done), m.Timestamp)
	speak()
}

// call adds the call of a tool, and what it gave.
func (p *vscodePart) call(m schema.Message, add func(schema.Message)) {
	var result struct {
		Input  string `json:"input"`
		Output []struct {
			Value json.RawMessage `json:"value"`
		} `json:"output"`
		IsError bool `json:"isError"`
	}
	if len(p.Result) > 0 && p.Result[0] == '{' { // else the places that were found
		_ = jsonedit.Decode(p.Result, &result) // or a picture
	}
	call := calling{tool: p.Tool}
	if command := cmp.Or(p.Ran.Command.Edited, p.Ran.Command.Original, p.Ran.Line); command != "" {
		call.input, _ = jsonedit.Value(struct {
			Command string `json:"command"`
		}{command})
	} else if _, err := jsonedit.Parse([]byte(result.Input)); err == nil {
		call.input = json.RawMessage(result.Input)
	}
	asked := callOf(m, call.tool, call.input)
	if call.input == nil {
		asked.Content += " " + cmp.Or(vscodeText(p.Called), vscodeText(p.Calls))
	}
	add(asked)
	text := p.Ran.Output.Text
	for _, out := range result.Output {
		text += vscodeText(out.Value)
	}
	add(resultOf(m, call.gave(result.IsError || p.Ran.State.Code != 0), text))
}

// answers returns what the user answered to the questions of a part, in their order.
func (p *vscodePart) answers() string {
	var out []string
	var answers map[string]json.RawMessage
	if len(p.Data) == 0 || jsonedit.Decode(p.Data, &answers) != nil {
		return ""
	}
	for _, q := range p.Questions {
		if answer := vscodeAnswer(answers[q.ID]); answer != "" {
			out = append(out, "Q: "+cmp.Or(vscodeText(q.Message), q.Title)+"\nA: "+answer)
		}
	}
	return strings.Join(out, "\n\n")
}

// vscodeAnswer returns what the user chose, and wrote beside it.
func vscodeAnswer(raw json.RawMessage) string {
	var of struct {
		Value  json.RawMessage `json:"selectedValue"`
		Values json.RawMessage `json:"selectedValues"`
		Free   json.RawMessage `json:"freeformValue"`
	}
	if len(raw) == 0 || raw[0] != '{' || jsonedit.Decode(raw, &of) != nil {
		return answerText(raw)
	}
	parts := []string{answerText(of.Value), answerText(of.Values), answerText(of.Free)}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
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
