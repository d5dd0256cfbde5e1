package validate

var jsonDuplicateKey = Rule{
	Name:     "json-duplicate-key",
	Severity: Error,
	Summary:  "A member name that appears twice in one object.",
	Help: `The same member name appears twice in one object. JSON readers disagree on which
of the two counts (most take the last, some the first, some refuse), so two
programs may see two different documents.

It often comes from a merge that kept both sides.

Wrong:

    { "clarity": 85, "status": "In Progress", "clarity": 90 }

Right:

    { "clarity": 90, "status": "In Progress" }

To mend it, decide which value holds and remove the other member.
`,
	record: func(d *document) {
		for i, node := range d.tape.Duplicates {
			if d.full() {
				d.more += len(d.tape.Duplicates) - i
				return
			}
			n := &d.tape.Nodes[node]
			d.report(int(n.KeyStart), d.tape.Pointer(node), "member "+quoted(d.tape.Key(node))+" appears twice in this object",
				"keep the one that holds and remove the other")
		}
	},
}
