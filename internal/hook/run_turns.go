package hook

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// A turn is what the user asked and what the agent said to it.
type turn struct {
	Asked string   `json:"asked"`          // with its lines as long as it is open, in short afterwards
	Said  []string `json:"said,omitzero"`  // in short: the answer, or what was said last on the way to it
	Open  bool     `json:"open,omitzero"`  // it is not answered
	Heard bool     `json:"heard,omitzero"` // what was asked was read in the transcript
}

const (
	mostTurns     = 20   // of a session that are remembered
	longRequest   = 4000 // characters of a request that is open
	shortAsked    = 1000 // of one that is answered
	shortSaid     = 1000 // of the answer
	mostOnTheWay  = 8    // things said on the way to it
	shortOnTheWay = 500  // characters of one of them
	leastSaid     = 50   // characters of what tells something though more was said since: less announces that
	leastTurn     = 30   // of a turn: less is a kindness
	mostDecided   = 12   // decisions that were said
	longDecided   = 300
)

// refused begins what the user says who does not want a tool to be used; the reason
// follows, if there is one.
const refused = "The user refused "

// ask begins a turn. A client tells of no command that it obeys itself, such as /compact: what
// begins with a slash is sent to the model as well.
func (m *memory) ask(prompt string) {
	prompt = strings.TrimSpace(prompt)
	if prompt == "" {
		return
	}
	if n := len(m.Turns); n > 0 && m.Turns[n-1].Open { // it was broken off; or said twice
		t := &m.Turns[n-1]
		if t.Asked == requestOf(prompt) {
			return
		}
		t.Asked = oneLine(t.Asked, shortAsked)
	} else if n > 1 && m.Turns[n-1].small() {
		m.Turns = m.Turns[:n-1]
	}
	m.Turns = append(m.Turns, turn{Asked: requestOf(prompt), Open: true})
	if n := len(m.Turns); n > mostTurns { // what a session began with says what it is for
		m.Turns = slices.Concat(m.Turns[:1], m.Turns[n-mostTurns+1:])
	}
}

// small says whether a turn that is over was talk like "thanks" and "you are welcome".
func (t turn) small() bool {
	said := units(t.Asked)
	for _, text := range t.Said {
		said += units(text)
	}
	return len(t.Said) > 0 && said < leastTurn
}

// requestOf is a prompt as it is remembered: cut, and with nothing secret.
func requestOf(prompt string) string {
	masked, _ := secret.Mask(prompt[:min(len(prompt), 8*longRequest)])
	return cut(strings.TrimSpace(sanitize.Text(masked)), longRequest)
}

// say takes what the agent said in a turn; done: with that it has answered.
func (t *turn) say(said []string, done bool) {
	if !t.Open && !done {
		return
	}
	for _, text := range said {
		if short := inShort(text, shortSaid); short != "" {
			t.Said = again(t.Said, short)
		}
	}
	if !done {
		before := t.Said[:max(0, len(t.Said)-1)]
		told := slices.DeleteFunc(slices.Clone(before), func(text string) bool { return units(text) < leastSaid })
		t.Said = last(append(told, t.Said[len(before):]...), mostOnTheWay)
		return
	}
	t.Said, t.Open = last(t.Said, 1), false
	t.Asked = oneLine(t.Asked, shortAsked)
}

// heardIn returns the index of the turn that asked, which is read in the transcript now,
// begins; that of the last turn where none is known to, and that of the turn read last
// where it is "". Turns must not be empty.
func (m *memory) heardIn(asked string) int {
	next := slices.IndexFunc(m.Turns, func(t turn) bool { return !t.Heard })
	end := len(m.Turns) - 1
	switch {
	case next < 0:
		return end
	case asked == "" && next > 0:
		return next - 1
	case asked == "":
		return end
	}
	asked = oneLine(requestOf(asked), shortAsked)
	at := slices.IndexFunc(m.Turns[next:], func(t turn) bool { return oneLine(t.Asked, shortAsked) == asked })
	if at >= 0 {
		end = next + at
	}
	for i := range m.Turns[:end+1] {
		m.Turns[i].Heard = true
	}
	return end
}

