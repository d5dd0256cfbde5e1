package validate

import (
	"bytes"
	"fmt"
	"path"

	"github.com/forgemind/forgemind/fs"
)

var sessionMismatch = Rule{
	Name:     "session-mismatch",
	Severity: Error,
	Summary:  "A document of a session that names another session.",
	Help: `A session is known by the name of its folder. The session_id of its metadata, the
conversation_id of its hot context or the heading of its summary is another one.

Lists, ` + "`continues`" + ` and the index go by one of the two names and do not find what
goes by the other. It comes from a folder that was copied or renamed by hand.

Wrong:

    sessions/conv-2025-11-09-002/metadata.json with "session_id": "conv-2025-11-09-001"

Right:

    sessions/conv-2025-11-09-002/metadata.json with "session_id": "conv-2025-11-09-002"

To mend it, rename the folder back, or correct the id where the copy is to be a session
of its own.
`,
	whole: func(d *document) {
		if d.form != formText || path.Base(d.name) != "summary.md" {
			return
		}
		folder := sessionFolder(d.name)
		heading, _, _ := bytes.Cut(d.src, []byte("\n"))
		rest, ok := bytes.CutPrefix(bytes.TrimRight(heading, " \r"), []byte("# Session Summary ("))
		id, end := bytes.CutSuffix(rest, []byte(")"))
		if folder != "" && ok && end && string(id) != folder {
			d.report(0, "", mismatch("the summary", string(id), folder), mismatchHint)
		}
	},
	record: func(d *document) {
		member := ""
		switch d.kind {
		case fs.DocHotContext:
			member = "conversation_id"
		case fs.DocSessionMeta:
			member = "session_id"
		}
		if member == "" || !d.parsed() {
			return
		}
		id := d.tape.Member(0, member)
		folder := sessionFolder(d.name)
		if folder != "" && len(d.text(id)) > 0 && d.str(id) != folder && !d.broken(id) {
			d.at(id, mismatch(member, d.str(id), folder), mismatchHint)
		}
	},
}

const mismatchHint = "a session is known by its folder: rename it back, or correct the id"

func mismatch(what, id, folder string) string {
	return fmt.Sprintf("%s is of the session %s, but the folder is %s", what, plain(id), plain(folder))
}
