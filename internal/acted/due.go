package acted

import (
	"bytes"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A Due is an effect of decisions that git brought, which would write files that git tracks. Where
// the decisions were recorded somebody may write them, too, so that it waits until it is asked for.
type Due struct {
	Trigger   string   `json:"trigger,omitempty"` // "" for what no trigger fires
	Action    string   `json:"action"`
	Decisions []string `json:"decisions"` // ids
}

type dueFile struct {
	Version int   `json:"version"`
	Due     []Due `json:"due"`
}

// DueName returns the Name of the file that holds in a home what is due.
func DueName(home string) string { return fs.LocalName(home, "acted", "due.json") }

// ReadDue returns what is due in a working copy.
func ReadDue(r fs.Reader) []Due {
	for _, home := range homes {
		var f dueFile
		if src, err := r.Read(DueName(home)); err == nil && jsonedit.Decode(src, &f) == nil && f.Version == 1 {
			return f.Due
		}
	}
	return nil
}

// WriteDue stages what is due, where that is other than before.
func WriteDue(tx *fs.Tx, home string, due []Due) error {
	text, err := jsonedit.Marshal(dueFile{1, due})
	if err != nil {
		return err
	}
	before, err := tx.Read(DueName(home))
	if len(due) == 0 && err != nil || bytes.Equal(before, text) {
		return nil
	}
	tx.Write(DueName(home), text)
	return nil
}

// With returns due and one more, which joins the one of its trigger and action.
func With(due []Due, d Due) []Due {
	i := slices.IndexFunc(due, func(e Due) bool { return e.Trigger == d.Trigger && e.Action == d.Action })
	if i < 0 {
		return append(slices.Clip(due), d)
	}
	due = slices.Clone(due)
	ids := slices.Clone(due[i].Decisions)
	for _, id := range d.Decisions {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	due[i].Decisions = ids
	return due
}
