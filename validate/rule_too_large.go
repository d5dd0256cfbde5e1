package validate

import (
	"bytes"
	"strconv"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Numbers beyond these limits are refused before anything computes with them:
// 1e3000000 would be a million digits in a program that takes it at its word.
const (
	maxNumber   = 100 // characters
	maxExponent = 308 // of ten
)

var tooLarge = Rule{
	Name:     "too-large",
	Severity: Error,
	Summary:  "A document, a line or a number larger than what is read.",
	Help: `A JSON or text document may be 8 MiB, and so may one line of a JSONL document
(the document itself may be of any size). A number may have 100 characters, and
a power of ten up to 308, which is what other programs can hold.

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
			d.report(d.err.Offset, "", d.err.Msg, "")
		}
		for i := range d.tape.Nodes {
			n := &d.tape.Nodes[i]
			if n.Kind == jsonedit.Number && extremeNumber(d.tape.Src[n.Start:n.End]) {
				d.extreme = true
				d.at(i, "the number "+cut(string(d.tape.Raw(i)))+" is too large or too small for other programs to hold",
					"numbers have at most 100 characters and a power of ten from -308 to 308")
			}
		}
	},
}

const (
	largeDocument     = "the document is larger than the 8 MiB that are read"
	largeDocumentHint = "move what is not needed every day into files of its own"
)

// extremeNumber says whether a JSON number is beyond the limits.
func extremeNumber(raw []byte) bool {
	if len(raw) > maxNumber {
		return true
	}
	i := bytes.IndexByte(raw, 'e')
	if i < 0 {
		i = bytes.IndexByte(raw, 'E')
	}
	if i < 0 {
		return false
	}
	exponent, err := strconv.Atoi(string(raw[i+1:]))
	if err != nil || exponent > maxExponent || exponent < -maxExponent {
		return true
	}
	_, err = strconv.ParseFloat(string(raw), 64)
	return err != nil
}
