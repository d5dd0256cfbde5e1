package fs

import (
	"bytes"
	"os"
)

// remember keeps a copy of what was published over something else, so that the
// next transaction can tell whether an editor, working from older bytes, saved
// over it. It is not synced: it is only of use while editors are open. What is
// not final, because a save came between, is not remembered.
func (h *turn) remember(w write, final bool) {
	if IsLocal(w.name) || w.kind == add {
		return
	}
	// Of what was not there before nobody can have older bytes open.
	if !final || w.kind == remove || !w.over.exists || len(w.data) > maxFile {
		h.forget(w.name)
		return
	}
	d, err := h.dir(LocalName(folderOf(w.name), lastDir))
	if err != nil {
		return
	}
	f, err := h.tree.open(d.name+"/"+flat(w.name), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	if m, err := stat(f); err != nil || m.plain(w.name) != nil {
		return
	}
	// Not truncated first: some filesystems write such a file out at once.
	text := append([]byte(version{exists: true, data: w.data}.sum()+" "+w.name+"\n"), w.data...)
	if n, err := f.WriteAt(text, 0); err == nil {
		f.Truncate(int64(n))
	}
}

// forget drops the copy of name, which is no longer what was published last.
func (h *turn) forget(name string) {
	h.tree.root.Remove(LocalName(folderOf(name), lastDir, flat(name)))
}

// overwritten looks whether what was published last is gone from the names
// that are about to be written, by a save that was made from older bytes. The
// save stands, for it is the user's; ours is put aside.
func (h *turn) overwritten(tx *Tx, writes []write) {
	for _, w := range writes {
		if w.kind == add || !w.over.exists || IsLocal(w.name) || len(tx.past.live) > 0 {
			continue
		}
		where := LocalName(folderOf(w.name), lastDir, flat(w.name))
		v, err := h.tree.version(where)
		if err != nil || !v.exists {
			continue
		}
		head, ours, _ := bytes.Cut(v.data, []byte("\n"))
		last := version{exists: true, data: ours}
		if bytes.HasPrefix(w.over.data, ours) || string(head) != last.sum()+" "+w.name {
			continue // nothing of ours is gone; others may have added lines
		}
		h.overtaken(w.name, w.over, last)
		h.forget(w.name)
	}
}

// overtaken puts ours aside, which somebody has saved over. Where others keep it
// that was on purpose, as when another branch is checked out.
func (h *turn) overtaken(name string, save, ours version) {
	if h.stale(name, save.data, ours.data) && (h.tree.Safe == nil || !h.tree.Safe(name, save.data, ours.data)) {
		h.incident(name, h.aside(name, ours), "a save made from older bytes took the place of what forgemind had written")
	} else {
		h.keepCopy(name, ours)
	}
}

// stale says whether save was made from bytes older than ours: whether it is
// nearer to one of the versions that were displaced lately.
func (h *turn) stale(name string, save, ours []byte) bool {
	theirs := lines(save)
	far := distance(theirs, lines(ours))
	for former := range h.tree.Displaced(name) {
		if distance(theirs, lines(former)) < far {
			return true
		}
	}
	return false
}

// lines is the set of lines of a text, without what laying out a list adds.
func lines(text []byte) map[string]bool {
	set := map[string]bool{}
	for line := range bytes.Lines(text) {
		set[string(bytes.TrimRight(bytes.TrimSpace(line), ","))] = true
	}
	return set
}

// distance counts the lines that only one of the two has.
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
