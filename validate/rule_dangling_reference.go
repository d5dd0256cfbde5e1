package validate

import (
	"bytes"
	"hash/maphash"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

var danglingReference = Rule{
	Name:     "dangling-reference",
	Severity: Warning,
	Summary:  "An id or a name that leads nowhere.",
	Help: `A record names something that does not exist:

- supersedes: a decision that neither the Ledger nor a view holds
- blocking, and blocked_by where it has the form of an id: an action, a question
  or a decision (free text is fine)
- parent_goal_id: a goal of the same session, or one that is complete in any session
- the same members of a question, an action or a goal that has a file of its own, as
  its changes left them while it is in force: a record of that id or an item of a view.
  Views that show the record are not judged for it a second time
- after of a change: another change of the same record
- a pin's or a thread's condensation: a file under condensations/
- continues of a session, session of a fragment: a session
- fragment of a session: a file under memory/fragments/
- cluster.members of a message that sums up others: messages of the session
- validation.severity in config.json: a rule

Wrong:

    "blocking": ["ACT-009"]        with no action ACT-009

Right:

    "blocking": ["ACT-001"]

To mend it, correct the id, or remove the reference if what it named is done with. A
condensation whose file got another name is told by what it says of itself, its thread or
its date and topic: ` + "`forgemind validate --fix`" + ` then writes the new name.
`,
	record: func(d *document) {
		if !d.parsed() {
			return
		}
		switch d.kind {
		case fs.DocState, fs.DocSnapshot:
			d.blockers()
			d.superseded(d.tape.Member(0, "recent_decisions"))
		case fs.DocHotContext:
			d.parents()
			d.superseded(d.tape.Member(0, "key_decisions"))
		case fs.DocConfig:
			table := d.member(0, "validation", "severity")
			for c := d.first(table); c >= 0; c = d.next(c) {
				if name := d.tape.Key(c); name != "" && !d.known(name) {
					d.at(c, "no rule is called "+plain(name), "forgemind explain lists the rules")
				}
			}
		case fs.DocPins:
			for _, list := range []int{0, d.tape.Member(0, "pins")} {
				if d.kindOf(list) != jsonedit.Array {
					continue
				}
				for p := d.first(list); p >= 0; p = d.next(p) {
					d.condensed(d.tape.Member(p, "condensation"))
				}
			}
		case fs.DocThread:
			d.condensed(d.tape.Member(0, "condensation"))
		case fs.DocSessionMeta:
			for member, what := range map[string]string{"continues": "session", "fragment": "fragment"} {
				if n := d.tape.Member(0, member); d.facts != nil && d.text(n) != nil {
					d.refer(n, d.str(n), what)
				}
			}
		case fs.DocDecision:
			d.supersedes(0)
		}
	},
	whole: func(d *document) {
		if f, ok := d.fragment(); ok && d.facts != nil {
			if id, ok := f.text("session"); ok {
				d.facts.refs = append(d.facts.refs, reference{spot: spot{name: d.name, offset: f.at("session")}, id: id, what: "session"})
			}
		}
	},
	across: func(c *census) {
		c.resolve()
		c.unseen()
		c.gathered()
	},
}

// The kinds of ids that a reference may have, by their prefix.
var idPrefixes = []string{"ACT-", "Q-", "DEC-", "goal-"}

// idShaped says whether a text is an id and not words.
func idShaped(s []byte) bool {
	for _, c := range s {
		if !idByte(c) {
			return false
		}
	}
	for _, p := range idPrefixes {
		if len(s) > len(p) && string(s[:len(p)]) == p {
			return true
		}
	}
	return false
}

// blockers checks blocked_by of the actions and blocking of the questions.
func (d *document) blockers() {
	actions, questions := d.tape.Member(0, "pending_actions"), d.tape.Member(0, "open_questions")
	for a := d.first(actions); a >= 0; a = d.next(a) {
		d.blocker(a, d.tape.Member(a, "blocked_by"), true)
	}
	for q := d.first(questions); q >= 0; q = d.next(q) {
		d.blocker(q, d.tape.Member(q, "blocking"), false)
		d.blocker(q, d.tape.Member(q, "blocked_by"), true)
	}
}

// blocker checks one value of an item: a text or a list of texts. Words are allowed
// where free is set.
func (d *document) blocker(item, node int, free bool) {
	if node < 0 {
		return
	}
	if d.text(node) == nil {
		for c := d.first(node); c >= 0; c = d.next(c) {
			if d.text(c) != nil {
				d.blocker(item, c, free)
			}
		}
		return
	}
	// Words come first, for they are the rule: an id is looked for only where
	// there may be one.
	if id := d.text(node); isBlockerID(id, free) && !d.hasRecord(id) {
		d.referFrom(item, node, "action, question or decision")
	}
}

// isBlockerID reports whether a value of blocking or blocked_by is an id. Words are
// allowed where free is set.
func isBlockerID(text []byte, free bool) bool {
	return idShaped(text) || !free && bytes.IndexByte(text, ' ') < 0
}

// referFrom notes what an item of a view names.
func (d *document) referFrom(item, node int, what string) {
	d.refer(node, d.str(node), what)
	if d.facts != nil && d.str(node) != "" {
		d.facts.refs[len(d.facts.refs)-1].item = itemID(&d.tape, item)
	}
}

// hasRecord says whether an action, a question or a decision of a State has an
// id.
func (d *document) hasRecord(id []byte) bool {
	if len(d.records) == 0 {
		if d.records == nil {
			d.records = map[uint64]bool{}
		}
		for _, list := range [...]string{"pending_actions", "open_questions", "recent_decisions"} {
			array := d.tape.Member(0, list)
			for e := d.first(array); e >= 0; e = d.next(e) {
				d.records[maphash.Bytes(idSeed, d.text(d.tape.Member(e, "id")))] = true
			}
		}
	}
	return d.records[maphash.Bytes(idSeed, id)]
}

// condensed hands the name of a condensation to the whole tree.
func (d *document) condensed(node int) {
	if d.facts != nil && d.text(node) != nil {
		d.refer(node, d.str(node), "condensation")
	}
}

// superseded hands what the decisions of a view supersede to the whole tree.
func (d *document) superseded(decisions int) {
	for e := d.first(decisions); e >= 0; e = d.next(e) {
		d.supersedes(e)
	}
}

func (d *document) supersedes(decision int) {
	node := d.tape.Member(decision, "supersedes")
	if d.text(node) != nil {
		d.refer(node, d.str(node), "decision")
		return
	}
	for c := d.first(node); c >= 0; c = d.next(c) {
		if d.text(c) != nil {
			d.refer(c, d.str(c), "decision")
		}
	}
}

// refer notes a reference that the document itself can't resolve. A lone
// document is wrong only about things that nothing but itself could hold.
func (d *document) refer(node int, id, what string) {
	switch {
	case id == "":
	case d.facts != nil:
		d.facts.refs = append(d.facts.refs, reference{spot: d.spot(node), id: id, what: what})
	case what != "decision" && !strings.HasPrefix(id, "DEC-"):
		d.at(node, danglingMessage(id, what), danglingHint)
	}
}

const danglingHint = "correct the id, or remove the reference if what it named is done with"

func danglingMessage(id, what string) string {
	return "there is no " + what + " " + plain(id)
}

// resolve reports references that nothing in the whole tree answers.
func (c *census) resolve() {
	decisions := map[string]bool{}
	for _, d := range c.ledger {
		decisions[d.id] = true
	}
	for _, d := range c.views {
		decisions[d.id] = true
	}
	completed := map[string]bool{}
	for _, name := range c.completed {
		completed[name] = true
	}
	n := c.recordNames()
	told := c.relate(decisions, completed)
	var names *renaming
	for _, r := range c.refs {
		if told[r.item+"\x00"+r.id] {
			continue // the record says so
		}
		var found bool
		hint := danglingHint
		switch r.what {
		case "session":
			found = c.folders[r.id] || c.sessionsAreLocal()
		case "condensation":
			if found = c.condensation(r.id); found {
				break
			}
			if names == nil {
				names = newRenaming(c.reader)
			}
			if now := names.now(r.id); now != "" {
				hint = "it is called " + plain(now) + " now, by what it says of itself: validate --fix writes that name here"
			}
		case "goal":
			found = completed[r.id] || n.ids[records.Goal.Name][r.id]
		case "fragment":
			found = c.files[r.id] || c.files[path.Base(r.id)] || c.fragmentID(r.id)
		case "decision":
			found = decisions[r.id]
		default:
			found = decisions[r.id] || n.ids[records.Action.Name][r.id] || n.ids[records.Question.Name][r.id]
		}
		if !found {
			c.at(r.spot, danglingMessage(r.id, r.what), hint)
		}
	}
}

// condensation says whether a condensation is there; it is named by its path,
// its file or its file without .md.
func (c *census) condensation(name string) bool {
	for _, n := range []string{name, name + ".md"} {
		if c.condensed[n] || c.condensed[path.Base(n)] {
			return true
		}
	}
	return false
}

func (c *census) fragmentID(id string) bool {
	return slices.ContainsFunc(c.fragments, func(f reference) bool { return f.id == id })
}

// gathered reports messages that a summary of a cluster names and that the
// session does not have. Where not all of its messages are known, nothing is
// missing for certain.
func (c *census) gathered() {
	for _, v := range c.conversations() {
		wanted := map[uint64]bool{} // whether it is there
		for _, t := range v.both() {
			for _, m := range t.clusters {
				wanted[maphash.String(idSeed, m.id)] = false
			}
		}
		if len(wanted) == 0 || !v.sure() {
			continue
		}
		for _, t := range v.both() {
			for _, s := range t.said {
				if _, ok := wanted[s.id]; ok {
					wanted[s.id] = true
				}
			}
		}
		left := maxFaults
		for _, t := range v.both() {
			for _, m := range t.clusters {
				if !wanted[maphash.String(idSeed, m.id)] && left > 0 {
					left--
					c.at(m.spot, danglingMessage(m.id, m.what), "the summary stands for a message that was removed: bring it back from git")
				}
			}
		}
	}
}
