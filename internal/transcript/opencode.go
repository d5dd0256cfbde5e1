package transcript

import (
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// An opencodeMessage is a message of a session that opencode exports.
type opencodeMessage struct {
	Info struct {
		ID      string `json:"id"`
		Session string `json:"sessionID"`
		Role    string `json:"role"`
		Time    struct {
			Created json.RawMessage `json:"created"`
		} `json:"time"`
		Summary json.RawMessage `json:"summary"` // true: of a compaction
		Path    struct {
			CWD string `json:"cwd"`
		} `json:"path"`
	} `json:"info"`
	Parts []opencodePart `json:"parts"`
}

type opencodePart struct {
	Type      string `json:"type"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"` // the client wrote it
	Tool      string `json:"tool"`
	State     struct {
		Status string          `json:"status"`
		Input  json.RawMessage `json:"input"`
		Output string          `json:"output"`
		Error  string          `json:"error"`
	} `json:"state"`
	Filename string `json:"filename"`
}

func isOpencode(doc *jsonedit.Doc) bool {
	return has(doc, "parts", jsonedit.Array) && has(doc, "info", jsonedit.Object) && doc.Find("/info/role") >= 0
}

// opencode reads a session that opencode exports.
func (rd *reader) opencode() {
	for _, r := range rd.records {
		var l opencodeMessage
		if !rd.decode(r, &l) {
			continue
		}
		rd.why = "nothing said"
		m := schema.Message{Session: l.Info.Session, Timestamp: timeIn(l.Info.Time.Created), Agent: "opencode"}
		var texts, files []string
		speak := func() {
			text := strings.TrimSpace(strings.Join(texts, "\n"))
			if texts = nil; text == "" {
				return
			}
			said := m
			said.Role, said.Content = roleIn(l.Info.Role), text
			if said.Role == "user" {
				said.Agent = "user"
			} else if string(l.Info.Summary) == "true" {
				said.Role, said.Kind = "system", "summary"
				rd.compacted()
			}
			if schema.ValidID(l.Info.ID) {
				said.ID = "msg-" + l.Info.ID
			}
			rd.note(&said, l.Info.Path.CWD, "")
			noteFiles(&said, files)
			rd.add(r, said)
		}
		for _, part := range l.Parts {
			switch {
			case part.Type == "text" && !part.Synthetic:
				texts = append(texts, part.Text)
			case part.Type == "file":
				files = withFile(files, part.Filename)
			case part.Type == "tool":
				speak()
				call := calling{part.Tool, part.State.Input}
				rd.noted(r, callOf(m, part.Tool, part.State.Input))
				rd.noted(r, resultOf(m, call.gave(part.State.Status == "error"), part.State.Output+part.State.Error))
			}
		}
		speak()
	}
}