// A hearing holds what the agent said in pieces of a transcript, by the user's message
// before it, and what was decided there.
type hearing struct {
	turns   []turn // the first may ask nothing: it goes on with what was read before
	decided []string
}

// hear takes what messages tell. What the user says inside of a tool, to a question or of
// a plan, decides.
func (h *hearing) hear(messages []schema.Message) {
	for _, m := range messages {
		answers := m.ToolName != ""
		switch {
		case m.Role == "user" && answers:
			bare := strings.HasPrefix(m.Content, refused) && !strings.Contains(m.Content, ": ")
			if short := inShort(m.Content, longDecided); short != "" && !bare {
				h.decided = again(h.decided, short)
			}
		case m.Role == "user":
			h.turns = append(h.turns, turn{Asked: m.Content})
			h.decides(m)
		case m.Role == "assistant" && !answers && strings.TrimSpace(m.Content) != "":
			if len(h.turns) == 0 {
				h.turns = []turn{{}}
			}
			t := &h.turns[len(h.turns)-1]
			t.Said = last(append(t.Said, m.Content), mostOnTheWay)
			h.decides(m)
		}
	}
}

// decides takes the decision that m states. An order is one if it is the user's.
func (h *hearing) decides(m schema.Message) {
	d, ok := extract.Decision(m.Content, schema.DefaultDecisionPhrases())
	if !ok || d.Imperative && m.Role != "user" {
		return
	}
	if d.Rationale != "" {
		d.Decision += " — because " + d.Rationale
	}
	if short := inShort(d.Decision, longDecided); short != "" {
		h.decided = again(h.decided, short)
	}
}

// inShort is a text on one line, with nothing secret.
func inShort(text string, most int) string {
	return oneLine(masked(text[:min(len(text), mostMasked)]), most)
}

// mostMasked bounds the bytes of a text that are searched for secrets. It is more than a secret
// has, for a part of one is not known for one.
const mostMasked = 64 << 10

// masked returns a text on one line with nothing secret.
func masked(text string) string {
	text, _ = secret.Mask(text)
	text, _ = secret.Mask(strings.Join(strings.Fields(text), " "))
	return text
}

// follow returns the change that the event, and what was taken in with it up to a place,
// make to what is remembered. What the agent writes down may lag behind.
func (r *running) follow(t taking, at progress) func(*memory) {
	said := r.payload.said
	if n := len(t.turns); said != "" && (n == 0 || len(t.turns[n-1].Said) == 0) {
		t.decides(schema.Message{Role: "assistant", Content: said})
	}
	return func(m *memory) {
		if !m.goOn(t.was, at) {
			t.turns = nil
		}
		m.follow(t.hearing, said, r.at == answered)
	}
}

// goOn goes on to a place of the transcript, and reports whether m was where that began:
// else another hook took the same in.
func (m *memory) goOn(was, at progress) bool {
	if !m.same(was) {
		return false
	}
	m.progress = at
	return true
}

// follow takes what was heard into the turns; said is the agent's answer where the event
// says it, and done reports that the agent has answered.
func (m *memory) follow(heard hearing, said string, done bool) {
	m.Decided = again(m.Decided, heard.decided...)
	if len(m.Turns) == 0 {
		return
	}
	var now []string
	for _, t := range heard.turns {
		if i := m.heardIn(t.Asked); i == len(m.Turns)-1 {
			now = last(append(now, t.Said...), mostOnTheWay)
		} else if !m.Turns[i].Open && len(t.Said) > 0 { // else it was broken off
			m.Turns[i].say(t.Said, true)
		}
	}
	if said != "" {
		now = []string{said}
	}
	under := &m.Turns[len(m.Turns)-1]
	under.say(now, done || !under.Open && len(under.Said) == 0)
}

// asks begins a turn with the event's prompt. What is decided in it is heard in the
// transcript, where the agent writes one.
func (r *running) asks(m *memory) {
	m.ask(r.payload.prompt)
	m.Tasks = nil
	m.At, m.Ended = schema.FormatTime(r.call.Edge.Now()), false
	if !r.writes() {
		var heard hearing
		heard.hear([]schema.Message{{Role: "user", Content: r.payload.prompt}})
		m.Decided = again(m.Decided, heard.decided...)
	}
}
