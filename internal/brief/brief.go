package brief

import "strings"

// DefaultTokens is the default size of a Brief in tokens: one screen.
const DefaultTokens = 1200

// Options hold the budget and the reader of a Brief.
type Options struct {
	MaxTokens int                   // below 1 it is DefaultTokens
	Count     func(text string) int // nil counts characters, four for a token
	Ways      Ways                  // to details without room; Commands by default
	NoTalk    bool                  // the reader knows the conversation
}

// A Project is a project with a CONTEXT.md.
type Project struct {
	Name, Context          string // of the project; of its file, "" if there is none
	Phase, Active, Blocked string
	Constraints            []string
}

// A Brief is the text that an agent gets at its start. Items without room are counted.
type Brief struct {
	Name    string // of the project; "" if it has none
	Session string // the active one; "" for none
	Tokens  int    // of its text, exactly
	Empty   bool   // nothing is recorded

	Faults []string // what could not be read
	Where  string   // layer, clarity and the like; "" if they are not known

	Goals, Constraints, Decisions, Questions, DeadEnds, Next, Notes, Talk, Stale, NotInGit, More Section

	ways Ways
	head []string // the lines above the sections
	left string   // the line below them; "" for none
}

// A Section is one list of a Brief.
type Section struct {
	Title string
	Items []Item
	Total int // the number of items, including those without room
}

// An Item is one line.
type Item struct {
	ID    string   `json:"id"`              // "" for an item without an id, which has a Date
	Date  string   `json:"date"`            // yyyy-mm-dd; "undated"; "" if a date makes no sense
	About []string `json:"about,omitempty"` // a priority, a status, what it waits for
	Text  string   `json:"text"`            // on one line, shortened
}

// Line returns the item as text. It begins with the id, the date or a fixed word, so that no
// text of a record can be taken for a heading or a block.
func (i Item) Line() string {
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

// Text returns the Brief as Markdown; "" if not even its title has room.
func (b *Brief) Text() string {
	var text strings.Builder
	for _, line := range b.head {
		text.WriteString(line)
	}
	for _, s := range b.sections() {
		if len(s.Items) == 0 {
			continue
		}
		text.WriteString(s.heading())
		for _, item := range s.Items {
			text.WriteString(item.Line())
		}
	}
	text.WriteString(b.left)
	return text.String()
}
