// Package kept stores values derived from the files of a folder together with the stamps of these
// files, so that a list need not read every file. The index is derived data: one that is missing,
// damaged or of another format counts as empty.
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

// An Index holds the entries of a folder, sorted by the names of the files.
type Index struct {
	rest  Scanner
	head  string
	stamp fs.Stamp // of the current entry; its Name is "" at the end
	body  string
}

// Load reads the index in the file called name of `.local/`. The heading identifies its format.
func Load(tree *fs.Tree, name, heading string) *Index {
	f, err := tree.Stream(name)
	if err != nil {
		return Read(strings.NewReader(""), heading)
	}
	defer f.Close()
	return Read(f, heading)
}

// Read reads an index from f. It is otherwise like Load.
func Read(f io.Reader, heading string) *Index {
	return read(load(f, heading))
}

func read(text string) *Index {
	x := &Index{rest: Scanner{Text: text}}
	x.head = x.rest.String()
	x.Next()
	return x
}

// load returns the text after the checksum, or "" if the index is damaged.
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

// Head returns the text that the writer stored for the index as a whole.
func (x *Index) Head() string { return x.head }

// Len returns the number of bytes of the index that were not read yet.
func (x *Index) Len() int { return len(x.rest.Text) + len(x.body) }

// Name returns the name of the current entry, or "" at the end.
func (x *Index) Name() string { return x.stamp.Name }

// Next moves to the next entry. A malformed entry ends the index.
func (x *Index) Next() {
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

// At returns what is stored for the file of a stamp. It reports false if the entry has another
// stamp. Callers ask in the order of the names.
func (x *Index) At(stamp fs.Stamp) (body string, ok bool) {
	for x.stamp.Name != "" && x.stamp.Name < stamp.Name {
		x.Next()
	}
	return x.body, x.stamp == stamp
}

// A Writer collects the entries of an index. They are added in the order of their names.
type Writer struct{ entries []byte }

// Add adds the value body for the file of a stamp.
func (w *Writer) Add(s fs.Stamp, body []byte) {
	e := AppendText(w.entries, s.Name)
	for _, n := range [...]uint64{uint64(s.Size), uint64(s.Written), uint64(s.Changed), s.Inode, s.Device} {
		e = binary.LittleEndian.AppendUint64(e, n)
	}
	w.entries = append(binary.AppendUvarint(e, uint64(len(body))), body...)
}

// Save writes the index to the file called name of `.local/`. A failure is ignored, because it only
// makes the next list slower.
func (w *Writer) Save(tree *fs.Tree, name, heading, head string) {
	if b := w.Bytes(heading, head); len(b) <= maxSize && !tree.DryRun {
		_ = tree.WriteDerived(name, b)
	}
}

// Bytes returns the whole index: the heading, a checksum of the rest, the text head, and the
// entries. The same entries give the same bytes.
func (w *Writer) Bytes(heading, head string) []byte {
	start := len(heading) + checksumSize
	b := append(make([]byte, 0, start+len(head)+binary.MaxVarintLen64+len(w.entries)), heading...)
	b = append(b, make([]byte, checksumSize)...)
	b = append(AppendText(b, head), w.entries...)
	binary.LittleEndian.PutUint32(b[len(heading):], crc32.Checksum(b[start:], castagnoli))
	return b
}

// AppendText appends s in the form that Scanner.String reads.
func AppendText[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
