package cold

import (
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// resetFile is the file in `.local/` that lists the compactions that were reset.
const resetFile = "reset.json"

// A resetNote lists compactions whose chunks a reset moved to the trash.
type resetNote struct {
	Compactions []string `json:"compactions"` // as "SESSION/COMPACTION"
}

// NoteReset stages the note that a reset moved the files of chunks among names to
// the trash, so that Verify does not report them as lost.
func NoteReset(tx *fs.Tx, names []string) error {
	for _, home := range homes {
		note := readResetNote(tx, home)
		before := len(note.Compactions)
		for _, name := range names {
			key, ok := strings.CutPrefix(name, home+"/"+fs.ColdDir+"/")
			key = strings.TrimSuffix(key, path.Ext(key))
			if ok && !slices.Contains(note.Compactions, key) {
				note.Compactions = append(note.Compactions, key)
			}
		}
		if len(note.Compactions) == before {
			continue
		}
		text, err := jsonedit.Marshal(note)
		if err != nil {
			return err
		}
		tx.Write(fs.LocalName(home, resetFile), text)
	}
	return nil
}

// readResetNote reads the note of a folder. A missing or unreadable note is empty.
func readResetNote(r fs.Reader, home string) (note resetNote) {
	if src, err := r.Read(fs.LocalName(home, resetFile)); err == nil && jsonedit.Decode(src, &note) != nil {
		return resetNote{}
	}
	return note
}

// wasReset reports whether a reset moved the chunks of a compaction away.
func wasReset(r fs.Reader, session, id string) bool {
	for _, home := range homes {
		if slices.Contains(readResetNote(r, home).Compactions, session+"/"+id) {
			return true
		}
	}
	return false
}
