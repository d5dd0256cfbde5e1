package validate

import (
	"fmt"
	"hash/maphash"

	"github.com/forgemind/forgemind/fs"
)

var duplicateID = Rule{
	Name:     "duplicate-id",
	Severity: Error,
	Summary:  "Two different things with one id.",
	Help: `Two records of one list, two lines of one JSONL document, two triggers, or two
decisions of the Ledger have the same id; or a view (recent_decisions,
key_decisions) shows another decision under an id than the Ledger holds.

Whoever refers to the id means one of them and gets the other. It comes from ids
that are counted by hand, or from a merge of two branches that counted alike.

Wrong:

    "pending_actions": [ { "id": "ACT-001", … }, { "id": "ACT-001", … } ]

Right:

    "pending_actions": [ { "id": "ACT-001", … }, { "id": "ACT-7F3K2Q", … } ]

To mend it, give the younger one a new id. A view that differs from the Ledger is
corrected from the Ledger, which is never changed; a decision that was really
changed is a new one that supersedes the old.
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
				d.uniqueIn(d.tape.Member(0, list), list, "id", "")
			}
		case fs.DocHotContext:
			d.uniqueIn(d.tape.Member(0, "active_goals"), "active_goals", "goal_id", "id")
			d.uniqueIn(d.tape.Member(0, "key_decisions"), "key_decisions", "id", "")
			d.uniqueIn(d.tape.Member(0, "pending_actions"), "pending_actions", "id", "")
		case fs.DocCacheIndex:
			d.uniqueIn(d.tape.Member(0, "entries"), "entries", "id", "")
		case fs.DocConfig:
			d.uniqueIn(d.tape.Member(0, "refresh_triggers"), "refresh_triggers", "name", "")
		}
	},
	across: func(c *census) { c.sameDecisions() },
}

// uniqueIn reports elements of an array whose id an earlier one has. An element
// without the member name may have it as other.
func (d *document) uniqueIn(array int, list, name, other string) {
	var seen map[string]bool
	for e := d.first(array); e >= 0; e = d.next(e) {
		id := d.tape.Member(e, name)
		if id < 0 && other != "" {
			id = d.tape.Member(e, other)
		}
		text := d.text(id)
		if text == nil {
			continue
		}
		// Most lists are short: looking back beats a table that has to be
		// allocated for every document.
		double := false
		if e-array < 400 {
			for b := d.first(array); b < e && !double; b = d.next(b) {
				before := d.tape.Member(b, name)
				if before < 0 && other != "" {
					before = d.tape.Member(b, other)
				}
				double = before >= 0 && string(d.text(before)) == string(text)
			}
		} else {
			if seen == nil {
				seen = d.idsBefore(array, e, name, other)
			}
			double = seen[string(text)]
			seen[string(text)] = true
		}
		if double {
			d.at(id, fmt.Sprintf("%s %s stands twice in %s", name, plain(d.str(id)), list), "give the younger one an id of its own")
		}
	}
}

// idsBefore collects the ids of the elements before end.
func (d *document) idsBefore(array, end int, name, other string) map[string]bool {
	seen := map[string]bool{}
	for e := d.first(array); e < end; e = d.next(e) {
		id := d.tape.Member(e, name)
		if id < 0 && other != "" {
			id = d.tape.Member(e, other)
		}
		if text := d.text(id); text != nil {
			seen[string(text)] = true
		}
	}
	return seen
}

// idSeed makes the hashes of one process unforeseeable: nobody can write two ids
// that share one.
var idSeed = maphash.MakeSeed()

// uniqueLine reports a line of JSONL whose id an earlier line has.
func (d *document) uniqueLine() {
	id := -1
	for _, name := range lineIDs[d.kind] {
		if id = d.tape.Member(0, name); id >= 0 {
			break
		}
	}
	text := d.text(id)
	if len(text) == 0 {
		return
	}
	hash := maphash.Bytes(idSeed, text)
	if first, ok := d.ids[hash]; ok {
		d.at(id, fmt.Sprintf("the id %s stands in line %d already", plain(d.str(id)), first), "give the younger record an id of its own")
		return
	}
	if d.ids == nil {
		d.ids = map[uint64]int{}
	}
	d.ids[hash] = d.line
}

// sameDecisions reports an id that two files of the Ledger hold, and a view that
// shows other words under an id than the Ledger.
func (c *census) sameDecisions() {
	first := map[string]decision{}
	for _, d := range c.ledger {
		if d.id == "" {
			continue
		}
		if f, ok := first[d.id]; ok {
			c.at(d.spot, fmt.Sprintf("the decision %s stands in %s already", plain(d.id), f.name), "give the younger one an id of its own")
			continue
		}
		first[d.id] = d
	}
	for _, d := range c.views {
		if l, ok := first[d.id]; ok && d.text != l.text && d.id != "" {
			c.at(d.spot, fmt.Sprintf("the decision %s has other words here than in %s", plain(d.id), l.name),
				"the Ledger holds: correct the words here, or record a new decision that supersedes it")
		}
	}
}

// lineIDs are the members that hold the id of a line, the one that counts first.
var lineIDs = map[fs.Doc][]string{
	fs.DocMessage:       {"msg_id", "id"},
	fs.DocClarification: {"id"},
	fs.DocChunk:         {"chunk_id", "id"},
	fs.DocSessionIndex:  {"session_id"},
}
