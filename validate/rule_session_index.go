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

Where git brought other metadata, as a checkout does, the index is behind until the next
command, and that is no finding.

To mend it, run ` + "`forgemind validate --fix`" + `, which writes it again from the metadata
files, or remove it: it is not committed, and the next command that needs it does the same.
`,
	across: func(c *treeFacts) { c.indexedSessions() },
}

// indexed are the members of a session's metadata that the index repeats.
var indexed = [...]string{"title", "status", "last_activity", "message_count"}

const statusAt = 1 // the index of status in indexed

func (c *treeFacts) indexedSessions() {
	if !c.hasIndex {
		return // it will be built again
	}
	there := map[string]session{}
	for _, s := range c.sessions {
		there[s.folder] = s
	}
	var found []indexFault
	listed := map[string]bool{}
	for _, e := range c.index {
		listed[e.folder] = true
		if !c.folders[e.folder] {
			found = append(found, indexFault{e.folder, e.spot, "there is no session " + plain(e.folder)})
		} else if differ := differingIndexed(e, there[e.folder]); differ != "" {
			found = append(found, indexFault{e.folder, e.spot, "the metadata of " + plain(e.folder) + " says otherwise: " + differ})
		}
	}
	for _, s := range c.sessions {
		if !listed[s.folder] {
			found = append(found, indexFault{s.folder, spot{name: fs.SessionIndex}, "the session " + plain(s.folder) + " is not in the index"})
		}
	}
	var folders []string
	for _, f := range found {
		folders = append(folders, f.folder)
	}
	brought := c.broughtByGit(folders)
	for _, f := range found {
		if !brought[f.folder] {
			c.at(f.spot, f.message, indexHint)
		}
	}
}

// An indexFault is a wrong entry of the index.
type indexFault struct {
	folder string
	spot
	message string
}

// differingIndexed returns the members of the index that differ from the metadata.
func differingIndexed(index, metadata session) string {
	var differ []string
	for k, name := range indexed {
		if a, b := index.values[k], metadata.values[k]; a != "" && b != "" && a != b {
			differ = append(differ, fmt.Sprintf("%s is %s here and %s there", name, cut(a), cut(b)))
		}
	}
	return strings.Join(differ, ", ")
}

const indexHint = "run validate --fix, or remove the index: the next command that needs it writes it again"
