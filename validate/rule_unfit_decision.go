package validate

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/jsonschema"
)

var unfitDecision = Rule{
	Name:     "unfit-decision",
	Severity: Error,
	Summary:  "A decision in a hot context with a value that the Ledger cannot hold.",
	Help: `A member of a decision in a hot context is not what the schema of a decision admits. The
next command that writes takes a decision that stands only there into the Ledger, word
for word, but not this one: it stays where it is until it is mended.

Wrong:

    "key_decisions": [ { "decision": "Use chi", "files": "api.go" } ]

Right:

    "key_decisions": [ { "decision": "Use chi", "files": ["api.go"] } ]

To mend it, write what the message says was expected. ` + "`forgemind schema decision`" + ` prints
the schema.
`,
	record: func(d *document) {
		if d.kind != fs.DocHotContext || !d.parsed() {
			return
		}
		array, of := d.tape.Member(0, "key_decisions"), jsonschema.Of(fs.DocDecision.Schema())
		if d.kindOf(array) != jsonedit.Array {
			return
		}
		said, before := map[string]bool{}, len(d.faults)
		for e := range d.tape.Children(array) {
			if d.kindOf(e) != jsonedit.Object || d.broken(e) {
				continue
			}
			for m := range d.tape.Children(e) {
				d.hold(of.Below(d.tape.Key(m)), m, said)
			}
		}
		for i := range d.faults[before:] {
			d.faults[before+i].hint = "forgemind schema decision prints what is admitted"
		}
	},
}
