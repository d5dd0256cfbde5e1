package brief

import (
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// DefaultTokens is how much a Brief takes where nobody says: one screen.
const DefaultTokens = 1200

// Options are the budget, and what the room cannot find out by itself.
type Options struct {
	MaxTokens int                   // below 1 it is DefaultTokens
	Count     func(text string) int // nil counts characters, four for a token
	Stale     []string              // what went stale among what is shown, as "FILE:LINE: what", the heaviest first
	Projects  []Project             // whose CONTEXT.md is pointed at
	Handoffs  []schema.Handoff      // that nobody took up yet
	Ways      Ways                  // to what there is no room for; Commands by default
	// FilesApart puts the files in work into Files and not into Next; they take nothing of
	// MaxTokens then.
	FilesApart bool
}

// A Project is a project with a living CONTEXT.md.
type Project struct {
	Name, Context          string // of the project; of its file, "" where there is none
	Phase, Active, Blocked string
	Constraints            []string
}

// A Brief is what an agent is told at its start. What it has no room for is
// counted.
type Brief struct {
	Name    string // of the project; "" where nobody says
	Session string // the active one; "" for none
	Tokens  int    // of its text, exactly
	Empty   bool   // there is nothing to tell

	Faults []string // what could not be read
	Where  string   // layer, clarity and the like; "" where nobody says

	Goals, Constraints, Decisions, Questions, DeadEnds, Next, Notes, Stale, More Section
	// Files is not in Text. See Options.FilesApart.
	Files Section

	ways Ways
	head []string // the lines above the sections
	left string   // the line below them; "" for none
}

// A Section is one list of a Brief.
type Section struct {
	Title string
	Items []Item
	Total int // how many there are
}

// An Item is one line.
type Item struct {
	ID    string   `json:"id"`              // "" for what has none, which has a Date
	Date  string   `json:"date"`            // yyyy-mm-dd; "undated"; "" where a date makes no sense
	About []string `json:"about,omitempty"` // a priority, a status, what it waits for
	Text  string   `json:"text"`            // on one line, cut where it is long
}

// line is the item as text. Its id, its date or a word of ours begins it, so that
// no text of a record can be taken for a heading or a block.
func (i Item) line() string {
	about := i.About
	if i.Date != "" {
		about = append([]string{i.Date}, about...)
	}
	said := strings.Join(about, ", ")
	switch {
	case i.ID == "":
		return "- " + said + ": " + i.Text + "\n"
	case said == "":
		return "- " + i.ID + ": " + i.Text + "\n"
	}
	return "- " + i.ID + " (" + said + "): " + i.Text + "\n"
}

// Text is the Brief as markdown; "" where not even its title has room.
func (b *Brief) Text() string {
	var text strings.Builder
	for _, line := range b.head {
		text.WriteString(line)
	}
	for _, s := range b.sections() {
		text.WriteString(s.Text())
	}
	text.WriteString(b.left)
	return text.String()
}

// Text returns the section as it stands in the brief; "" for an empty one.
func (s *Section) Text() string {
	if len(s.Items) == 0 {
		return ""
	}
	var text strings.Builder
	text.WriteString(s.heading())
	for _, item := range s.Items {
		text.WriteString(item.line())
	}
	return text.String()
}
