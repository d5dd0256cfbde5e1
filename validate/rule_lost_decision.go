package validate

var lostDecision = Rule{
	Name:     lostName,
	Severity: Error,
	Summary:  "A decision that was there before is gone.",
	Help: `Rule set 3, decision preservation. The record of a decision is its file in the Ledger,
decisions/ID.json. A copy in recent_decisions or key_decisions, which are views, does
not stand in for it: it may lack parts, and anybody may have altered it. Only of a
decision that the Ledger never had is the view's entry the record.

` + "`forgemind validate --against REV|FILE`" + ` reports what was recorded then and is not
now; every write is judged so, too. Without a revision the rule looks at the decisions
that views show and the Ledger lacks. Such a one is lost if

- git keeps its file: in HEAD, in the index, or in a commit before HEAD;
- or forgemind wrote the entry when it recorded the decision: it has an "origin" in
  recent_decisions, or in key_decisions an id such as DEC-7F3K2Q and a time in
  milliseconds.

Any other one was written into the view by hand or by another tool. It is no fault:
the next write takes it into the Ledger. So it does with an entry of forgemind's own of
which nothing else tells. A decision whose file git keeps, that this working copy acted on,
or that HEAD or a snapshot has with other content, is never taken in from a view; while git
fails to answer, or is in the middle of something, none is taken in.

A decision is a promise to whoever made it. One that disappears is decided again,
differently.

Wrong: a commit that removes .forgemind/decisions/DEC-001.json.

Right: a new decision with "supersedes": "DEC-001"; the old file stays.

To mend it, restore the file: ` + "`git checkout REV -- .forgemind/decisions/ID.json`" + `.
` + "`forgemind validate --fix`" + ` does so where git keeps a file that a view names. With
--against the rule's severity is the one that the older side's config sets: who removes
a decision can't silence the rule in the same change.
`,
	across: func(c *census) {
		if s := c.showing(c.unrecordedViews()); s != nil {
			s.reportMissing(func(h held) bool { return ours(h) || c.had[h.id] })
			c.out = append(c.out, s.out...)
		}
	},
}

// showing reads views; nil where there are none to be read.
func (c *census) showing(views []string) *showing {
	if len(views) == 0 {
		return nil
	}
	return newShowing(c.reader, rootOf(c.reader), weights{c.rule.Name: c.weight}, views)
}

// unrecordedViews returns the views that show decisions which the Ledger may lack.
func (c *census) unrecordedViews() (names []string) {
	recorded := map[string]bool{}
	for _, d := range c.ledger {
		recorded[d.id] = true
	}
	for _, v := range c.views { // sorted by name
		if (v.id == "" || !recorded[v.id]) && (len(names) == 0 || names[len(names)-1] != v.name) {
			names = append(names, v.name)
		}
	}
	return names
}
