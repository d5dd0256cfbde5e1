package validate

var lostDecision = Rule{
	Name:     "lost-decision",
	Severity: Error,
	Summary:  "A decision that was there before is gone.",
	Help: `Rule set 3, decision preservation: every decision that the Ledger, recent_decisions
or key_decisions held before is still in the Ledger or in a view. Judged by
` + "`forgemind validate --against REV|FILE`" + ` and at every write.

A decision is a promise to whoever made it. One that disappears is decided again,
differently.

Wrong: a commit that removes .forgemind/decisions/DEC-001.json and the entry in
recent_decisions.

Right: a new decision with "supersedes": "DEC-001"; the old file stays.

To mend it, restore the file from the revision before
(` + "`git show REV:.forgemind/decisions/ID.json`" + ` prints it). With --against its severity
is the one that the older side's config sets: who removes a decision can't silence
the rule in the same change.
`,
}
