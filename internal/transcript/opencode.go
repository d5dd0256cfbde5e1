package transcript

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// An opencodeTalk holds what an export of opencode says of the session.
type opencodeTalk struct {
	Directory string `json:"directory"`
	Parent    string `json:"parentID"` // of a subagent's
	Time      struct {
		Created json.RawMessage `json:"created"`
	} `json:"time"`
	Revert struct {
		Message string `json:"messageID"` // that and what follows it were taken back
		Part    string `json:"partID"`    // of the message from that part on; "" for all
	} `json:"revert"`
}

// An opencodeMessage is a message of such a session.
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
		Error json.RawMessage `json:"error"`
	} `json:"info"`
	Parts []json.RawMessage `json:"parts"`
}

type opencodePart struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	Text      string `json:"text"`
	Synthetic bool   `json:"synthetic"` // the client wrote it
	Ignored   bool   `json:"ignored"`   // a notice that the model is not sent
	Time      struct {
		Start json.RawMessage `json:"start"`
	} `json:"time"`
	Tool  string `json:"tool"`
	State struct {
		Status   string          `json:"status"`
		Input    json.RawMessage `json:"input"`
		Output   string          `json:"output"`
		Error    string          `json:"error"`
		Metadata struct {
			Exit    json.RawMessage `json:"exit"`
			Answers json.RawMessage `json:"answers"` // to the questions of the input, lists of texts
		} `json:"metadata"`
		Time struct {
			Start json.RawMessage `json:"start"`
			End   json.RawMessage `json:"end"`
		} `json:"time"`
	} `json:"state"`
	Command  string `json:"command"` // of a subagent's task that the user calls
	Prompt   string `json:"prompt"`
	Mime     string `json:"mime"`
	Filename string `json:"filename"`
	URL      string `json:"url"`
	Source   struct {
		Path string `json:"path"`
	} `json:"source"`
}

// How opencode words what the user did.
const (
	opencodeShell   = "The following tool was executed by the user"
	opencodeRefused = "The user rejected permission to use this specific tool call with the following feedback: "
	opencodeHidden  = "[redacted:" // begins what `opencode export --sanitize` left out
)

func isOpencode(doc *jsonedit.Doc) bool {
	return has(doc, "parts", jsonedit.Array) && has(doc, "info", jsonedit.Object) && doc.Find("/info/role") >= 0
}

// opencode reads a session that opencode exports.
func (rd *reader) opencode() {
	var talk opencodeTalk
	if len(rd.head) > 0 {
		_ = jsonedit.Decode(rd.head, &talk) // what is not as it should be says nothing
	}
	if strings.HasPrefix(rd.title, opencodeHidden) {
		rd.title = ""
	}
	undone, shell := false, false
	for _, r := range rd.records {
		var l opencodeMessage
		if !rd.decode(r, &l) || l.Info.Role == "" {
			continue
		}
		rd.why = "nothing said"
		if len(l.Info.Error) > 0 {
			rd.why = "API error"
		}
		at := talk.Revert.Message != "" && l.Info.ID == talk.Revert.Message
		undone = undone || at && talk.Revert.Part == ""
		rd.taken = undone
		if talk.copied(&l) {
			rd.why = copiedElsewhere
		} else {
			shell = rd.opencodeSays(r, &l, &talk, shell)
		}
		undone = undone || at
	}
}

// copied reports whether a message is a copy from the session that talk was forked from: it was said
// before the session began, and has an id of that time or later. The first 48 bits of an id are its
// time in milliseconds, times 4096.
func (talk *opencodeTalk) copied(l *opencodeMessage) bool {
	began, err := schema.ParseTime(timeIn(talk.Time.Created))
	said, none := schema.ParseTime(timeIn(l.Info.Time.Created))
	id, isOwn := strings.CutPrefix(l.Info.ID, "msg_")
	if err != nil || none != nil || !isOwn || len(id) < 12 || !said.Before(began) {
		return false
	}
	minted, err := strconv.ParseInt(id[:12], 16, 64)
	const bits = 36 // of milliseconds, which begin anew every other year
	since := (minted>>12 - began.UnixMilli()) & (1<<bits - 1)
	return err == nil && since < 1<<(bits-1)
}

