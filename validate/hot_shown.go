package validate

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A shownList is a list of a hot context as a prompt shows its items:
//
//   - note note-p2gxdp (user 2026-11-21): text
//
// Of two members that are one in two spellings, the first that is there counts.
type shownList struct {
	name        string
	heading     string // of the part that it stands in
	word        string // before the id
	id, text    [2]string
	more        affixed // behind the text
	about       []affixed
	agent, date string
}

// An affixed is a member with the words before it.
type affixed struct{ words, member string }

var shownLists = []shownList{
	{
		name: "active_goals", heading: "Now", word: "goal", id: [2]string{"id", "goal_id"}, text: [2]string{"goal", "description"},
		about: []affixed{{"", "status"}, {"", "priority"}, {"part of ", "parent_goal_id"}}, agent: "agent", date: "created",
	},
	{
		name: "pending_actions", heading: "Now", word: "action", id: [2]string{"id"}, text: [2]string{"action"},
		about: []affixed{{"", "priority"}, {"for ", "assigned_to"}, {"blocked by ", "blocked_by"}, {"due ", "due"}}, agent: "created_by", date: "created",
	},
	{
		name: "key_decisions", heading: "Decisions", id: [2]string{"id", "decision_id"}, text: [2]string{"decision", "description"},
		more: affixed{" — because ", "rationale"}, agent: "agent", date: "timestamp",
	},
	{name: "important_constraints", heading: "Constraints", id: [2]string{"id"}, text: [2]string{"constraint"}, agent: "agent", date: "created"},
	{
		name: "open_questions", heading: "Now", word: "question", id: [2]string{"id"}, text: [2]string{"question"}, more: affixed{" — ", "context"},
		about: []affixed{{"", "priority"}}, agent: "asked_by", date: "asked_at",
	},
	{name: "notes", heading: "Now", word: "note", id: [2]string{"id"}, text: [2]string{"note"}, agent: "agent", date: "created"},
}

// The words around what a prompt shows.
const (
	shownBullet  = len("- ")
	shownBracket = len("(") + len(")")
	shownBetween = len(", ")
	shownColon   = len(": ")
	shownBreak   = len("\n")
	shownDay     = len("2026-11-21")
	shownTitle   = len("# Context of ") + len("\n")
)

// shownHeading is the length of a heading.
func shownHeading(text string) int {
	return len("## ") + len(text) + len(" (hot_context.json, 2026-11-21)\n")
}

// shownItems counts the characters that a prompt is given of a list.
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

// shownFiles counts those of the files that are worked on.
func (d *document) shownFiles() int {
	files := d.tape.Member(0, "current_file_context")
	about := 0
	for _, a := range []affixed{{"last edited ", "last_edited"}, {"in ", "current_function"}} {
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

// shownEntities counts those of what was mentioned.
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

// names is the length of texts between commas.
func (d *document) names(list int) (n int) {
	if d.kindOf(list) != jsonedit.Array {
		return 0
	}
	for e := d.first(list); e >= 0; e = d.next(e) {
		n = with(n, shownBetween, d.inline(e))
	}
	return n
}

// shownLine is the length of a line of a prompt: what it is, what is known about
// it, and its text.
func shownLine(what, about, text int) int {
	if about > 0 {
		about += shownBracket
	}
	if what = with(what, len(" "), about); what > 0 {
		what += shownColon
	}
	return shownBullet + what + text + shownBreak
}

// with is the length of two texts and what stands between them, if both are there.
func with(a, between, b int) int {
	if a > 0 && b > 0 {
		return a + between + b
	}
	return a + b
}

func (a affixed) length(text int) int {
	if text == 0 {
		return 0
	}
	return utf8.RuneCountInString(a.words) + text
}

// either is the member that goes by one of two names, the first if by both.
func (d *document) either(object int, names [2]string) int {
	n := d.tape.Member(object, names[0])
	if n < 0 && names[1] != "" {
		return d.tape.Member(object, names[1])
	}
	return n
}

// label is the length of a name as prompts show it, which is cut when long. A
// list is one name.
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

// inline is how many characters a text has on one line; 0 for what is no text.
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
	_, err := schema.ParseTime(d.str(node))
	return err == nil
}
