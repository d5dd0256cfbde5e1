package validate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

var irregularFile = Rule{
	Name:     "irregular-file",
	Severity: Error,
	Summary:  "A document that is no plain file, or can't be read.",
	Help: `Where a document should be stands a link, a file with a second name (hard link), a
FIFO, a device or a directory; or the file can't be read. Or a file stands where a
folder such as .forgemind/context should be.

A link may lead out of the project, a hard link shares its content with a file
elsewhere, and reading a FIFO never ends. None of them is opened.

Wrong:

    current-context.json -> /etc/passwd

Right: a plain file with one name, which its owner may read.

To mend it, replace it by a copy of what it leads to, or remove it; for a file that
can't be read, look at its permissions.
`,
	across: func(c *census) { c.directories() },
}

// fixed are the documents that stand at one place only.
var fixed = []string{
	fs.Config, fs.QuaidConfig, fs.State, fs.Messages, fs.Clarifications, fs.CacheIndex, fs.ActiveSession, fs.SessionIndex,
}

// directories reports those that stand at the place of a document. A walk does
// not name them, so that only a reader that can look sees them.
func (c *census) directories() {
	disk, ok := c.reader.(disk)
	if !ok {
		return
	}
	for _, name := range fixed {
		fi, err := disk.Look(name)
		if err == nil && fi.IsDir() && !c.behindLink(name) {
			c.out = append(c.out, Finding{File: name, Line: 1, Column: 1, Column16: 1, Rule: c.rule.Name, Severity: c.weight,
				Message: "a directory stands where the document should be", Hint: "move it away"})
		}
	}
}

// behindLink says whether a folder on the way to name is a link, which a walk
// gives as a name of its own.
func (c *census) behindLink(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if slices.Contains(c.names, dir) {
			return true
		}
	}
	return false
}

// errNoFolder is for a file at the place of a folder.
var errNoFolder = fmt.Errorf("%w: a folder should be here", fs.ErrIrregular)

// isFolder says whether a folder of the tree has its place at name.
func isFolder(name string) bool {
	_, rest, _ := strings.Cut(name, "/")
	switch rest {
	case "context", "context/context-history", "context/compaction-summaries", "context/sessions",
		"decisions", "memory", "memory/fragments", "cache", "cache/artifacts", "condensations", "channels",
		"threads", "handoffs", "projects", "cold-storage", "logs", "logs/context", "progress",
		fs.QuestionsDir, fs.ActionsDir, fs.GoalsDir, fs.ConstraintsDir, fs.NotesDir, fs.ClarificationsDir:
		return true
	}
	return isTop(name)
}

// isTop says whether name is one of the two folders that make a tree.
func isTop(name string) bool { return name == fs.Forgemind || name == fs.Quaid }
