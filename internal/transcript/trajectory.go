package transcript

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A trajectoryStep is an element of `history` or of `trajectory`, as SWE-agent
// and mini-swe-agent write them, and those who took that over.
type trajectoryStep struct {
	// Of history, and of mini-swe-agent's messages.
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	Kind    string          `json:"message_type"`
	Demo    bool            `json:"is_demo"`
	Time    json.RawMessage `json:"timestamp"`
	Calls   []struct {
		Function struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
	Extra struct {
		Actions []json.RawMessage `json:"actions"`
	} `json:"extra"`
	// Of both, and of trajectory.
	Thought     string           `json:"thought"`
	Action      json.RawMessage  `json:"action"`
	Observation *json.RawMessage `json:"observation"`
	Response    string           `json:"response"`
	Query       []trajectoryStep `json:"query"`
}

func isTrajectory(doc *jsonedit.Doc) bool {
	return has(doc, "message_type", jsonedit.String) && has(doc, "role") ||
		has(doc, "action") && has(doc, "thought") && (has(doc, "observation") || has(doc, "role")) ||
		has(doc, "observation") && has(doc, "action") && has(doc, "response") ||
		member(doc, "role") == "exit"
}

// trajectory reads a SWE-agent trajectory: what a tool printed stands in the
// user's turn there. The prompt for the model and demonstrations are left out.
func (rd *reader) trajectory() {
	last := "" // the tool that was used last; what the user says before one is the task
	calls := map[string]calling{}
	for i, r := range rd.records {
		var s trajectoryStep
		if !rd.decode(r, &s) {
			continue
		}
		if s.Role == "" && (s.Observation != nil || len(s.Action) > 0) {
			if i == 0 {
				for _, q := range s.Query {
					rd.turn(r, q, "")
				}
			}
			q := trajectoryStep{Role: "assistant", Thought: cmp.Or(s.Thought, s.Response), Action: s.Action, Time: s.Time}
			rd.turn(r, q, "")
			if s.Observation != nil {
				rd.add(r, resultOf(schema.Message{Timestamp: timeIn(s.Time)}, "shell", textOf(*s.Observation)))
			}
			continue
		}
		if s.Role == "" {
			rd.why = "no kind"
			continue
		}
		if hasNoMarks(&s) { // a chat, as far as this element goes
			var l chatLine
			if jsonedit.Decode(r.raw, &l) == nil && (len(l.Calls) > 0 || l.CallID != "") {
				rd.chatLine(r, &l, calls)
				if n := len(l.Calls); n > 0 {
					last = l.Calls[n-1].Function.Name
				}
				continue
			}
		}
		rd.turn(r, s, last)
		if n := len(s.Calls); n > 0 {
			last = s.Calls[n-1].Function.Name
		} else if roleIn(s.Role) == "assistant" && !s.Demo {
			last = "shell"
		}
	}
}

func hasNoMarks(s *trajectoryStep) bool {
	return s.Kind == "" && s.Thought == "" && len(s.Action) == 0
}

// turn takes in who said what in an element. Behind a tool the user's turn is what
// that printed.
func (rd *reader) turn(r record, s trajectoryStep, tool string) {
	m := schema.Message{Timestamp: timeIn(s.Time), Role: roleIn(s.Role)}
	switch {
	case s.Demo || s.Kind == "demonstration":
		rd.why = "demonstration"
	case m.Role == "system":
		rd.why = "notice to the model"
	case m.Role == "user" && tool == "":
		m.Agent, m.Content = "user", textOf(s.Content)
		rd.noted(r, m)
	case m.Role == "user" || m.Role == "tool":
		rd.noted(r, resultOf(m, calling{tool: tool}.gave(false), textOf(s.Content)))
	case m.Role == "assistant":
		m.Agent = "swe-agent"
		said := m
		if said.Content = strings.TrimSpace(s.Thought); said.Content == "" {
			said.Content = textOf(s.Content)
		}
		action := strings.TrimSpace(textOf(s.Action))
		if strings.TrimSpace(said.Content) != action {
			rd.noted(r, said)
		}
		for _, c := range s.Calls {
			input := c.Function.Arguments
			if text := str(input); text != "" {
				input = json.RawMessage(text)
			}
			rd.noted(r, callOf(m, c.Function.Name, input))
		}
		if len(s.Calls) == 0 && action != "" {
			call := callOf(m, "shell", nil)
			call.Content += " " + action
			rd.noted(r, call)
		}
	default:
		rd.why = ofKind("role", s.Role)
	}
}

// noted is add of what may be the first message.
func (rd *reader) noted(r record, m schema.Message) {
	rd.note(&m, "", "")
	rd.add(r, m)
}
