package validate

import (
	"fmt"
	iofs "io/fs"
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
	across: func(c *treeFacts) { c.directories() },
}

// fixed are the documents that exist at one place only.
var fixed = []string{
	fs.Config, fs.QuaidConfig, fs.State, fs.Messages, fs.Clarifications, fs.CacheIndex, fs.ActiveSession, fs.SessionIndex,
}

// directories reports directories at the place of a document. A walk does not yield
// them, so they are found only if the reader has Look.
func (c *treeFacts) directories() {
	disk, ok := c.reader.(interface {
		Look(name string) (iofs.FileInfo, error)
	})
	if !ok {
		return
	}
	for _, name := range fixed {
		fi, err := disk.Look(name)
		if err == nil && fi.IsDir() && !c.behindLink(name) {
			c.out = append(c.out, Finding{File: name, Line: 1, Column: 1, Column16: 1, Rule: c.rule.Name, Severity: c.weight,
				Message: "expected a file, found a directory", Hint: "move it away"})
		}
	}
}

// behindLink reports whether a parent folder of name is a link, which a walk yields as
// a name.
func (c *treeFacts) behindLink(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if slices.Contains(c.names, dir) {
			return true
		}
	}
	return false
}

// errNoFolder is the error for a file at the place of a folder.
var errNoFolder = fmt.Errorf("%w: a folder should be here", fs.ErrIrregular)

// isFolder reports whether name is the place of a folder of the tree.
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

// isTop reports whether name is one of the two folders of a tree.
func isTop(name string) bool { return name == fs.Forgemind || name == fs.Quaid }
