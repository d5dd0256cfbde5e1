package hook

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// A turn is a request of the user with the agent's answer.
type turn struct {
	Asked string   `json:"asked"`         // with its lines while the turn is open, and shortened afterwards
	Said  []string `json:"said,omitzero"` // shortened answer, or the last texts before it
	Open  bool     `json:"open,omitzero"` // it has no answer yet
}

const (
	mostTurns     = 20   // turns of a session that are remembered
	longRequest   = 4000 // characters of an open request
	shortAsked    = 1000 // of an answered one
	shortSaid     = 1000 // of the answer
	mostOnTheWay  = 8    // texts before the answer
	shortOnTheWay = 500  // characters of one of them
	leastSaid     = 50   // least characters of a text worth keeping; shorter ones are announcements
	leastTurn     = 30   // least characters of a turn; shorter ones are courtesies
	mostDecided   = 12   // decisions that were said
	longDecided   = 300
)

// refused begins the message of a user who refuses the use of a tool. The reason may follow.
const refused = "The user refused "

// command matches an instruction to the agent program such as /compact, which is no request.
var command = lazyregexp.New(`^/[\w:-]+$`)

// ask begins a turn.
func (m *memory) ask(prompt string) {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" || command.MatchString(prompt) {
		return
	}
	if n := len(m.Turns); n > 0 && m.Turns[n-1].Open { // an open turn was interrupted, or is repeated
		t := &m.Turns[n-1]
		if t.Asked == requestOf(prompt) {
			return
		}
		t.Asked = oneLine(t.Asked, shortAsked)
	} else if n > 1 && m.Turns[n-1].small() {
		m.Turns = m.Turns[:n-1]
	}
	m.Turns = append(m.Turns, turn{Asked: requestOf(prompt), Open: true})
	if n := len(m.Turns); n > mostTurns { // the first turn tells the purpose of the session
		m.Turns = slices.Concat(m.Turns[:1], m.Turns[n-mostTurns+1:])
	}
}

// small reports whether an answered turn is a courtesy such as "thanks" and "you are welcome".
func (t turn) small() bool {
	said := units(t.Asked)
	for _, text := range t.Said {
		said += units(text)
	}
	return len(t.Said) > 0 && said < leastTurn
}

// requestOf returns a prompt for the memory, cut and with secrets masked.
func requestOf(prompt string) string {
	masked, _ := secret.Mask(prompt[:min(len(prompt), 8*longRequest)])
	return cut(strings.TrimSpace(sanitize.Text(masked)), longRequest)
}

// addAgentText adds what the agent said in the open turn. If done is true, the turn is answered.
func (m *memory) addAgentText(said []string, done bool) {
	if len(m.Turns) == 0 {
		return
	}
	t := &m.Turns[len(m.Turns)-1]
	if !t.Open && !done {
		return
	}
	most := shortOnTheWay
	if done {
		most = shortSaid
	}
	for _, text := range said {
		if short := inShort(text, most); short != "" && (done || units(short) >= leastSaid) {
			t.Said = again(t.Said, short)
		}
	}
	if !done {
		t.Said = last(t.Said, mostOnTheWay)
		return
	}
	t.Said, t.Open = last(t.Said, 1), false
	t.Asked = oneLine(t.Asked, shortAsked)
}

// A pieceDecisions holds what a piece of a transcript says about the open turn.
type pieceDecisions struct{ said, decided []string }

// hear adds messages: what the agent said since the user's last message, and decisions. The user's
// answer to a question or a plan inside a tool is a decision.
func (h *pieceDecisions) hear(messages []schema.Message) {
	for _, m := range messages {
		answers := m.ToolName != ""
		switch {
		case m.Role == "user" && answers:
			bare := strings.HasPrefix(m.Content, refused) && !strings.Contains(m.Content, ": ")
			if short := inShort(m.Content, longDecided); short != "" && !bare {
				h.decided = again(h.decided, short)
			}
		case m.Role == "user":
			h.said = nil
			h.decides(m)
		case m.Role == "assistant" && !answers && strings.TrimSpace(m.Content) != "":
			h.said = last(append(h.said, m.Content), mostOnTheWay)
			h.decides(m)
		}
	}
}

// decides adds the decision and the rule in m. An instruction counts only if the user gives it.
func (h *pieceDecisions) decides(m schema.Message) {
	for _, stated := range extract.Statements(m, nil, schema.DefaultDecisionPhrases()) {
		if stated.Class == extract.ClassGoal {
			continue
		}
		if stated.Rationale != "" {
			stated.Text += " — because " + stated.Rationale
		}
		if short := inShort(stated.Text, longDecided); short != "" {
			h.decided = again(h.decided, short)
		}
	}
}

// inShort returns a text on one line with secrets masked.
func inShort(text string, most int) string {
	masked, _ := secret.Mask(text[:min(len(text), 8*most)])
	return oneLine(masked, most)
}

// follow returns a function that adds the event and what messages said to the open turn.
func (r *hookCall) follow(heard pieceDecisions) func(*memory) {
	if r.payload.said != "" {
		if len(heard.said) == 0 { // the transcript may lag behind
			heard.hear([]schema.Message{{Role: "assistant", Content: r.payload.said}})
		}
		heard.said = []string{r.payload.said}
	}
	late := r.payload.transcript == "" && r.at != compacts && len(heard.said) > 0 // the end of an answered turn
	return func(m *memory) {
		m.addAgentText(heard.said, r.at == answered || late)
		m.Decided = again(m.Decided, heard.decided...)
	}
}

// asks begins a turn with the event's prompt. Decisions in it come from the transcript if there is
// one.
func (r *hookCall) asks(m *memory) {
	m.ask(r.payload.prompt)
	m.At, m.Ended = schema.FormatTime(r.call.Edge.Now()), false
	if !r.writes() {
		var heard pieceDecisions
		heard.hear([]schema.Message{{Role: "user", Content: r.payload.prompt}})
		m.Decided = again(m.Decided, heard.decided...)
	}
}
