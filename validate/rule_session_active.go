package validate

import (
	"bytes"

	"github.com/forgemind/forgemind/fs"
)

var sessionActive = Rule{
	Name:     "session-active",
	Severity: Error,
	Summary:  "The active session is not a session.",
	Help: `.quaid/context/active_session.txt holds the id of the active session, and nothing
else. It is empty, holds something that is no id, or names a session that does not
exist under .quaid/context/sessions/.

Messages, goals and decisions would have nowhere to go.

Wrong:

    conv-2025-11-09-999        with no folder of that name

Right:

    conv-2025-11-09-001

To mend it, run ` + "`forgemind session restore ID`" + ` with one of
` + "`forgemind session list`" + `, or remove the file, as ` + "`forgemind validate --fix`" + ` does where the session does not
exist: then no session is active.
`,
	whole: func(d *document) {
		if d.kind != fs.DocActiveSession {
			return
		}
		id := string(bytes.TrimSpace(d.src))
		switch {
		case id == "":
			d.report(0, "", "no session is named", "remove the file, or restore a session")
		case !isID(id):
			d.report(0, "", quoted(id)+" is not the id of a session", "the file holds one id and nothing else")
		case d.facts != nil:
			d.facts.active = append(d.facts.active, reference{spot: spot{name: d.name}, id: id})
		}
	},
	across: func(c *treeFacts) { c.activeSession() },
}

// isID reports whether s has only characters of ids.
func isID(s string) bool {
	for _, c := range []byte(s) {
		if !idByte(c) {
			return false
		}
	}
	return s != "" && s != "." && s != ".."
}

func (c *treeFacts) activeSession() {
	for _, a := range c.active {
		if !c.folders[a.id] && !c.broughtByGit([]string{a.id})[a.id] {
			c.at(a.spot, "the active session "+plain(a.id)+" does not exist", "forgemind session restore ID makes another one active; or run validate --fix, which removes the file")
		}
	}
}