// opencodeSays takes in a message, of which the user ran the tools if shell says so, and reports
// whether that is so of the next.
func (rd *reader) opencodeSays(r record, l *opencodeMessage, talk *opencodeTalk, shell bool) (next bool) {
	m := schema.Message{Session: l.Info.Session, Timestamp: timeIn(l.Info.Time.Created), Agent: "opencode"}
	at := m.Timestamp
	add := func(m schema.Message) {
		rd.note(&m, cmp.Or(l.Info.Path.CWD, talk.Directory), "")
		rd.add(r, m)
	}
	var texts, files []string
	speak := func() {
		if text := strings.TrimSpace(strings.Join(texts, "\n")); text != "" {
			said := m
			said.Timestamp = at
			rd.opencodeText(&said, l, talk, text)
			rd.note(&said, cmp.Or(l.Info.Path.CWD, talk.Directory), "")
			noteFiles(&said, files)
			rd.add(r, said)
			l.Info.ID = "" // only the first has it
		}
		texts = nil
	}
	for _, raw := range l.Parts {
		var part opencodePart
		if err := jsonedit.Decode(raw, &part); err != nil {
			rd.unfit(r, raw, err)
			continue
		}
		if talk.Revert.Part != "" && part.ID == talk.Revert.Part {
			break
		}
		switch {
		case part.Type == "text" && part.Synthetic:
			next = next || len(l.Parts) == 1 && part.Text == opencodeShell
		case part.Ignored:
		case strings.HasPrefix(part.Text, opencodeHidden), strings.HasPrefix(part.State.Output, opencodeHidden):
			rd.why = "left out by the export"
		case part.Type == "text":
			if len(texts) == 0 {
				at = cmp.Or(timeIn(part.Time.Start), m.Timestamp)
			}
			texts = append(texts, part.Text)
		case part.Type == "subtask" && part.Command != "":
			texts = append(texts, "/"+part.Command)
		case part.Type == "subtask":
			texts = append(texts, part.Prompt)
		case part.Type == "file" && strings.HasPrefix(part.Mime, "image/"):
			texts = append(texts, "[image]")
		case part.Type == "file":
			files = withFile(files, part.file())
		case part.Type == "tool":
			speak()
			rd.opencodeTool(m, &part, shell, add)
		}
	}
	speak()
	return next
}

// opencodeText makes m what a text of a message says.
func (rd *reader) opencodeText(m *schema.Message, l *opencodeMessage, talk *opencodeTalk, text string) {
	m.Role, m.Content = roleIn(l.Info.Role), text
	if schema.ValidID(l.Info.ID) {
		m.ID = "msg-" + l.Info.ID
	}
	switch {
	case m.Role == "user" && talk.Parent != "": // another agent gives it the task
		m.Role, m.ToolName = "assistant", "task"
	case m.Role == "user":
		m.Agent = "user"
	case string(l.Info.Summary) == "true":
		m.Role, m.Kind = "system", "summary"
		rd.compacted()
	}
}

// opencodeTool takes in the call of a tool, and what it gave; byUser says that the user ran it.
func (rd *reader) opencodeTool(m schema.Message, part *opencodePart, byUser bool, add func(schema.Message)) {
	exit := string(part.State.Metadata.Exit)
	call := calling{part.Tool, part.State.Input}
	tool := call.gave(part.State.Status == "error" || exit != "" && exit != "0")
	m.Timestamp = cmp.Or(timeIn(part.State.Time.Start), m.Timestamp)
	said := callOf(m, part.Tool, part.State.Input)
	if byUser {
		var in struct {
			Command string `json:"command"`
		}
		_ = jsonedit.Decode(part.State.Input, &in) // what is none is empty
		said, tool = answerOf(m, "", "! "+in.Command), "shell"
	}
	add(said)
	m.Timestamp = cmp.Or(timeIn(part.State.Time.End), m.Timestamp)
	if why, refused := strings.CutPrefix(part.State.Error, opencodeRefused); refused {
		add(answerOf(m, part.Tool, "The user refused "+part.Tool+": "+why))
	} else if Asks(part.Tool) && part.State.Status != "error" {
		add(answerOf(m, part.Tool, part.answers()))
	} else {
		add(resultOf(m, tool, withoutTold(part.State.Output)+part.State.Error))
	}
}

// answers returns what a part asks and what the user answered, in that order.
func (p *opencodePart) answers() string {
	var in struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
	}
	var given []json.RawMessage
	if len(p.State.Metadata.Answers) == 0 || jsonedit.Decode(p.State.Input, &in) != nil || jsonedit.Decode(p.State.Metadata.Answers, &given) != nil || len(given) > len(in.Questions) {
		return withoutTold(p.State.Output)
	}
	var out []string
	for i, raw := range given {
		if answer := answerText(raw); answer != "" {
			out = append(out, "Q: "+in.Questions[i].Question+"\nA: "+answer)
		}
	}
	return cmp.Or(strings.Join(out, "\n\n"), withoutTold(p.State.Output))
}

// file returns the path of a file that is attached; "" for a folder.
func (p *opencodePart) file() string {
	if p.Mime == "application/x-directory" {
		return ""
	}
	if !strings.HasPrefix(p.URL, "file://") {
		return cmp.Or(p.Source.Path, p.Filename)
	}
	url, _, _ := strings.Cut(p.URL, "?") // which lines of it
	return cmp.Or(p.Source.Path, url)
}
