package validate

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

var tooManyPins = Rule{
	Name:     "too-many-pins",
	Severity: Warning,
	Summary:  "A channel has more than 50 pins.",
	Help: `A channel has room for 50 pins. Chat programs refuse the next one, and what is pinned
beyond them is seen by nobody. Forgemind takes the oldest pin off for a new one; a
list with more comes from a person or another program.

Wrong:

    {"pins": [51 entries]}

Right:

    {"pins": [50 entries at most]}

To mend it, run ` + "`forgemind unpin CONDENSATION`" + ` for what is out of date, or remove pins by hand.
`,
	record: func(d *document) {
		if !d.parsed() || d.kind != fs.DocPins {
			return
		}
		list := d.tape.Member(0, "pins")
		if d.kindOf(list) != jsonedit.Array {
			return
		}
		n := 0
		for p := d.first(list); p >= 0; p = d.next(p) {
			n++
		}
		if n > maxPins {
			d.at(list, fmt.Sprintf("%d pins, but a channel has room for %d", n, maxPins), "unpin what is out of date")
		}
	},
}
