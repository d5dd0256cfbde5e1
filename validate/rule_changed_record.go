package validate

var changedRecord = Rule{
	Name:     changedRecordName,
	Severity: Warning,
	Summary:  "A record was edited in place after it was written.",
	Help: `The file of a question, an action, a goal, a constraint, a note, a handoff, a thread, a pin,
a clarification or the project is written once, and so is each change of it.
` + "`forgemind validate --against REV`" + ` reports those that say something else than at REV, and no write of
forgemind's own may change one. Layout and the order of members do not count.

Two branches that edit one file conflict, or one of them wins without a word; two changes
merge, and both can be seen. Changes also say who made them, and when.

Wrong:

    questions/Q-7F3K2Q.json:  "question": "Which cache?"  edited to  "Which cache, and why?"

Right:

    questions/Q-7F3K2Q.updated-5h2k9w.json:  { "of": "Q-7F3K2Q", "set": { "question": "Which cache, and why?" } }

To mend it, restore the file (` + "`git checkout REV -- PATH`" + `) and make the change by command.
` + "`forgemind validate --fix`" + ` does both where HEAD has the file as it was: the edit becomes
a change, and the file is what it was; a clarification has no changes. With --against the rule's severity is the one that
the older side's config sets. Altered decisions are changed-decision.
`,
}
