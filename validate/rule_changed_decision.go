package validate

var changedDecision = Rule{
	Name:     "changed-decision",
	Severity: Error,
	Summary:  "A decision was altered after it was recorded.",
	Help: `Rule set 3, decision preservation: a file of the Ledger is written once, and not one
byte of it changes; nor does the text of a decision in a view. Judged by
` + "`forgemind validate --against REV|FILE`" + ` and at every write.

Everybody who acted on a decision acted on its words. Other words under the same id
rewrite the past.

Wrong: editing "decision" in .forgemind/decisions/DEC-001.json.

Right: a new decision with "supersedes": "DEC-001", which says what holds now
(` + "`forgemind decision supersede DEC-001 …`" + `).

To mend it, restore the file from the revision before, and record what changed as a
decision of its own. With --against its severity is the one that the older side's
config sets.
`,
}
