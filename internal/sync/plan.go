package sync

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
)

// Blobs maps the names of files to the ids of their contents.
type Blobs map[string]string

// A Plan describes the work of a sync on each file that the two sides do not have alike.
type Plan struct {
	Take      []string // to be written here: only the remote has it, or only the remote changed it
	Publish   []string // to be sent: only this side has it, or only this side changed it
	Merge     []string // both sides changed it since they agreed, and people edit it
	Different []string // a file that is written once has other contents on the remote
}

// makePlan compares the files here with those of the remote. The argument agreed holds the files
// that both sides had at the last sync. A file that one side lacks is new there or was removed; it
// comes back in both cases, because a set that only grows needs no other rule.
func makePlan(agreed, here, there Blobs) Plan {
	var p Plan
	for _, name := range slices.Sorted(maps.Keys(there)) {
		id, ours := there[name], here[name]
		switch base := agreed[name]; {
		case !IsShared(name) || ours == id:
		case ours == "":
			p.Take = append(p.Take, name)
		case isWrittenOnce(name):
			p.Different = append(p.Different, name)
		case ours == base:
			p.Take = append(p.Take, name)
		case id == base:
			p.Publish = append(p.Publish, name)
		default:
			p.Merge = append(p.Merge, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(here)) {
		if there[name] == "" && IsShared(name) {
			p.Publish = append(p.Publish, name)
		}
	}
	slices.Sort(p.Publish)
	return p
}

// IsShared reports whether a file of a tree is exchanged. Views, conversations and what belongs to
// one working copy are not, nor are the files that git reads.
func IsShared(name string) bool {
	return !fs.IsLocal(name) && fs.IsHome(name) && !fs.OfWorkingCopy(name) && !strings.HasPrefix(path.Base(name), ".git")
}

// isWrittenOnce reports whether a file holds a record, a change of one or a snapshot, which nobody
// edits.
func isWrittenOnce(name string) bool {
	if _, ok := records.FileOf(name); ok {
		return name != fs.ProjectFile
	}
	return fs.Place(name) == fs.DocDecision || strings.HasPrefix(name, fs.History+"/")
}
