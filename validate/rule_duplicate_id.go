package validate

import (
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

var duplicateID = Rule{
	Name:     "duplicate-id",
	Severity: Error,
	Summary:  "Two different things with one id.",
	Help: `Two records of one list, two lines of one JSONL document, two triggers, two
decisions of the Ledger, two files of records of one kind, two items of one list of a
hot context or two fragments of memory have the same id; or a conversation, or a
session's window and its archive, hold different messages of one id. Ids, and names of
files that are ids, that differ only in letter case or Unicode form (NFC, NFD) count as
one: on macOS and Windows they name one file.

It is no finding where a program took an id again, as one that counts ids by the length
of a list does, and says another time: a goal, an action and the like, and a decision that
has a decision_id, get an id of their own when they are recorded, and a message is another
message.

Whoever refers to the id means one of them and gets the other. It comes from ids
that are counted by hand, or from a merge of two branches that counted alike.

Wrong:

    "pending_actions": [ { "id": "ACT-001", … }, { "id": "ACT-001", … } ]

Right:

    "pending_actions": [ { "id": "ACT-001", … }, { "id": "ACT-7F3K2Q", … } ]

To mend it, give the younger one a new id. A view that shows a decision otherwise than
the Ledger is changed-decision. A message that stands twice with the same content is
duplicate-message.
`,
	record: func(d *document) {
		if !d.parsed() {
			return
		}
		if d.form == formJSONL {
			d.uniqueLine()
			return
		}
		switch d.kind {
		case fs.DocState, fs.DocSnapshot:
			for _, list := range []string{"loaded_artifacts", "recent_decisions", "pending_actions", "open_questions"} {
				d.uniqueIn(d.tape.Member(0, list), list, "id", "", list == "pending_actions" || list == "open_questions")
			}
		case fs.DocHotContext:
			for _, l := range hotLists {
				d.uniqueIn(d.tape.Member(0, l.list), l.list, "id", l.other, true)
			}
		case fs.DocCacheIndex:
			d.uniqueIn(d.tape.Member(0, "entries"), "entries", "id", "", false)
		case fs.DocConfig:
			d.uniqueIn(d.tape.Member(0, "refresh_triggers"), "refresh_triggers", "name", "", false)
		}
	},
	across: func(c *census) {
		c.sameRecords()
		c.sameFragments()
		c.sameMessages()
		c.sameNames()
	},
}

// uniqueIn reports elements of an array whose id an earlier one has. An element
// without the member name may have it as other. again says that one which takes an id again gets
// an id of its own; see [schema.OwnID].
func (d *document) uniqueIn(array int, list, name, other string, again bool) {
	idOf := func(element int) int {
		id := d.tape.Member(element, name)
		if id < 0 && other != "" {
			id = d.tape.Member(element, other)
		}
		return id
	}
	var seen map[string]int // by foldID, elements
	for e := d.first(array); e >= 0; e = d.next(e) {
		id := idOf(e)
		text := d.text(id)
		if len(text) == 0 {
			continue
		}
		// Most lists are short: looking back beats a table that has to be
		// allocated for every document.
		earlier := -1
		if e-array < 400 {
			for b := d.first(array); b < e && earlier < 0; b = d.next(b) {
				if before := idOf(b); before >= 0 && sameID(d.text(before), text) {
					earlier = b
				}
			}
		} else {
			if seen == nil {
				seen = map[string]int{}
				for b := d.first(array); b < e; b = d.next(b) {
					d.noteID(seen, idOf(b), b)
				}
			}
			earlier = d.noteID(seen, id, e)
		}
		switch {
		case earlier < 0:
		case d.str(idOf(earlier)) != d.str(id):
			d.at(id, differ(d.str(id), d.str(idOf(earlier))), giveOwn)
		case !again || list == "key_decisions" && d.tape.Key(id) != other || !schema.CanBeTaken(d.str(id)) || !d.otherTimes(earlier, e):
			d.at(id, fmt.Sprintf("%s %s stands twice in %s", name, plain(d.str(id)), list), giveOwn)
		}
	}
}

// noteID notes the first element that has an id. It returns the one that was noted before; -1 for none.
func (d *document) noteID(seen map[string]int, id, element int) int {
	text := d.text(id)
	if text == nil {
		return -1
	}
	key := foldID(string(text))
	if earlier, ok := seen[key]; ok {
		return earlier
	}
	seen[key] = element
	return -1
}

// otherTimes reports whether two elements say that they were made at different times.
func (d *document) otherTimes(a, b int) bool {
	made := func(element int) string {
		for _, name := range []string{"created", "asked_at", "timestamp"} {
			if at := d.str(d.tape.Member(element, name)); at != "" {
				return at
			}
		}
		return ""
	}
	return schema.OtherTimes(made(a), made(b))
}

// idSeed makes the hashes of one process unforeseeable: nobody can write two ids
// that share one.
var idSeed = maphash.MakeSeed()

// uniqueLine reports a line of JSONL whose id an earlier line has.
func (d *document) uniqueLine() {
	if r := d.entry(); r.first > 0 && !r.same {
		d.at(r.id, fmt.Sprintf("the id %s stands in line %d already", plain(d.str(r.id)), r.first), "give the younger record an id of its own")
	}
}

// hotLists are the lists of a hot context whose items have ids, and how else these are
// called there.
var hotLists = []struct{ list, other string }{
	{"active_goals", "goal_id"}, {"pending_actions", ""}, {"key_decisions", "decision_id"},
	{"important_constraints", ""}, {"open_questions", ""}, {"notes", ""},
}

const giveOwn = "give the younger one an id of its own"

// sameFragments reports an id that two fragments have.
func (c *census) sameFragments() {
	first := map[string]reference{}
	for _, f := range c.fragments {
		key := foldID(f.id)
		switch earlier, double := first[key]; {
		case !double:
			first[key] = f
		case earlier.id != f.id:
			c.at(f.spot, differ(f.id, earlier.id)+"; the other is in "+plainFile(earlier.name), giveOwn)
		default:
			c.at(f.spot, fmt.Sprintf("the fragment %s stands in %s already", plain(f.id), plainFile(earlier.name)), giveOwn)
		}
	}
}

// sameMessages reports messages of a window whose ids the session's archive has
// for others.
func (c *census) sameMessages() {
	c.twice(func(t *talk, s said, same bool) {
		if !same {
			c.at(t.spot(s), "the session's archive has another message of this id", giveOwn)
		}
	})
}

// sameRecords reports an id that records of one kind have in both homes. Two of one
// home are for sameNames.
func (c *census) sameRecords() {
	first := map[string]string{}
	for _, name := range c.names {
		file, ok := c.recordFile(name)
		if !ok || file.Change != "" {
			continue
		}
		_, inside, _ := strings.Cut(name, "/")
		key := foldID(inside)
		other, double := first[key]
		if !double {
			first[key] = name
			continue
		}
		of, _ := c.recordFile(other)
		switch {
		case of.Folder.Dir == file.Folder.Dir:
		case of.Record != file.Record:
			c.at(spot{name: name}, differ(file.Record, of.Record)+"; the other is in "+plainFile(other), giveOwn)
		default:
			c.at(spot{name: name}, "the "+titleOf(file)+" stands in "+plainFile(other)+" already",
				"keep one of the two, with the changes of both beside it; if they are different things, give the younger one an id of its own")
		}
	}
}
