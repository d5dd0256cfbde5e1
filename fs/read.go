package fs

import (
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"os"
	"strings"
	"time"
)

// Limits of what is read into memory, in bytes.
const (
	maxFile  = 8 << 20
	maxJSONL = 1 << 30 // JSONL has no cap of its own; this is what a Read can hold
	maxIndex = 256 << 20
)

// A version is the content of a name at one moment.
type version struct {
	exists  bool
	data    []byte
	mode    iofs.FileMode // permission bits
	changed time.Time
}

// meta is what fstat says of an open file, as far as we care.
type meta struct {
	mode    iofs.FileMode
	size    int64
	links   uint64
	changed time.Time
}

// Read returns the bytes at name, which may also be a file of the project
// outside the two folders, there by any Unicode form of its name. A missing name is io/fs.ErrNotExist; what is no
// plain file with one link is ErrIrregular; more than 8 MiB (1 GiB of JSONL)
// is ErrTooLarge, and so is more than 256 MiB of what is derived (see Derive).
// A document that an editor is in the middle of saving is waited for, 2 s at
// most; then Read gives what stands there.
func (t *Tree) Read(name string) ([]byte, error) { return t.ReadAppend(nil, name) }

// ReadStored is Read of what stands on the disk, whatever View makes of it.
func (t *Tree) ReadStored(name string) ([]byte, error) { return t.readSettled(nil, name) }

// ReadAppend is Read into the spare room of buf, for those who read thousands
// of files one after the other.
func (t *Tree) ReadAppend(buf []byte, name string) ([]byte, error) {
	data, err := t.readSettled(buf, name)
	return t.viewed(buf, name, data, err)
}

// readSettled waits for whoever is saving the document.
func (t *Tree) readSettled(buf []byte, name string) ([]byte, error) {
	for start := time.Now(); ; time.Sleep(lookAgain) {
		data, changed, err := t.readOnce(buf, name)
		if err != nil && !isNotExist(err) || Place(name) == NoDoc {
			return data, err
		}
		v := version{exists: err == nil, data: data[len(buf):], changed: changed}
		if !t.saving(name, v, time.Since(start)) {
			return data, err
		}
		t.step("unsettled", name)
	}
}

// viewed returns what a reader is to see of name, where data or err is what stands
// there behind buf; see Tree.View.
func (t *Tree) viewed(buf []byte, name string, data []byte, err error) ([]byte, error) {
	if doc := Place(name); t.View == nil || doc != DocState && doc != DocHotContext {
		return data, err
	}
	var src []byte
	if err == nil {
		src = data[len(buf):]
	}
	seen, wrong := t.View(name, src)
	if wrong != nil || seen == nil {
		return data, errors.Join(err, wrong)
	}
	return append(buf, seen...), nil
}

// ReadUnsettled is Read that waits for no editor: what it gives may be the middle
// of a save.
func (t *Tree) ReadUnsettled(name string) ([]byte, error) {
	data, _, err := t.readOnce(nil, name)
	return data, err
}

func (t *Tree) readOnce(buf []byte, name string) (data []byte, changed time.Time, err error) {
	if err := admit(name); err != nil {
		return buf, changed, err
	}
	data, m, err := t.readCalled(buf, name)
	return data, m.changed, err
}

// readCalled is readAt, of a file of the project also by another form of its name.
func (t *Tree) readCalled(buf []byte, name string) ([]byte, meta, error) {
	data, m, err := t.readAt(buf, name)
	if isNotExist(err) {
		if other := t.called(name); other != name {
			return t.readAt(buf, other)
		}
	}
	return data, m, err
}

// Stream opens name for reading it piece by piece, whatever its size.
func (t *Tree) Stream(name string) (io.ReadCloser, error) {
	if err := admit(name); err != nil {
		return nil, err
	}
	f, err := t.open(name, os.O_RDONLY, 0)
	if isNotExist(err) {
		f, err = t.open(t.called(name), os.O_RDONLY, 0)
	}
	if err != nil {
		return nil, err
	}
	m, err := stat(f)
	if err == nil {
		err = m.plain(name)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// version reads what stands at name now; that nothing does is no error.
func (t *Tree) version(name string) (version, error) {
	data, m, err := t.readCalled(nil, name)
	if isNotExist(err) {
		return version{}, nil
	}
	if err != nil {
		return version{}, err
	}
	return version{exists: true, data: data, mode: m.mode.Perm(), changed: m.changed}, nil
}

// plain refuses what is not a regular file of its own: a FIFO would hang, a
// hard link would show a file from outside.
func (m meta) plain(name string) error {
	if !m.mode.IsRegular() {
		return fmt.Errorf("%s: %w", name, ErrIrregular)
	}
	if m.links > 1 {
		return fmt.Errorf("%s: %w of its own: it has %d links", name, ErrIrregular, m.links)
	}
	return nil
}

// fits refuses what is too large to be read into memory.
func (m meta) fits(name string) error {
	limit := int64(maxFile)
	switch {
	case isJSONL(name) || holdsAny(name):
		limit = maxJSONL
	case isIndex(name):
		limit = maxIndex
	}
	if m.size > limit {
		return fmt.Errorf("%s: %w: %d bytes, at most %d", name, ErrTooLarge, m.size, limit)
	}
	return nil
}

// holdsAny says whether name stands where transactions keep the bytes of any
// document, JSONL among them.
func holdsAny(name string) bool {
	if !IsLocal(name) {
		return false
	}
	_, rest, _ := strings.Cut(name, "/"+LocalDir+"/")
	dir, _, _ := strings.Cut(rest, "/")
	switch dir {
	case stageDir, txnDir, displacedDir, recoveredDir, trashDir, lastDir:
		return true
	}
	return false
}

// isIndex says whether name stands where the rooms keep what they derive.
func isIndex(name string) bool {
	_, rest, _ := strings.Cut(name, "/")
	return strings.HasPrefix(rest, LocalDir+"/"+indexDir+"/")
}

func isJSONL(name string) bool { return strings.HasSuffix(name, ".jsonl") }

// stat is fstat.
func stat(f *os.File) (meta, error) {
	fi, err := f.Stat()
	if err != nil {
		return meta{}, err
	}
	return meta{mode: fi.Mode(), size: fi.Size(), links: links(fi), changed: fi.ModTime()}, nil
}

// grow makes room for n more bytes.
func grow(buf []byte, n int64) []byte {
	if int64(cap(buf)-len(buf)) >= n {
		return buf
	}
	bigger := make([]byte, len(buf), int64(len(buf))+n)
	copy(bigger, buf)
	return bigger
}
