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

// Limits of displaced/.
const (
	ringFiles = 64
	ringBytes = 16 << 20
	ringAge   = 7 * 24 * time.Hour
	ringYouth = 10 * time.Second // an editor may still write to the file that it had open
	quiet     = 200 * time.Millisecond
)

// keepReplaced moves displaced files to displaced/. They stay the same files: if an editor has
// one open and writes to it later, its content no longer has the sum in its name.
func (h *lockedWriter) keepReplaced() {
	for _, d := range h.displaced {
		to, err := h.dir(LocalName(folderOf(d.name), displacedDir))
		if err == nil {
			err = h.tree.move(d.from, d.file, to, ringName(d.name, d.seen), replacing)
		}
		if isCrossDevice(err) && h.keepCopy(d.name, d.seen) == nil {
			err = h.tree.root.Remove(d.from.name + "/" + d.file)
		}
		h.litter = h.litter || err != nil
	}
	h.displaced = nil
}

func ringName(name string, v version) string {
	return fmt.Sprintf("%016x-%s-%s", time.Now().UnixNano(), v.sum(), flattenName(name))
}

// keepCopy puts a copy of v into displaced/.
func (h *lockedWriter) keepCopy(name string, v version) error {
	to, err := h.dir(LocalName(folderOf(name), displacedDir))
	if err != nil {
		return err
	}
	return h.tree.createFile(to.name+"/"+ringName(name, v), v.data, 0o600)
}

// A kept is one file of displaced/.
type kept struct {
	file, name, sum string
	since           time.Time
	size            int64
	changed         time.Time
}

// lost reports whether k no longer has the displaced bytes: power was lost before the
// system had written them, or an editor has just truncated the file.
func (k kept) lost() bool {
	return k.size == 0 && k.sum != version{exists: true}.sum()
}

// sweepReplaced looks for late writes to displaced files, and keeps displaced/ and stage/
// within their limits. It uses at most a twentieth of the time and runs every 5 s at
// most. If always is set, it runs at once.
func (h *lockedWriter) sweepReplaced(l *lock, always bool) {
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
		// File times are coarse: one tick early counts as late.
		if k.changed.After(k.since.Add(-20*time.Millisecond)) && (age < ringYouth || k.changed.After(k.since)) {
			if h.hasLateWrite(d, k) {
				continue
			}
		}
		if age < ringYouth || count <= ringFiles && total <= ringBytes && age <= ringAge {
			continue
		}
		if h.hasLateWrite(d, k) {
			continue
		}
		if h.tree.root.Remove(home+"/"+k.file) == nil {
			count--
			total -= k.size
		}
	}
}

// ReplacedContents yields the contents that writes have replaced at name recently, newest
// first. Editors may have written to them since.
func (t *Tree) ReplacedContents(name string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		d, err := t.openDir(LocalName(folderOf(name), displacedDir))
		if err != nil {
			return
		}
		defer d.Close()
		for _, k := range slices.Backward(t.listKept(d)) {
			if flattenName(k.name) != flattenName(name) {
				continue
			}
			if v, err := t.version(path.Join(d.name, k.file)); err == nil && v.exists && !yield(v.data) {
				return
			}
		}
	}
}

// ReplacedContents is Tree.ReplacedContents of the transaction's tree.
func (tx *Tx) ReplacedContents(name string) iter.Seq[[]byte] { return tx.tree.ReplacedContents(name) }

// listKept lists displaced/, oldest first.
func (t *Tree) listKept(d *dir) []kept {
	files, _ := d.Readdirnames(-1)
	slices.Sort(files)
	var all []kept
	for _, file := range files {
		parts := strings.SplitN(file, "-", 3)
		if len(parts) != 3 || folderOf(unflattenName(parts[2])) != folderOf(d.name) {
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
			all = append(all, kept{file, unflattenName(parts[2]), parts[1], time.Unix(0, since), m.size, m.changed})
		}
	}
	return all
}

// hasLateWrite reports whether k was written to after it was displaced. No document contains
// such a save, so it is moved to the attic once it is complete.
func (h *lockedWriter) hasLateWrite(d *dir, k kept) bool {
	where := d.name + "/" + k.file
	v, err := h.tree.version(where)
	if err != nil || !v.exists {
		return true
	}
	if v.sum() == k.sum {
		return false
	}
	if time.Since(v.changed) < quiet || h.tree.unsettled(k.name, v) {
		return true
	}
	h.incident(k.name, h.aside(k.name, v), "a save went into the file that forgemind had just replaced, so that it is not live")
	h.tree.move(d, k.file, d, ringName(k.name, v), replacing)
	return true
}
