package fs

import (
	"path"
	"slices"
)

// AsView declares that the staged content of name is a view: a file rendered from other
// documents. It is written after they are published, and is not made durable. A save
// that comes between is kept for the next transaction to read.
//
// A view that is not pure also has content of its own. It is published like a document,
// and is written as a view only after several rounds with conflicting saves.
func (tx *Tx) AsView(name string, pure bool) {
	s, ok := tx.staged[name]
	if !ok || s.kind != replace {
		return
	}
	if s.view = published; pure {
		s.view = deferred
	}
	tx.staged[name] = s
}

// A viewKind is the way a view is written.
type viewKind int

const (
	noView viewKind = iota
	published
	deferred
)

// patientRounds is the number of rounds in which a view that is not pure is published
// like a document.
const patientRounds = rounds / 2

// splitViews separates the writes of documents from those of views in a round; the first
// round is 0.
func splitViews(writes []write, round int) (documents, views []write) {
	for _, w := range writes {
		if w.view == deferred || w.view == published && round >= patientRounds {
			views = append(views, w)
		} else {
			documents = append(documents, w)
		}
	}
	return documents, views
}

// show writes views, and returns changes without those of views that were not written.
func (h *lockedWriter) show(views []write, changes []Change) []Change {
	for _, w := range views {
		if !h.showOne(w) {
			changes = slices.DeleteFunc(changes, func(c Change) bool { return c.Name == w.name })
			continue
		}
		h.tree.know(w.name, version{exists: true, data: w.data})
		h.forget(w.name) // an older copy does not help to judge the next save
	}
	return changes
}

// showOne reports whether it wrote the view w. A failure is ignored: the documents are
// published, and readers of the view render it again.
func (h *lockedWriter) showOne(w write) bool {
	if _, err := h.dir(path.Dir(w.name)); err != nil {
		return false
	}
	stage, err := h.dir(LocalName(folderOf(w.name), stageDir))
	if err != nil {
		return false
	}
	data := version{exists: true, data: w.data}.sum()
	file := stagedName(w.name, w.over.sum(), data)
	if _, err := h.tree.writeStaged(stage, file, w.data, w.mode, false); err != nil || h.unchanged(w) != nil {
		h.removeStaged(stage.name + "/" + file)
		return false
	}
	h.tree.step("compared", w.name)
	came, err := h.renameStaged(w, stage, file)
	if err != nil {
		h.litter = h.discardStaged(stage, file, w.name, w.over.sum(), data) != nil || h.litter
		return false
	}
	if !came {
		return true
	}
	last := h.displaced[len(h.displaced)-1]
	v, err := h.tree.version(last.from.name + "/" + last.file)
	if err != nil || !same(v, w.over) {
		h.putBack(w)
		return false
	}
	return true
}

// removeStaged removes a staged file of our own, now or when the lock is next taken.
func (h *lockedWriter) removeStaged(where string) {
	if err := h.tree.root.Remove(where); err != nil && !isNotExist(err) {
		h.litter = true
	}
}
