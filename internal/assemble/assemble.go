package assemble

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// An Input holds the parts of a context.
type Input struct {
	Session  string // "" for none
	Hot      schema.HotContext
	Decided  []schema.KeyDecision           // decisions in force that Hot does not show, in order of time
	Held     func(decision string) bool     // reports whether a decision of the hot context is in force; nil: all are
	Rejected func(decision string) []string // returns the alternatives that a decision rejected; nil: none is known
	Summary  string                         // the text of summary.md
	Recent   []schema.Message               // the window, in order
	RecentOf string                         // the session of Recent; "" for Session
	Recalled []Recalled                     // the best first; those in the recent part are skipped
	Loaded   []schema.Artifact              // the artifacts in the window
	DeadEnds List
	Governs  List // rules for the files that the prompt names
	Stale    List
	NotInGit List
	Files    Files
}

// A List is a list of lines, of which as many are shown as have room.
type List struct {
	Title string
	Lines []string // each ends in a line feed
	Total int      // the number of lines in all, if Lines has only the first
}

// Files holds the names of the files that the parts come from.
type Files struct{ Hot, Decided, Summary, Recent string }

// A Recalled is an earlier message, or a fragment.
type Recalled struct {
	ID      string
	From    string // session or file
	Date    string // RFC 3339
	Speaker string // agent; or title
	Text    string
	Noted   bool // a note, and not a message
	At      int  // its index in From, for the order of neighbors
	Score   float64
}

// Options hold the budget.
type Options struct {
	MaxTokens int
	Count     func(text string) int
}

// A Context is the text for a prompt, with its parts.
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
	DeadEnds    = "dead_ends"
	Summary     = "summary"
	Governs     = "governs"
	RecalledOf  = "recalled"
	Hot         = "hot"
	Stale       = "stale"
	NotInGit    = "not_in_git"
	Recent      = "recent"
)

// A TooSmallError reports a budget that cannot hold the parts that are never cut.
type TooSmallError struct {
	Need, Have int    // tokens
	Parts      []Part // constraints, decisions, goals, files, actions, questions, notes, entities, with their tokens
}

func (e *TooSmallError) Error() string {
	return fmt.Sprintf("the hot context takes %d tokens, %d more than the %d there are", e.Need, e.Need-e.Have, e.Have)
}

// A section is a part and its text, which ends in a line feed; "" for none.
type section struct {
	Part
	text string
}

// Make assembles a Context. The order suits a prompt cache: constraints, decisions and dead
// ends, summary, rules for the files of the prompt, recalled texts, the rest of the hot
// context, what is stale or not in git, recent messages.
//
// Texts of others are sanitized; see sanitize.Text.
//
// The limits of the parts are the gates of the Quaid document; see gatesOf. The decisions
// that the hot context does not show, the newest of them, take at most a quarter of the
// budget. Dead ends and rules for files take at most a sixteenth each, what is stale or not
// in git a 32nd. With recalled texts, the recent part of a budget below 8,000 tokens takes a
// part of its share first (at 2,000 a quarter, but never less than 256 tokens), and then what
// the recalled part leaves of it: the smaller the budget, the more of it belongs to the
// answer. A message that fits into both is in the recent part.
//
// What the parts leave of the budget goes to the recent part, then to the rest of the
// summary, which follows the hot context so that the text before it stays the same, then to
// the recalled part: nothing is left out while there is room for it.
func Make(in Input, o Options) (Context, error) {
	count := o.Count
	o.Count = func(text string) int { return count(sanitize.Text(text)) }
	h := hotOf(in)
	need := o.Count(h.fixed())
	if need > o.MaxTokens {
		return Context{}, h.tooSmall(need, o)
	}
	need = h.addDecided(&in, need, o)
	need = h.addLists(in, need, o)
	// If a counter counts more for the whole than for its parts, the parts get less room.
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

// leastRecent is the number of tokens that the recent part gets of its share before anything
// is recalled.
const leastRecent = 256

// with assembles a Context whose parts, except the hot context, take room.
func with(in Input, h hot, room int, o Options) Context {
	g := gatesOf(o.MaxTokens)
	summary := summaryOf(in, g.summaryMost, o.Count)
	if room <= g.summary || summary.Tokens > room { // all of it, or none: its end would move with changes elsewhere
		summary = section{Part: Part{Name: Summary, Left: summary.Items + summary.Left}}
	}
	share := 0
	if room > g.recent {
		share = min(room-g.recalled, g.recentMost)
	}
	room -= summary.Tokens

	first := share
	if early := max(g.scaled(share), min(share, leastRecent)); len(in.Recalled) > 0 && room-early > g.recalled {
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
	talk.fill(room - recalled.tokens)
	more := summaryFrom(in, summary.Items, room-talk.tokens-recalled.tokens, o.Count)
	room -= more.Tokens
	recalled.without(talk)
	recalled.fill(room - talk.tokens)

	c := Context{Text: h.title, Session: in.Session, Parts: []Part{}}
	for _, s := range []section{
		h.constraints, h.decisions, h.deadEnds, summary, h.governs, recalled.section(RecalledOf), h.rest, more, h.stale, h.notInGit, talk.section(Recent),
	} {
		c.Text += s.text
		if s.Items == 0 && s.Left == 0 {
			continue
		}
		s.Tokens = o.Count(s.text)
		if at := slices.IndexFunc(c.Parts, func(p Part) bool { return p.Name == s.Name }); at >= 0 { // the summary is continued
			c.Parts[at] = Part{s.Name, c.Parts[at].Tokens + s.Tokens, c.Parts[at].Items + s.Items, s.Left}
			continue
		}
		c.Parts = append(c.Parts, s.Part)
	}
	c.Tokens = o.Count(c.Text)
	return c
}

// heading returns the heading of a part: its name, its file, its date and other details.
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

// dateOf returns the day of a time, in UTC; "" if the text is no time.
func dateOf(timestamp string) string {
	at, err := schema.ParseTime(timestamp)
	if err != nil {
		return ""
	}
	return at.UTC().Format("2006-01-02")
}

// inline returns a text on one line, so that it cannot begin another.
func inline(text string) string { return strings.Join(strings.Fields(text), " ") }

// label returns a name on one line, shortened.
func label(text string) string {
	const most = 80
	if r := []rune(inline(text)); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return inline(text)
}
