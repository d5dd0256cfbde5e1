package validate

import "github.com/forgemind/forgemind/internal/jsonedit"

var jsonlLine = Rule{
	Name:     "jsonl-line",
	Severity: Error,
	Summary:  "A line of a JSONL document that is not one JSON object.",
	Help: `Every line of a JSONL document is one JSON object. This line is not JSON, or it is
a list or a bare value.

Readers skip such a line and read on, so what it recorded is missing from every view
although it is in the file. Often two records were glued together because the
first was written without its newline.

Wrong:

    {"msg_id": "msg-001", "content": "a"}{"msg_id": "msg-002", "content": "b"}

Right:

    {"msg_id": "msg-001", "content": "a"}
    {"msg_id": "msg-002", "content": "b"}

To mend it, split or correct the line. A broken last line is jsonl-torn.
`,
	record: func(d *document) {
		switch {
		case d.form != formJSONL || d.mark || d.inConflict:
		case d.err != nil && d.err.Kind == jsonedit.Syntax && !d.last:
			d.report(d.err.Offset, "", "the line is not one JSON object: "+d.err.Msg, "one record a line, each with its newline")
		case d.parsed() && d.kindOf(0) != jsonedit.Object:
			d.at(0, "the line is not one JSON object, but "+shown(&d.tape, 0), "one record a line, each a JSON object")
		}
	},
}
