package validate

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A shownList is a list of a hot context in the form in which a prompt shows its items:
//
//   - note note-p2gxdp (user 2026-11-21): text
//
// If a member has two spellings, the first one found counts.
type shownList struct {
	name        string
	heading     string // the heading of its section
	word        string // before the id
	id, text    [2]string
	more        labeledMember // after the text
	about       []labeledMember
	agent, date string
}

// A labeledMember is a member with the words before it.
type labeledMember struct{ words, member string }

var shownLists = []shownList{
	{
		name: "active_goals", heading: "Now", word: "goal", id: [2]string{"id", "goal_id"}, text: [2]string{"goal", "description"},
		about: []labeledMember{{"", "status"}, {"", "priority"}, {"part of ", "parent_goal_id"}}, agent: "agent", date: "created",
	},
	{
		name: "pending_actions", heading: "Now", word: "action", id: [2]string{"id"}, text: [2]string{"action"},
		about: []labeledMember{{"", "priority"}, {"for ", "assigned_to"}, {"blocked by ", "blocked_by"}, {"due ", "due"}}, agent: "created_by", date: "created",
	},
	{
		name: "key_decisions", heading: "Decisions", id: [2]string{"id", "decision_id"}, text: [2]string{"decision", "description"},
		more: labeledMember{" — because ", "rationale"}, agent: "agent", date: "timestamp",
	},
	{name: "important_constraints", heading: "Constraints", id: [2]string{"id"}, text: [2]string{"constraint"}, agent: "agent", date: "created"},
	{
		name: "open_questions", heading: "Now", word: "question", id: [2]string{"id"}, text: [2]string{"question"}, more: labeledMember{" — ", "context"},
		about: []labeledMember{{"", "priority"}}, agent: "asked_by", date: "asked_at",
	},
	{name: "notes", heading: "Now", word: "note", id: [2]string{"id"}, text: [2]string{"note"}, agent: "agent", date: "created"},
}

// The fixed texts in a prompt.
const (
	shownBullet  = len("- ")
	shownBracket = len("(") + len(")")
	shownBetween = len(", ")
	shownColon   = len(": ")
	shownBreak   = len("\n")
	shownDay     = len("2026-11-21")
	shownTitle   = len("# Context of ") + len("\n")
)

// shownHeading returns the length of a heading.
func shownHeading(text string) int {
	return len("## ") + len(text) + len(" (hot_context.json, 2026-11-21)\n")
}

// shownItems counts the characters of a list in a prompt.
func (d *document) shownItems(l *shownList) (n int) {
	array := d.tape.Member(0, l.name)
	for e := d.first(array); e >= 0; e = d.next(e) {
		if d.text(e) != nil {
			n += shownLine(len(l.word), 0, d.inline(e))
			continue
		}
		about := 0
		for _, a := range l.about {
			about = with(about, shownBetween, a.length(d.label(d.tape.Member(e, a.member))))
		}
		date := 0
		if d.isTime(d.tape.Member(e, l.date)) {
			date = shownDay
		}
		about = with(about, shownBetween, with(d.label(d.tape.Member(e, l.agent)), len(" "), date))
		text := d.inline(d.either(e, l.text))
		if l.more.member != "" {
			text += l.more.length(d.inline(d.tape.Member(e, l.more.member)))
		}
		n += shownLine(with(len(l.word), len(" "), d.label(d.either(e, l.id))), about, text)
	}
	return n
}

// shownFiles counts the characters of the file contexts in a prompt.
func (d *document) shownFiles() int {
	files := d.tape.Member(0, "current_file_context")
	about := 0
	for _, a := range []labeledMember{{"last edited ", "last_edited"}, {"in ", "current_function"}} {
		about = with(about, shownBetween, a.length(d.label(d.tape.Member(files, a.member))))
	}
	names := d.names(d.tape.Member(files, "files"))
	if about == 0 && names == 0 {
		return 0
	}
	date := 0
	if d.isTime(d.tape.Member(files, "updated")) {
		date = shownDay
	}
	about = with(about, shownBetween, with(d.label(d.tape.Member(files, "agent")), len(" "), date))
	return shownLine(len("files"), about, names)
}

// shownEntities counts the characters of the mentioned entities in a prompt.
func (d *document) shownEntities() (n int) {
	kinds := d.tape.Member(0, "key_entities")
	if d.kindOf(kinds) != jsonedit.Object {
		return 0
	}
	for k := d.first(kinds); k >= 0; k = d.next(k) {
		if names := d.names(k); names > 0 {
			n += shownLine(utf8.RuneCountInString(d.tape.Key(k)), 0, names)
		}
	}
	return n
}

// names returns the length of texts separated by commas.
func (d *document) names(list int) (n int) {
	if d.kindOf(list) != jsonedit.Array {
		return 0
	}
	for e := d.first(list); e >= 0; e = d.next(e) {
		n = with(n, shownBetween, d.inline(e))
	}
	return n
}

// shownLine returns the length of a line of a prompt with its kind, its details and its
// text.
func shownLine(what, about, text int) int {
	if about > 0 {
		about += shownBracket
	}
	if what = with(what, len(" "), about); what > 0 {
		what += shownColon
	}
	return shownBullet + what + text + shownBreak
}

// with returns the length of two texts and the separator between them, if both exist.
func with(a, between, b int) int {
	if a > 0 && b > 0 {
		return a + between + b
	}
	return a + b
}

func (a labeledMember) length(text int) int {
	if text == 0 {
		return 0
	}
	return utf8.RuneCountInString(a.words) + text
}

// either returns the member with one of two names, the first name if both exist.
func (d *document) either(object int, names [2]string) int {
	n := d.tape.Member(object, names[0])
	if n < 0 && names[1] != "" {
		return d.tape.Member(object, names[1])
	}
	return n
}

// label returns the length of a name in a prompt, where long names are cut. A list
// counts as one name.
func (d *document) label(node int) (n int) {
	const most = 80
	if d.kindOf(node) == jsonedit.Array {
		for e := d.first(node); e >= 0; e = d.next(e) {
			n = with(n, len(" "), d.inline(e))
		}
	} else {
		n = d.inline(node)
	}
	return min(n, most)
}

// inline returns the number of characters of a text on one line, 0 if the node is not a
// text.
func (d *document) inline(node int) (n int) {
	text := d.text(node)
	if bytes.IndexByte(text, '\\') >= 0 {
		text = []byte(d.str(node))
	}
	space := false
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		text = text[size:]
		if unicode.IsSpace(r) {
			space = n > 0
			continue
		}
		if space {
			n, space = n+1, false
		}
		n++
	}
	return n
}

func (d *document) isTime(node int) bool {
	text := d.text(node)
	if len(text) == 0 {
		return false
	}
	if plainTime(text) {
		return true
	}
	_, err := schema.ParseTime(d.str(node))
	return err == nil
}
