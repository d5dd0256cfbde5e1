package validate

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

var sessionIndex = Rule{
	Name:     "session-index",
	Severity: Warning,
	Summary:  "The index of sessions disagrees with the sessions.",
	Help: `.quaid/context/sessions.jsonl is derived from the metadata.json of every session. It
names a session that is not there, misses one that is, or says something else of it
(title, status, last_activity, message_count).

Lists of sessions are read from the index, so they show what is no longer true.

Wrong:

    {"session_id": "conv-2025-11-09-001", "status": "active"}     but archived in its metadata

Right:

    {"session_id": "conv-2025-11-09-001", "status": "archived"}

To mend it, run ` + "`forgemind validate --fix`" + `, which writes it again from the metadata
files, or remove it: it is not committed, and the next command that needs it does the same.
`,
	across: func(c *census) { c.indexedSessions() },
}

// indexed are the members of a session's metadata that the index repeats.
var indexed = [...]string{"title", "status", "last_activity", "message_count"}

const statusAt = 1 // among indexed

func (c *census) indexedSessions() {
	if !c.hasIndex {
		return // it will be rebuilt
	}
	there := map[string]session{}
	for _, s := range c.sessions {
		there[s.folder] = s
	}
	listed := map[string]bool{}
	for _, e := range c.index {
		listed[e.folder] = true
		s := there[e.folder]
		if !c.folders[e.folder] {
			c.at(e.spot, "there is no session "+plain(e.folder), indexHint)
			continue
		}
		var differ []string
		for k, name := range indexed {
			if a, b := e.values[k], s.values[k]; a != "" && b != "" && a != b {
				differ = append(differ, fmt.Sprintf("%s is %s here and %s there", name, cut(a), cut(b)))
			}
		}
		if len(differ) > 0 {
			c.at(e.spot, "the metadata of "+plain(e.folder)+" says otherwise: "+strings.Join(differ, ", "), indexHint)
		}
	}
	for _, s := range c.sessions {
		if !listed[s.folder] {
			c.at(spot{name: fs.SessionIndex}, "the session "+plain(s.folder)+" is not in the index", indexHint)
		}
	}
}

const indexHint = "run validate --fix, or remove the index: the next command that needs it writes it again"
