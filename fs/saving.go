package fs

import (
	"os"
	"path"
	"strings"
	"time"
)

// backup is the suffix that vim and emacs give a file that they move away.
const backup = "~"

// isExpected reports whether a document that is not there should be: the State
// stands beside the config, and the active session has a hot context.
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

// saving reports whether a reader that has waited so long should look at name
// again: v may be the middle of a save.
func (t *Tree) saving(name string, v version, waited time.Duration) bool {
	if v.exists {
		return waited < t.saveTime.patience && t.unsettled(name, v)
	}
	return waited < t.saveTime.absence && (t.unsettled(name, v) || Place(name) != NoDoc && t.moved(name))
}

// moved reports whether an editor may have moved or removed name just now, to put
// a new file there: its directory changed, and either the document is expected or
// the editor's backup is there. It is also true if the document is back since the
// caller did not find it.
func (t *Tree) moved(name string) bool {
	if !t.changedLately(path.Dir(name)) {
		return false
	}
	if t.isExpected(name) {
		return true
	}
	for _, there := range []string{name + backup, name} { // in this order: the backup may be moved back in between
		if _, err := t.Look(there); err == nil {
			return true
		}
	}
	return false
}

// changedLately reports whether a file came into dir, or went, as lately as an editor that moved a
// document away may still have to write it. No editor takes the directory away.
func (t *Tree) changedLately(dir string) bool {
	fi, err := t.Look(dir)
	return err == nil && within(t.saveTime.absence, fi.ModTime())
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

// list opens the directory name and reads its entries with read, again while an
// editor is in the middle of replacing a document in it. The caller closes it.
func list[E any](t *Tree, name string, read func(*os.File, int) ([]E, error), base func(E) string) (d *dir, entries []E, err error) {
	for start := time.Now(); ; time.Sleep(lookAgain) {
		if d, err = t.openDir(name); err != nil {
			return nil, nil, err
		}
		entries, err = read(d.File, -1)
		fi, unknown := d.Stat()
		if err != nil || unknown != nil || time.Since(start) >= t.saveTime.absence || !within(t.saveTime.absence, fi.ModTime()) {
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
		t.step("unsettled", name)
	}
}

// within reports whether changed is no further from now than d.
func within(d time.Duration, changed time.Time) bool { return time.Since(changed).Abs() <= d }
