package validate

import "github.com/forgemind/forgemind/internal/jsonedit"

var jsonSyntax = Rule{
	Name:     "json-syntax",
	Severity: Error,
	Summary:  "A JSON document that is not JSON.",
	Help: `The text is not one JSON value by RFC 8259: a comma or a quote is missing, a
comment or a trailing comma is in it, it is empty, or it ends too early.

Nothing can read such a document. The watcher keeps the last good State until it
is mended; commands refuse to change it.

Wrong:

    { "clarity": 85, }

Right:

    { "clarity": 85 }

To mend it, go to the line and column of the finding: that is the first place at
which the text cannot be JSON any more. The mistake is there or just before.
`,
	record: func(d *document) {
		if d.form != formJSON || d.err == nil || d.mark {
			return
		}
		switch d.err.Kind {
		case jsonedit.Empty:
			d.report(d.err.Offset, "", d.err.Msg, "an empty file is no JSON document: restore it, or remove it")
		case jsonedit.Syntax:
			d.report(d.err.Offset, "", d.err.Msg, "the mistake is here or just before")
		}
	},
}
