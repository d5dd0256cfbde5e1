package assemble

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// An Input is what there is to put together.
type Input struct {
	Session  string // "" for none
	Hot      schema.HotContext
	Decided  []schema.KeyDecision       // decisions in force that Hot does not show, in order of time
	Held     func(decision string) bool // whether a decision of the hot context is not superseded; nil: all hold
	Summary  string                     // summary.md as it stands
	Recent   []schema.Message           // the window, in order
	Recalled []Recalled                 // the best first; what stands under recent is passed over
	Files    Files
}

// Files says where the parts come from, as they show it.
type Files struct{ Hot, Decided, Summary, Recent string }

// A Recalled is a message of another time, or a fragment.
type Recalled struct {
	ID      string
	From    string // session or file
	Date    string // RFC 3339
	Speaker string // agent; or title
	Text    string
	Noted   bool // it was noted down, and is nobody's words
	At      int  // its place in From, for the order of what stands together
	Score   float64
}

// Options are the budget.
type Options struct {
	MaxTokens int
	Count     func(text string) int
}

// A Context is what a prompt is given.
type Context struct {
	Text    string
	Tokens  int // of Text, exactly
	Session string
	Parts   []Part
}

// A Part is a section of a Context.
type Part struct {
	Name   string `json:"name"` // one of those below
	Tokens int    `json:"tokens"`
	Items  int    `json:"items"` // of the summary, lines
	Left   int    `json:"left"`  // items that had no room
}

// The names of the parts, in their order.
const (
	Constraints = "constraints"
	Decisions   = "decisions"
	Summary     = "summary"
	RecalledOf  = "recalled"
	Hot         = "hot"
	Recent      = "recent"
)

// A TooSmall is a budget that cannot hold what is never cut.
type TooSmall struct {
	Need, Have int    // tokens
	Parts      []Part // what takes them: constraints, decisions, goals, files, actions, questions, notes, entities
}

func (e *TooSmall) Error() string {
	return fmt.Sprintf("the hot context takes %d tokens, %d more than the %d there are", e.Need, e.Need-e.Have, e.Have)
}

// A section is a part and its text, which ends in a line feed; "" is none.
type section struct {
	Part
	text string
}

// Make puts a Context together. The order is that of a prompt cache: constraints
// and decisions, summary, recalled, the rest of the hot context, recent.
//
// What others said is made fit for an agent; see sanitize.Text.
//
// What the parts may take are the gates of the Quaid document: see gatesOf. The
// decisions that the hot context does not show, the newest of them, take at most a
// quarter of the budget.
// Where something was recalled, the recent part of a budget below 8,000 tokens
// takes a part of its share first (at 2,000 a quarter), and then what the
// recalled leaves of it: the less there is, the more of it belongs to the answer.
// What both could have stands under recent.
func Make(in Input, o Options) (Context, error) {
	count := o.Count
	o.Count = func(text string) int { return count(sanitize.Text(text)) }
	h := hotOf(in)
	need := o.Count(h.fixed())
	if need > o.MaxTokens {
		return Context{}, h.tooSmall(need, o)
	}
	need = h.addDecided(&in, need, o)
	// A counter that finds more in the whole than in its parts gets the parts
	// for less.
	for room := o.MaxTokens - need; ; {
		c := with(in, h, room, o)
		over := c.Tokens - o.MaxTokens
		if over <= 0 || room < 0 {
			c.Text = sanitize.Text(c.Text)
			return c, nil
		}
		room -= over
	}
}

// with puts a Context together whose parts beside the hot context take room.
func with(in Input, h hot, room int, o Options) Context {
	g := gatesOf(o.MaxTokens)
	summary := summaryOf(in, g.summaryMost, o.Count)
	if room <= g.summary || summary.Tokens > room { // all of it, or a change elsewhere would move its end
		summary = section{Part: Part{Name: Summary, Left: summary.Items + summary.Left}}
	}
	share := 0
	if room > g.recent {
		share = min(room-g.recalled, g.recentMost)
	}
	room -= summary.Tokens

	first := share
	if early := g.scaled(share); len(in.Recalled) > 0 && room-early > g.recalled {
		first = early
	}
	talk := recentQuote(in, o.Count)
	recalled := recalledQuote(in, o.Count)
	talk.fill(first)
	if room-talk.tokens > g.recalled {
		recalled.fill(room - talk.tokens)
		talk.fill(min(share, room-recalled.tokens))
		recalled.without(talk)
		recalled.fill(room - talk.tokens)
	}

	c := Context{Text: h.title, Session: in.Session, Parts: []Part{}}
	for _, s := range []section{h.constraints, h.decisions, summary, recalled.section(RecalledOf), h.rest, talk.section(Recent)} {
		c.Text += s.text
		if s.Items > 0 || s.Left > 0 {
			s.Tokens = o.Count(s.text)
			c.Parts = append(c.Parts, s.Part)
		}
	}
	c.Tokens = o.Count(c.Text)
	return c
}

// heading begins a part: what it is, the file it comes from, its date, and what
// else is to be said.
func heading(what string, about ...string) string {
	var said []string
	for _, a := range about {
		if a != "" {
			said = append(said, a)
		}
	}
	if len(said) > 0 {
		what += " (" + strings.Join(said, ", ") + ")"
	}
	return "## " + what + "\n"
}

// dateOf is the day of a time, in UTC; "" where it is none.
func dateOf(timestamp string) string {
	at, err := schema.ParseTime(timestamp)
	if err != nil {
		return ""
	}
	return at.UTC().Format("2006-01-02")
}

// inline keeps a text on one line, so that it cannot begin another.
func inline(text string) string { return strings.Join(strings.Fields(text), " ") }

// label is a name on one line, cut where it is no name any more.
func label(text string) string {
	const most = 80
	if r := []rune(inline(text)); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return inline(text)
}
