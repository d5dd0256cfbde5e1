package validate

import "github.com/forgemind/forgemind/fs"

var uncondensedThread = Rule{
	Name:     "uncondensed-thread",
	Severity: Warning,
	Summary:  "A thread came to a conclusion that nobody wrote down.",
	Help: `A thread says that it was resolved, and names no condensation.

What was decided there falls out of sight with the discussion: it is in no Ledger, in no
CONTEXT.md and pinned nowhere, and sooner or later somebody asks again. A thread that was
archived after it was resolved is judged likewise; one that was never resolved is not.

Wrong:

    "status": "resolved", "resolved": "2026-02-15T10:00:00Z"

Right:

    "status": "resolved", "resolved": "2026-02-15T10:00:00Z",
    "condensation": "2026-02-15-material-selection.md"

To mend it, run ` + "`forgemind condense ID`" + ` with the thread's id, and look over what it drafts.
A condensation that is there already is named by its file under condensations/.
`,
	record: func(d *document) {
		if !d.parsed() || d.kind != fs.DocThread {
			return
		}
		status := d.tape.Member(0, "status")
		came := d.str(status) == "resolved" || d.str(status) == "archived" && len(d.text(d.tape.Member(0, "resolved"))) > 0
		if came && len(d.text(d.tape.Member(0, "condensation"))) == 0 {
			d.at(status, "the thread was resolved and never condensed", "forgemind condense drafts the condensation; forgemind explain uncondensed-thread says more")
		}
	},
}
