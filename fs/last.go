package fs

import (
	"bytes"
	"os"
)

// remember keeps a copy of the published bytes, so that the next transaction can tell
// whether an editor overwrote them with a save based on older bytes. It is not synced
// because it only matters while editors are open. If final is false, a save came
// between and the bytes are not remembered.
func (h *lockedWriter) remember(w write, final bool) {
	if IsLocal(w.name) || w.kind == add {
		return
	}
	// No editor can have older bytes of a new file open.
	if !final || w.kind == remove || !w.over.exists || len(w.data) > maxFile {
		h.forget(w.name)
		return
	}
	d, err := h.dir(LocalName(folderOf(w.name), lastDir))
	if err != nil {
		return
	}
	f, err := h.tree.open(d.name+"/"+flattenName(w.name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	if m, err := stat(f); err != nil || m.plain(w.name) != nil {
		return
	}
	// It is not truncated first: some file systems write such a file to disk at once.
	text := append([]byte(version{exists: true, data: w.data}.sum()+" "+w.name+"\n"), w.data...)
	if n, err := f.WriteAt(text, 0); err == nil {
		f.Truncate(int64(n))
	}
}

// forget removes the copy of name, which is no longer the content published last.
func (h *lockedWriter) forget(name string) {
	h.tree.root.Remove(LocalName(folderOf(name), lastDir, flattenName(name)))
}

// overwritten finds names about to be written whose last published bytes were
// overwritten by a save that was based on older bytes. The save stays, because it is
// the user's; the overwritten bytes are moved to the attic.
func (h *lockedWriter) overwritten(tx *Tx, writes []write) {
	for _, w := range writes {
		if w.kind == add || !w.over.exists || IsLocal(w.name) || len(tx.past.live) > 0 {
			continue
		}
		where := LocalName(folderOf(w.name), lastDir, flattenName(w.name))
		v, err := h.tree.version(where)
		if err != nil || !v.exists {
			continue
		}
		head, ours, _ := bytes.Cut(v.data, []byte("\n"))
		last := version{exists: true, data: ours}
		if bytes.Equal(ours, w.over.data) || string(head) != last.sum()+" "+w.name {
			continue
		}
		h.moveOverwritten(w.name, w.over, last)
		h.forget(w.name)
	}
}

// moveOverwritten moves ours, which somebody overwrote, to the attic. It does nothing if
// Tree.Safe reports that ours is kept elsewhere, as after the checkout of another
// branch.
func (h *lockedWriter) moveOverwritten(name string, save, ours version) {
	if h.isStale(name, save.data, ours.data) && (h.tree.Safe == nil || !h.tree.Safe(name, save.data, ours.data)) {
		h.incident(name, h.aside(name, ours), "a save made from older bytes took the place of what forgemind had written")
	} else {
		h.keepCopy(name, ours)
	}
}

// isStale reports whether save was based on bytes older than ours: whether it is more
// similar to a recently displaced version than to ours.
func (h *lockedWriter) isStale(name string, save, ours []byte) bool {
	theirs := lines(save)
	far := distance(theirs, lines(ours))
	for former := range h.tree.ReplacedContents(name) {
		if distance(theirs, lines(former)) < far {
			return true
		}
	}
	return false
}

// lines returns the set of lines of text, without indentation and commas of lists.
func lines(text []byte) map[string]bool {
	set := map[string]bool{}
	for line := range bytes.Lines(text) {
		set[string(bytes.TrimRight(bytes.TrimSpace(line), ","))] = true
	}
	return set
}

// distance returns the number of lines that only one of a and b has.
func distance(a, b map[string]bool) int {
	n := len(b)
	for line := range a {
		if b[line] {
			n--
		} else {
			n++
		}
	}
	return n
}
