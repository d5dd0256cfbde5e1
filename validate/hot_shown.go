package validate

import (
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A shownList is a list of a hot context as a prompt shows its items:
//
//   - note note-p2gxdp (user 2026-11-21): text
//
// Of members in brackets, the first that an item has counts.
type shownList struct {
	name        string
	word        string // before the id
	id, text    [2]string
	more        [2]string // words, and the member behind them
	about       [][2]string
	agent, date string
}

var shownLists = []shownList{
	{
		name: "active_goals", word: "goal", id: [2]string{"id", "goal_id"}, text: [2]string{"goal", "description"},
		about: [][2]string{{"", "status"}, {"", "priority"}, {"part of ", "parent_goal_id"}}, agent: "agent", date: "created",
	},
	{
		name: "pending_actions", word: "action", id: [2]string{"id"}, text: [2]string{"action"},
		about: [][2]string{{"", "priority"}, {"for ", "assigned_to"}, {"blocked by ", "blocked_by"}, {"due ", "due"}}, agent: "created_by", date: "created",
	},
	{
		name: "key_decisions", id: [2]string{"id", "decision_id"}, text: [2]string{"decision", "description"},
		more: [2]string{" — because ", "rationale"}, agent: "agent", date: "timestamp",
	},
	{name: "important_constraints", id: [2]string{"id"}, text: [2]string{"constraint"}, agent: "agent", date: "created"},
	{
		name: "open_questions", word: "question", id: [2]string{"id"}, text: [2]string{"question"}, more: [2]string{" — ", "context"},
		about: [][2]string{{"", "priority"}}, agent: "asked_by", date: "asked_at",
	},
	{name: "notes", word: "note", id: [2]string{"id"}, text: [2]string{"note"}, agent: "agent", date: "created"},
}

// list counts the characters that a prompt is given of a list.
func (d *document) shown(l shownList) (n int) {
	array := d.tape.Member(0, l.name)
	for e := d.first(array); e >= 0; e = d.next(e) {
		if d.text(e) != nil {
			n += shownLine(utf8.RuneCountInString(l.word), d.inline(e))
			continue
		}
		var about sum
		for _, a := range l.about {
			about.add(len(a[0]), d.label(d.tape.Member(e, a[1])))
		}
		about.add(0, d.who(e, l.agent, l.date))
		text := d.inline(d.either(e, l.text))
		if more := d.inline(d.tape.Member(e, l.more[1])); l.more[1] != "" && more > 0 {
			text += utf8.RuneCountInString(l.more[0]) + more
		}
		n += shownLine(joined2(len(l.word), d.label(d.either(e, l.id))), text, about...)
	}
	return n
}
