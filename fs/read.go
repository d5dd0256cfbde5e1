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

// Limits for reading into memory, in bytes.
const (
	maxFile  = 8 << 20
	maxJSONL = 1 << 30 // JSONL has no limit of its own; this is the largest size of one Read
	maxIndex = 256 << 20
)

// A version is the content of a name at one moment.
type version struct {
	exists  bool
	data    []byte
	mode    iofs.FileMode // permission bits
	changed time.Time
}

// meta holds the values of fstat that the package uses.
type meta struct {
	mode    iofs.FileMode
	size    int64
	links   uint64
	changed time.Time
}

// Read returns the bytes at name, which may also be a file of the project outside the
// two folders. The error is io/fs.ErrNotExist for a missing name, ErrIrregular if it is
// not a regular file with one link, and ErrTooLarge for more than 8 MiB (1 GiB of
// JSONL, 256 MiB of derived data; see WriteDerived). If an editor is saving the document,
// Read waits up to 2 s, and then returns the current content.
func (t *Tree) Read(name string) ([]byte, error) { return t.ReadAppend(nil, name) }

// ReadStored is Read of the bytes on disk, without Tree.View.
func (t *Tree) ReadStored(name string) ([]byte, error) { return t.readSettled(nil, name) }

// ReadAppend is Read that appends to buf, for callers that read thousands of files in
// sequence.
func (t *Tree) ReadAppend(buf []byte, name string) ([]byte, error) {
	data, err := t.readSettled(buf, name)
	return t.viewed(buf, name, data, err)
}

// readSettled reads name, and waits while an editor is saving it.
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
	}
}

// viewed returns the content of name for readers; data, after buf, or err is the result
// of reading the disk. See Tree.View.
func (t *Tree) viewed(buf []byte, name string, data []byte, err error) ([]byte, error) {
	if doc := Place(name); t.View == nil || doc != DocState && doc != DocHotContext && !IsContext(name) {
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

// ReadUnsettled is Read without waiting for editors: the result may be the middle of a
// save.
func (t *Tree) ReadUnsettled(name string) ([]byte, error) {
	data, _, err := t.readOnce(nil, name)
	return data, err
}

func (t *Tree) readOnce(buf []byte, name string) (data []byte, changed time.Time, err error) {
	if err := checkName(name); err != nil {
		return buf, changed, err
	}
	data, m, err := t.readAt(buf, name)
	return data, m.changed, err
}

// Stream opens name for reading, whatever its size.
func (t *Tree) Stream(name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	f, _, err := t.openFile(name)
	if err != nil {
		return nil, err // not a nil *os.File
	}
	return f, nil
}

// openFile opens the regular file name for reading.
func (t *Tree) openFile(name string) (*os.File, meta, error) {
	f, err := t.open(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, meta{}, err
	}
	m, err := stat(f)
	if err == nil {
		err = m.plain(name)
	}
	if err != nil {
		f.Close()
		return nil, m, err
	}
	return f, m, nil
}

// version returns the current content of name. A missing name is not an error.
func (t *Tree) version(name string) (version, error) {
	data, m, err := t.readAt(nil, name)
	if isNotExist(err) {
		return version{}, nil
	}
	if err != nil {
		return version{}, err
	}
	return version{exists: true, data: data, mode: m.mode.Perm(), changed: m.changed}, nil
}

// plain returns ErrIrregular unless m is a regular file with one link: reading a FIFO
// would block, and a hard link could show a file from outside.
func (m meta) plain(name string) error {
	if !m.mode.IsRegular() {
		return fmt.Errorf("%s: %w", name, ErrIrregular)
	}
	if m.links > 1 {
		return fmt.Errorf("%s: %w of its own: it has %d links", name, ErrIrregular, m.links)
	}
	return nil
}

// fits returns ErrTooLarge if the file is too large to be read into memory.
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

// holdsAny reports whether name is in a folder where transactions keep bytes of any
// document, including JSONL.
func holdsAny(name string) bool {
	if !IsLocal(name) {
		return false
	}
	_, rest, _ := strings.Cut(name, "/"+LocalDir+"/")
	dir, _, _ := strings.Cut(rest, "/")
	switch dir {
	case stageDir, txnDir, displacedDir, atticDir, recoveredDir, trashDir, lastDir:
		return true
	}
	return false
}

// isIndex reports whether name is in a folder of derived data.
func isIndex(name string) bool {
	_, rest, _ := strings.Cut(name, "/")
	return strings.HasPrefix(rest, LocalDir+"/"+indexDir+"/")
}

func isJSONL(name string) bool { return strings.HasSuffix(name, ".jsonl") }

// stat returns the metadata of an open file.
func stat(f *os.File) (meta, error) {
	fi, err := f.Stat()
	if err != nil {
		return meta{}, err
	}
	return meta{mode: fi.Mode(), size: fi.Size(), links: links(fi), changed: fi.ModTime()}, nil
}

// grow returns buf with capacity for n more bytes.
func grow(buf []byte, n int64) []byte {
	if int64(cap(buf)-len(buf)) >= n {
		return buf
	}
	bigger := make([]byte, len(buf), int64(len(buf))+n)
	copy(bigger, buf)
	return bigger
}
