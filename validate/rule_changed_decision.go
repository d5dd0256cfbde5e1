package validate

import "github.com/forgemind/forgemind/fs"

var changedDecision = Rule{
	Name:     changedName,
	Severity: Error,
	Summary:  "A decision was altered after it was recorded.",
	Help: `Rule set 3, decision preservation: a file of the Ledger is written once, and not one
byte of it changes. recent_decisions and key_decisions are views of it: they may show
less, and mark a decision as superseded_by another, but what they show of a decision is
what its file says: id, decision, rationale, alternatives_rejected, impact,
decision_maker, recorded_by, timestamp, supersedes, files and the rest. Where a view
alone holds a decision, its entry is the record, and as immutable.

` + "`forgemind validate --against REV|FILE`" + ` compares with what was recorded then; every
write is judged so, too. Without a revision the entries of views are compared with the
Ledger; where they differ, git's HEAD tells whether the file was altered or the view.

Everybody who acted on a decision acted on its words. Other words under the same id
rewrite the past.

Wrong: editing "decision" or "rationale" in .forgemind/decisions/DEC-001.json.

Right: a new decision with "supersedes": "DEC-001", which says what holds now
(` + "`forgemind decision supersede DEC-001 …`" + `).

To mend it, restore the file (` + "`git checkout REV -- PATH`" + `), or correct the view from the
file, and record what changed as a decision of its own. With --against the rule's
severity is the one that the older side's config sets.
`,
	across: func(c *treeFacts) {
		if s := c.showing(c.differingViews()); s != nil {
			s.reportDiffering()
			c.out = append(c.out, s.out...)
		}
	},
}

// differingViews returns the views that may differ from the ledger: sessions by the
// hash of their content, and every State, which shows more.
func (c *treeFacts) differingViews() (names []string) {
	recorded := map[string]uint64{}
	for _, d := range c.ledger {
		recorded[d.id] = d.text
	}
	for _, v := range c.views { // sorted by name
		text, ok := recorded[v.id]
		if ok && (text != v.text || fs.Place(v.name) == fs.DocState) && (len(names) == 0 || names[len(names)-1] != v.name) {
			names = append(names, v.name)
		}
	}
	return names
}
