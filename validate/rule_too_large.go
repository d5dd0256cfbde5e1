package validate

import "github.com/forgemind/forgemind/internal/jsonedit"

var tooLarge = Rule{
	Name:     "too-large",
	Severity: Error,
	Summary:  "A document, a line or a number larger than what is read.",
	Help: `A JSON or text document may be 8 MiB, and so may one line of a JSONL document
(the document itself may be 1 GiB). Either may hold 500,000 values, each list and
object counted too. A number may have 100 characters, and a power of ten up to
308, which is what other programs can hold.

Larger ones are refused before they are read, so that a damaged or hostile file
cannot use up the memory or the time of whoever opens the tree.

Wrong:

    { "clarity": 1e3000000 }

Right:

    { "clarity": 95 }

To mend it, split the document: old messages go to the archive, big outputs into
files of their own that an artifact names.
`,
	whole: func(d *document) {
		if d.form != formJSONL && len(d.src) > maxSize {
			d.report(0, "", largeDocument, largeDocumentHint)
		}
	},
	record: func(d *document) {
		switch {
		case d.size > maxSize:
			d.report(0, "", "the line is larger than the 8 MiB that are read", "store long content as several linked records")
		case d.err != nil && d.err.Kind == jsonedit.TooLarge:
			d.report(d.err.Offset, "", d.err.Msg, largeDocumentHint)
		}
		for i := 0; d.extreme && i < len(d.tape.Nodes); i++ {
			if d.tape.Extreme(i) {
				d.at(i, "the number "+cut(string(d.tape.Raw(i)))+" is too large or too small for other programs to hold",
					"numbers have at most 100 characters and a power of ten from -308 to 308")
			}
		}
	},
}

const (
	largeDocument     = "the document is larger than the 8 MiB that are read"
	largeLines        = "the document is larger than the 1 GiB that is read"
	largeDocumentHint = "move what is not needed every day into files of its own"
)

// hasExtreme reports whether a text holds a number that nothing may compute with.
func hasExtreme(doc *jsonedit.Doc) bool {
	for i := range doc.Nodes {
		if doc.Extreme(i) {
			return true
		}
	}
	return false
}
