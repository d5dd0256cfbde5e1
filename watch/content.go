package watch

import (
	"bytes"
	"crypto/sha256"
	iofs "io/fs"
	"os"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
)

const (
	maxHashed = 1 << 20         // larger files are compared by size, time and inode
	young     = 2 * time.Second // two contents less than this apart may have the same stamp
)

// content describes the last known content of a name.
type content struct {
	stat   iofs.FileInfo
	sum    [sha256.Size]byte
	hashed bool
	young  bool // the file was so new that its stamp must not be trusted at the next check
}

// changed reports whether c differs from former.
func (c content) changed(former content) bool {
	if c.hashed && former.hashed {
		return c.sum != former.sum
	}
	return !sameStamp(c.stat, former.stat)
}

// empty reports whether c has no bytes. The bytes that were read count, because a file
// may be truncated after its size was read.
func (c content) empty() bool {
	if c.hashed {
		return c.sum == sha256.Sum256(nil)
	}
	return c.stat.Mode().IsRegular() && c.stat.Size() == 0
}

func sameStamp(a, b iofs.FileInfo) bool {
	return a.Size() == b.Size() && a.Mode() == b.Mode() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}

// read returns the content of name with its hash; fi is its FileInfo.
func (w *Watcher) read(name string, fi iofs.FileInfo) content {
	c := stamp(fi)
	if !fi.Mode().IsRegular() || fi.Size() > maxHashed {
		return c
	}
	if data, err := w.tree.ReadUnsettled(name); err == nil {
		c.sum, c.hashed = sha256.Sum256(data), true
	}
	return c
}

func stamp(fi iofs.FileInfo) content {
	return content{stat: fi, young: time.Since(fi.ModTime()).Abs() < young}
}

// noteContent records the content of name without reporting a change.
func (w *Watcher) noteContent(name string, former map[string]content) {
	fi, err := w.tree.Look(name)
	if err != nil || fi.IsDir() {
		return
	}
	c := stamp(fi)
	if was, ok := former[name]; ok && !was.young && sameStamp(was.stat, fi) {
		c = was
	} else if c.young {
		c = w.read(name, fi)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[name] = c
}

// checkIfChanged checks name only if its stamp changed or cannot be trusted.
func (w *Watcher) checkIfChanged(name string) {
	fi, err := w.tree.Look(name)
	w.mu.Lock()
	was, known := w.known[name]
	w.mu.Unlock()
	if err == nil && known && !was.young && sameStamp(was.stat, fi) {
		return
	}
	w.compare(name, fi, err, false)
}

// look checks name whatever its stamp is.
func (w *Watcher) look(name string) {
	fi, err := w.tree.Look(name)
	w.compare(name, fi, err, false)
}

// compare compares the current content of name with the known one, and adds name to the
// next Batch if it changed. A missing or empty name is checked again later, unless
// final is set.
func (w *Watcher) compare(name string, fi iofs.FileInfo, err error, final bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	was, known := w.known[name]
	if err != nil || fi.IsDir() {
		switch {
		case !known:
			delete(w.doubtful, name)
		case !final:
			w.scheduleCheck(name)
		default:
			delete(w.known, name)
			w.names[name] = true
		}
		return
	}
	now := w.read(name, fi)
	if now.empty() && !final && !(known && was.empty()) {
		w.scheduleCheck(name) // a writer may be between truncating and writing
		return
	}
	delete(w.doubtful, name)
	w.known[name] = now
	if !known || now.changed(was) {
		w.names[name] = true
	}
}

// below returns the known names below dir.
func (w *Watcher) below(dir string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var names []string
	for name := range w.known {
		if dir == "." || strings.HasPrefix(name, dir+"/") {
			names = append(names, name)
		}
	}
	return names
}

// Seen tells the Watcher which changes its user wrote, so that they raise no Batch. It
// compares contents: later changes by others are still reported.
func (w *Watcher) Seen(changes []fs.Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range changes {
		if ignored(c.Name) || len(c.After) > maxHashed {
			continue
		}
		if c.Appended != nil {
			w.appended(c)
			continue
		}
		if c.After == nil {
			delete(w.known, c.Name)
			continue
		}
		if fi, err := w.tree.Look(c.Name); err == nil {
			w.known[c.Name] = content{stat: fi, sum: sha256.Sum256(c.After), hashed: true, young: true}
		}
	}
}

// appended records that the user appended lines to a file, unless another process wrote
// after them. It does not read long files.
func (w *Watcher) appended(c fs.Change) {
	fi, err := w.tree.Look(c.Name)
	if err != nil || fi.Size() > maxHashed {
		return
	}
	if text, err := w.tree.ReadUnsettled(c.Name); err == nil && bytes.HasSuffix(text, c.Appended) {
		w.known[c.Name] = content{stat: fi, sum: sha256.Sum256(text), hashed: true, young: true}
	}
}
