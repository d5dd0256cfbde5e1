package validate

import (
	"bytes"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

var jsonlTorn = Rule{
	Name:     "jsonl-torn",
	Severity: Warning,
	Summary:  "A JSONL document whose last record is torn.",
	Help: `The last line has no newline behind it and is not a whole record, or the document
ends in zero bytes: a write was interrupted, by a crash or a full disk, and the rest of
the record is lost.

Readers take every whole record and leave the torn one out. A last line that is whole
and only lacks its newline is no fault: the next append adds it.

Wrong:

    {"msg_id": "msg-001", "content": "a"}
    {"msg_id": "msg-002", "cont

Right:

    {"msg_id": "msg-001", "content": "a"}

To mend it, do nothing: the next append through forgemind moves the torn bytes to
.local/attic/ first, so that its record is not glued to them.
`,
	record: func(d *document) {
		if d.form != formJSONL || !d.last || d.mark || d.size > maxSize {
			return
		}
		tail := d.src[d.base:]
		switch {
		case len(bytes.Trim(tail, "\x00")) == 0:
			d.report(0, "", "the document ends in zero bytes: a write was interrupted", "the next append moves them to .local/attic/")
		case d.err != nil && d.err.Kind != jsonedit.TooDeep && d.err.Kind != jsonedit.TooLarge:
			d.report(0, "", "the last line is torn: "+d.err.Msg, "the next append moves it to .local/attic/")
		}
	},
}
