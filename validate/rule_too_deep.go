package validate

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
)

var tooDeep = Rule{
	Name:     "too-deep",
	Severity: Error,
	Summary:  "Arrays and objects nested deeper than any document needs.",
	Help: `Arrays and objects stand more than 128 deep inside one another. No document of
the tree needs more than ten levels. In the file of a record 120 are the limit: a
view shows the record some levels below its own.

Programs that read JSON by recursion fall over such a text; that is what it is
usually made for. It also comes from a tool that wrote a document into itself.

Wrong: ten thousand opening brackets, [[[[[[…

Right: the records side by side in one array, or in files of their own.

To mend it, look at the place of the finding for the member that repeats itself
and keep one copy of what it holds.
`,
	record: func(d *document) {
		if d.err != nil && d.err.Kind == jsonedit.TooDeep {
			d.report(d.err.Offset, "", d.err.Msg, tooDeepHint)
		}
		if _, ok := d.recordFile(); !ok || !d.parsed() {
			return
		}
		if i := d.tape.Deeper(0, records.MaxDepth); i >= 0 {
			d.at(i, fmt.Sprintf("arrays and objects of a record are nested more than %d deep", records.MaxDepth), tooDeepHint)
		}
	},
}

const tooDeepHint = "look for a value that was written into itself"
