package fs

import (
	"os"
	"path"
	"strings"
	"time"
)

// backup is the suffix that vim and emacs append to a file that they move away.
const backup = "~"

// isExpected reports whether a missing document should exist: the State beside the
// config, and the hot context of the active session.
func (t *Tree) isExpected(name string) bool {
	switch {
	case name == State:
		_, err := t.Look(Config)
		return err == nil
	case Place(name) == DocHotContext:
		active, err := t.version(ActiveSession)
		return err == nil && strings.TrimSpace(string(active.data)) == path.Base(path.Dir(name))
	}
	return false
}

// saving reports whether a reader that has waited for the time waited should read name
// again because v may be the middle of a save.
func (t *Tree) saving(name string, v version, waited time.Duration) bool {
	if v.exists {
		return waited < patience && t.unsettled(name, v)
	}
	return waited < absence && (t.unsettled(name, v) || Place(name) != NoDoc && t.moved(name))
}

// moved reports whether an editor may have moved or removed name just now, to put a new
// file there: its directory has just changed, and either the document is expected or
// the editor's backup exists, or the document is back.
func (t *Tree) moved(name string) bool {
	fi, err := t.Look(path.Dir(name))
	if err != nil || !within(absence, fi.ModTime()) {
		return false
	}
	if t.isExpected(name) {
		return true
	}
	if _, err = t.Look(name + backup); err != nil {
		_, err = t.Look(name) // the backup may have been moved back since name was read
	}
	return err == nil
}

// lacksMoved reports whether bases, which list dir, lack a document that moved
// would report.
func (t *Tree) lacksMoved(dir string, bases map[string]bool) bool {
	for _, base := range []string{path.Base(State), "hot_context.json"} {
		if !bases[base] && t.isExpected(dir+"/"+base) {
			return true
		}
	}
	for base := range bases {
		if saved, ok := strings.CutSuffix(base, backup); ok && !bases[saved] && Place(dir+"/"+saved) != NoDoc {
			return true
		}
	}
	return false
}

// list opens the directory name and reads its entries with read. It reads them again
// while an editor is replacing a document in the directory. The caller closes d.
func list[E any](t *Tree, name string, read func(*os.File, int) ([]E, error), base func(E) string) (d *dir, entries []E, err error) {
	for start := time.Now(); ; time.Sleep(lookAgain) {
		if d, err = t.openDir(name); err != nil {
			return nil, nil, err
		}
		entries, err = read(d.File, -1)
		fi, unknown := d.Stat()
		if err != nil || unknown != nil || time.Since(start) >= absence || !within(absence, fi.ModTime()) {
			return d, entries, err
		}
		bases := map[string]bool{}
		for _, e := range entries {
			bases[base(e)] = true
		}
		if !t.lacksMoved(name, bases) {
			return d, entries, nil
		}
		d.Close()
	}
}

// within reports whether changed is at most d before or after now.
func within(d time.Duration, changed time.Time) bool { return time.Since(changed).Abs() <= d }
