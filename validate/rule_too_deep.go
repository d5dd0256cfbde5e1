package validate

import "github.com/forgemind/forgemind/internal/jsonedit"

var tooDeep = Rule{
	Name:     "too-deep",
	Severity: Error,
	Summary:  "Arrays and objects nested deeper than any document needs.",
	Help: `Arrays and objects stand more than 128 deep inside one another. No document of
the tree needs more than ten levels.

Programs that read JSON by recursion fall over such a text; that is what it is
usually made for. It also comes from a tool that wrote a document into itself.

Wrong: ten thousand opening brackets, [[[[[[…

Right: the records side by side in one array, or in files of their own.

To mend it, look at the place of the finding for the member that repeats itself
and keep one copy of what it holds.
`,
	record: func(d *document) {
		if d.err != nil && d.err.Kind == jsonedit.TooDeep {
			d.report(d.err.Offset, "", d.err.Msg, "look for a value that was written into itself")
		}
	},
}
