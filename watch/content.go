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
	maxHashed = 1 << 20         // larger files are told apart by size, time and inode
	young     = 2 * time.Second // so near in time, two contents may bear one stamp
)

// content is what is known of the content of a name.
type content struct {
	stat   iofs.FileInfo
	sum    [sha256.Size]byte
	hashed bool
	young  bool // it was so new that the next look must not trust its stamp
}

// changed says whether c holds something else than former.
func (c content) changed(former content) bool {
	if c.hashed && former.hashed {
		return c.sum != former.sum
	}
	return !sameStamp(c.stat, former.stat)
}

// empty says whether c holds nothing. What was read counts: a file may be
// truncated after its size was seen.
func (c content) empty() bool {
	if c.hashed {
		return c.sum == sha256.Sum256(nil)
	}
	return c.stat.Mode().IsRegular() && c.stat.Size() == 0
}

func sameStamp(a, b iofs.FileInfo) bool {
	return a.Size() == b.Size() && a.Mode() == b.Mode() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}

// read takes note of what stands at name, which fi was seen of, with its hash.
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

// note remembers what stands at name, without telling anybody.
func (w *Watcher) note(name string, former map[string]content) {
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

// glance looks at name only if its stamp says that there is a reason.
func (w *Watcher) glance(name string) {
	fi, err := w.tree.Look(name)
	w.mu.Lock()
	was, known := w.known[name]
	w.mu.Unlock()
	if err == nil && known && !was.young && sameStamp(was.stat, fi) {
		return
	}
	w.compare(name, fi, err, false)
}

// look looks at name whatever its stamp says.
func (w *Watcher) look(name string) {
	fi, err := w.tree.Look(name)
	w.compare(name, fi, err, false)
}

// compare compares what was seen of name with what is known of it, and puts it
// into the next Batch if it changed. What is gone or empty is looked at again
// later, unless this is the final look.
func (w *Watcher) compare(name string, fi iofs.FileInfo, err error, final bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	was, known := w.known[name]
	if err != nil || fi.IsDir() {
		switch {
		case !known:
			delete(w.doubtful, name)
		case !final:
			w.doubt(name)
		default:
			delete(w.known, name)
			w.names[name] = true
		}
		return
	}
	now := w.read(name, fi)
	if now.empty() && !final && !(known && was.empty()) {
		w.doubt(name) // somebody may be between truncating and writing
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

// Seen tells the Watcher what its user wrote, so that this raises no Batch.
// Content decides: what others wrote since does.
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

// appended takes note of a file that its user added lines to, unless somebody
// else wrote behind them. A long file is not read for it.
func (w *Watcher) appended(c fs.Change) {
	fi, err := w.tree.Look(c.Name)
	if err != nil || fi.Size() > maxHashed {
		return
	}
	if text, err := w.tree.ReadUnsettled(c.Name); err == nil && bytes.HasSuffix(text, c.Appended) {
		w.known[c.Name] = content{stat: fi, sum: sha256.Sum256(text), hashed: true, young: true}
	}
}
