package fs

import (
	"fmt"
	"iter"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// What displaced/ keeps.
const (
	ringFiles = 64
	ringBytes = 16 << 20
	ringAge   = 7 * 24 * time.Hour
	ringYouth = 10 * time.Second // an editor may still write to what it had open
)

// ring moves what was displaced to displaced/. It stays the same file: an
// editor that has it open and writes to it later is noticed by the sum in its
// name.
func (h *turn) ring() {
	for _, d := range h.displaced {
		to, err := h.dir(LocalName(folderOf(d.name), displacedDir))
		if err == nil {
			err = h.tree.move(d.from, d.file, to, ringName(d.name, d.seen, d.since), replacing)
		}
		if isCrossDevice(err) && h.keepCopy(d.name, d.seen) == nil {
			err = h.tree.root.Remove(d.from.name + "/" + d.file)
		}
		h.litter = h.litter || err != nil
	}
	h.displaced = nil
}

// ringName returns the name that bytes of name have in displaced/ if they were v at since.
func ringName(name string, v version, since time.Time) string {
	return fmt.Sprintf("%016x-%s-%s", since.UnixNano(), v.sum(), flat(name))
}

// keepCopy puts a copy of v into displaced/.
func (h *turn) keepCopy(name string, v version) error {
	to, err := h.dir(LocalName(folderOf(name), displacedDir))
	if err != nil {
		return err
	}
	return h.tree.createFile(to.name+"/"+ringName(name, v, time.Now()), v.data, 0o600)
}

// A kept is one file of displaced/.
type kept struct {
	file, name, sum string
	since           time.Time
	size            int64
	changed         time.Time
}

// lost reports whether k holds nothing of what was displaced: a power cut came
// before the system had written the bytes, or an editor has just truncated it.
func (k kept) lost() bool {
	return k.size == 0 && k.sum != version{exists: true}.sum()
}

// sweep looks for late writes to what was displaced, and keeps displaced/
// and stage/ within their limits. It may take a twentieth of the time, 5 s apart at most;
// always says that it is due anyway.
func (h *turn) sweep(l *lock, always bool) {
	start := time.Now()
	if due := l.record.sweep; !always && start.Before(due) && due.Sub(start) < ringYouth {
		return
	}
	defer func() {
		l.record.sweep = time.Now().Add(min(20*time.Since(start), ringYouth/2))
	}()
	h.sweepStage(l.folder, start)
	home := LocalName(l.folder, displacedDir)
	d, err := h.tree.openDir(home)
	if err != nil {
		return
	}
	defer d.Close()
	all := h.tree.listKept(d)
	count, total := len(all), int64(0)
	for _, k := range all {
		total += k.size
	}
	for _, k := range all {
		age := start.Sub(k.since)
		if k.lost() {
			if age >= ringYouth && h.tree.root.Remove(home+"/"+k.file) == nil {
				count--
			}
			continue
		}
		// Clocks of files are coarse: one tick early counts as late.
		if k.changed.After(k.since.Add(-h.tree.grain)) && h.late(d, k) {
			continue
		}
		if age < ringYouth || count <= ringFiles && total <= ringBytes && age <= ringAge {
			continue
		}
		if h.late(d, k) {
			continue
		}
		if h.tree.root.Remove(home+"/"+k.file) == nil {
			count--
			total -= k.size
		}
	}
}

// Displaced yields what writes have replaced at name lately, the newest first. Editors
// may have written to it since.
func (t *Tree) Displaced(name string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		d, err := t.openDir(LocalName(folderOf(name), displacedDir))
		if err != nil {
			return
		}
		defer d.Close()
		for _, k := range slices.Backward(t.listKept(d)) {
			if flat(k.name) != flat(name) {
				continue
			}
			if v, err := t.version(path.Join(d.name, k.file)); err == nil && v.exists && !yield(v.data) {
				return
			}
		}
	}
}

// Displaced is that of the tree.
func (tx *Tx) Displaced(name string) iter.Seq[[]byte] { return tx.tree.Displaced(name) }

// listKept lists displaced/, oldest first.
func (t *Tree) listKept(d *dir) []kept {
	files, _ := d.Readdirnames(-1)
	slices.Sort(files)
	var all []kept
	for _, file := range files {
		parts := strings.SplitN(file, "-", 3)
		if len(parts) != 3 || folderOf(unflat(parts[2])) != folderOf(d.name) {
			continue
		}
		since, err := strconv.ParseInt(parts[0], 16, 64)
		if err != nil {
			continue
		}
		f, err := t.open(d.name+"/"+file, os.O_RDONLY, 0)
		if err != nil {
			continue
		}
		m, err := stat(f)
		f.Close()
		if err == nil {
			all = append(all, kept{file, unflat(parts[2]), parts[1], time.Unix(0, since), m.size, m.changed})
		}
	}
	return all
}

// late says whether k was written to after it was displaced. Such a save is
// live nowhere: it is put aside, once it is complete.
func (h *turn) late(d *dir, k kept) bool {
	where, now := d.name+"/"+k.file, time.Now()
	v, err := h.tree.version(where)
	if err != nil || !v.exists {
		return true
	}
	if v.sum() == k.sum {
		return false
	}
	if now.Sub(v.changed) < h.tree.saveTime.quiet || h.tree.unsettled(k.name, v) {
		return true
	}
	h.incident(k.name, h.aside(k.name, v), "a save went into the file that forgemind had just replaced, so that it is not live")
	h.tree.move(d, k.file, d, ringName(k.name, v, now), replacing)
	return true
}
