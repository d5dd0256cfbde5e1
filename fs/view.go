package fs

import (
	"path"
	"slices"
)

// AsView declares what is staged for name to be a view: a file that shows what other
// documents say. It is written after they are published: when the power fails it is whole,
// and may be an older one. A save that comes between stays as it is, for the next
// transaction to read.
//
// A view that is not pure has something of its own. It is published like a document, and
// becomes a view only where saves come between again and again.
func (tx *Tx) AsView(name string, pure bool) {
	s, ok := tx.staged[name]
	if !ok || s.kind != replace {
		return
	}
	if s.view = published; pure {
		s.view = deferred
	}
	tx.put(name, s)
}

// A viewKind says how a view is written.
type viewKind int

const (
	noView viewKind = iota
	published
	deferred
)

// patientRounds is how many rounds publish a view that is not pure like a document.
const patientRounds = rounds / 2

// apart returns the writes of documents and those of views in a round, the first of which
// is 0.
func apart(writes []write, round int) (documents, views []write) {
	for _, w := range writes {
		if w.view == deferred || w.view == published && round >= patientRounds {
			views = append(views, w)
		} else {
			documents = append(documents, w)
		}
	}
	return documents, views
}

// show writes views, and returns changes without those of views that it did not write.
func (h *turn) show(views []write, changes []Change) []Change {
	for _, w := range views {
		if !h.showOne(w) {
			changes = slices.DeleteFunc(changes, func(c Change) bool { return c.Name == w.name })
			continue
		}
		h.tree.know(w.name, version{exists: true, data: w.data})
	}
	return changes
}

// showOne reports whether it has written the view w. Whatever kept it from that, the
// documents are published, and who reads the view has it brought up to them.
func (h *turn) showOne(w write) bool {
	if _, err := h.dir(path.Dir(w.name)); err != nil {
		return false
	}
	stage, err := h.dir(LocalName(folderOf(w.name), stageDir))
	if err != nil {
		return false
	}
	data := version{exists: true, data: w.data}.sum()
	file := stagedName(w.name, w.over.sum(), data)
	if h.tree.stageFile(stage, file, w.data, w.mode) != nil || h.unchanged(w) != nil {
		h.clear(stage.name + "/" + file)
		return false
	}
	h.tree.step("compared", w.name)
	came, err := h.land(w, stage, file)
	if err != nil {
		h.litter = h.retire(stage, file, w.name, w.over.sum(), data) != nil || h.litter
		return false
	}
	if !came {
		return true
	}
	h.tree.step("displaced", w.name)
	last := h.displaced[len(h.displaced)-1]
	v, err := h.tree.version(last.from.name + "/" + last.file)
	if err != nil || !same(v, w.over) {
		h.putBack(w)
		return false
	}
	return true
}

// clear removes a staged file of ours, now or when the next holder of the lock does.
func (h *turn) clear(where string) {
	if err := h.tree.root.Remove(where); err != nil && !isNotExist(err) {
		h.litter = true
	}
}
