package brief

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// A Talk is the live conversation or, if it has no messages, the last one.
type Talk struct {
	Session     string           // "" for none
	Summary     string           // markdown
	SummaryFile string           // its name, for people
	Recent      []schema.Message // the last messages, in order
	RecentFile  string           // the name of their file, for people
}

// open returns the index in Recent of the last request without an answer; -1 for none.
func (t *Talk) open() int {
	for i, m := range slices.Backward(t.Recent) {
		switch m.Role {
		case "user":
			return i
		case "assistant":
			return -1
		}
	}
	return -1
}

// gist returns the text of a summary without its headings.
func (t *Talk) gist() string {
	var said []string
	for line := range strings.Lines(t.Summary) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			said = append(said, line)
		}
	}
	return strings.Join(said, " ")
}

// talk returns the open request, the summary, and the last messages, the newest first. It
// leaves out the output of tools, and very short messages.
func (rec *Records) talk(c cuts) (all []Item) {
	t := &rec.Talk
	open := t.open()
	if open >= 0 {
		all = append(all, rec.said(t.Recent[open], 2*c.text, "not answered yet"))
	}
	if gist := plain(rec.Standing.Mark(t.gist()), 2*c.text); gist != "" {
		all = append(all, Item{ID: "summary", Text: gist})
	}
	for i, m := range slices.Backward(t.Recent) {
		if item := rec.said(m, c.text, ""); i != open && m.Role != "tool" && m.ToolName == "" && Columns(item.Text) >= leastSaid {
			all = append(all, item)
		}
	}
	return all
}

// leastSaid is the number of columns of the shortest message that is more than "go on" or
// "thanks".
const leastSaid = 20

// said returns the item of a message, shortened.
func (rec *Records) said(m schema.Message, most int, about string) Item {
	return Item{
		ID: mark(m.ID), Date: day(m.Timestamp), About: labels(cmp.Or(m.Agent, m.Role, "unknown"), about),
		Text: plain(rec.Standing.Mark(m.Content), most),
	}
}
