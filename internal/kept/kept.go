// Package kept keeps what the files of a folder hold, by the stamps by which they were
// read, so that a list need not read them all. It is derived: a file that is missing,
// damaged or of another format keeps nothing.
package kept

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	iofs "io/fs"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// maxSize limits the file of an index, in bytes.
const maxSize = 256 << 20

const checksumSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// An Index holds what was kept of a folder, in the order of the names.
type Index struct {
	rest  Scanner
	stamp fs.Stamp // of the entry at work; its Name is "" at the end
	body  string
}

// Load reads the index in the file name of `.local/`. Another format has another heading.
func Load(tree *fs.Tree, name, heading string) *Index {
	f, err := tree.Stream(name)
	if err != nil {
		return Read(strings.NewReader(""), heading)
	}
	defer f.Close()
	return Read(f, heading)
}

// Read is Load of what f gives.
func Read(f io.Reader, heading string) *Index {
	return read(load(f, heading))
}

func read(text string) *Index {
	x := &Index{rest: Scanner{Text: text}}
	x.next()
	return x
}

// load reads what stands behind the checksum; "" where it is damaged.
func load(f io.Reader, heading string) string {
	head := make([]byte, len(heading)+checksumSize)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:len(heading)]) != heading {
		return ""
	}
	want := binary.LittleEndian.Uint32(head[len(heading):])
	var text strings.Builder
	if known, ok := f.(interface{ Stat() (iofs.FileInfo, error) }); ok {
		if fi, err := known.Stat(); err == nil {
			text.Grow(int(min(fi.Size(), maxSize)))
		}
	}
	var sum uint32
	buf := make([]byte, 128<<10)
	for text.Len() <= maxSize {
		n, err := f.Read(buf)
		sum = crc32.Update(sum, castagnoli, buf[:n])
		text.Write(buf[:n])
		switch {
		case err == io.EOF && sum == want:
			return text.String()
		case err != nil:
			return ""
		}
	}
	return ""
}

// next goes on to the next entry. What does not fit ends the index.
func (x *Index) next() {
	s := &x.rest
	x.stamp = fs.Stamp{
		Name: s.String(), Size: int64(s.Fixed()), Written: int64(s.Fixed()), Changed: int64(s.Fixed()),
		Inode: s.Fixed(), Device: s.Fixed(),
	}
	x.body = s.String()
	if s.Bad {
		x.stamp, x.body = fs.Stamp{}, ""
	}
}

// At returns what was kept of the file of a stamp; false where it was not read by that
// very stamp. Stamps come in the order of their names.
func (x *Index) At(stamp fs.Stamp) (body string, ok bool) {
	for x.stamp.Name != "" && x.stamp.Name < stamp.Name {
		x.next()
	}
	return x.body, x.stamp == stamp
}

// A Writer collects the entries of an index, which come in the order of their names.
type Writer struct{ entries []byte }

// Add adds what is to be kept of the file of a stamp.
func (w *Writer) Add(s fs.Stamp, body []byte) {
	e := AppendText(w.entries, s.Name)
	for _, n := range [...]uint64{uint64(s.Size), uint64(s.Written), uint64(s.Changed), s.Inode, s.Device} {
		e = binary.LittleEndian.AppendUint64(e, n)
	}
	w.entries = append(binary.AppendUvarint(e, uint64(len(body))), body...)
}

// Save writes the index to the file name of `.local/`. Where that cannot be done, the next
// list takes longer, that is all.
func (w *Writer) Save(tree *fs.Tree, name, heading string) {
	if b := w.Bytes(heading); len(b) <= maxSize && !tree.DryRun {
		_ = tree.Derive(name, b)
	}
}

// Bytes returns the whole index: the heading, a checksum of the rest, and the entries. The
// same entries give the same bytes.
func (w *Writer) Bytes(heading string) []byte {
	start := len(heading) + checksumSize
	b := append(make([]byte, 0, start+len(w.entries)), heading...)
	b = append(b, make([]byte, checksumSize)...)
	b = append(b, w.entries...)
	binary.LittleEndian.PutUint32(b[len(heading):], crc32.Checksum(b[start:], castagnoli))
	return b
}

// AppendText appends a text as Scanner.String reads it.
func AppendText[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
