package ledger

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	iofs "io/fs"
	"math"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// indexName is where the index of a home's Ledger stands: what its files hold,
// so that a list need not read them all. It is derived, and believed of a file
// only while the file's stamp is the one it was read by.
func indexName(home string) string { return fs.LocalName(home, "index", fs.DecisionsDir) }

const (
	// worthIndexing is how many files must have been read for an index to be
	// written: fewer are read sooner than written.
	worthIndexing = 256
	// settled is how long a file must have been left alone before its stamp is
	// believed: clocks of file systems tick in up to two seconds, and two
	// writes within one tick have one stamp.
	settled = 2 * time.Second
	// maxIndex is how large an index may be, in bytes.
	maxIndex = 256 << 20
)

// heading begins every index; another format has another number. Behind it come
// the checksum of the rest, how many texts there are in lists, and an entry for
// each file, sorted by name.
const heading = "forgemind decisions 1\n"

const checksumSize = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// An indexWriter collects entries.
type indexWriter struct {
	entries []byte
	listed  int // texts in lists
	body    []byte
}

// add adds the decision that was read by a stamp.
func (w *indexWriter) add(s fs.Stamp, d *schema.Decision) {
	b := w.body[:0]
	for _, text := range texts(d) {
		b = appendText(b, *text)
	}
	for _, list := range lists(d) {
		if *list == nil {
			b = append(b, 0)
			continue
		}
		w.listed += len(*list)
		b = binary.AppendUvarint(b, uint64(len(*list))+1)
		for _, text := range *list {
			b = appendText(b, text)
		}
	}
	if d.Immutable {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(d.Confidence))
	w.body = b

	e := appendText(w.entries, s.Name)
	for _, n := range [...]uint64{uint64(s.Size), uint64(s.Written), uint64(s.Changed), s.Inode, s.Device} {
		e = binary.LittleEndian.AppendUint64(e, n)
	}
	w.entries = append(binary.AppendUvarint(e, uint64(len(b))), b...)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// bytes is the whole index. The same entries give the same bytes.
func (w *indexWriter) bytes() []byte {
	start := len(heading) + checksumSize
	b := append(make([]byte, 0, start+binary.MaxVarintLen64+len(w.entries)), heading...)
	b = append(b, make([]byte, checksumSize)...)
	b = binary.AppendUvarint(b, uint64(w.listed))
	b = append(b, w.entries...)
	binary.LittleEndian.PutUint32(b[len(heading):], crc32.Checksum(b[start:], castagnoli))
	return b
}

// texts and lists are the members of a decision, in the order of the index.
func texts(d *schema.Decision) [9]*string {
	return [...]*string{&d.ID, &d.Timestamp, &d.Decision, &d.Rationale, &d.DecisionMaker, &d.RecordedBy, &d.Project, &d.Channel, &d.Origin}
}

func lists(d *schema.Decision) [4]*[]string {
	return [...]*[]string{&d.AlternativesRejected, &d.Impact, (*[]string)(&d.Supersedes), &d.Files}
}

// load reads what stands behind the checksum of an index; "" where there is
// none, or it is damaged.
func load(f io.Reader) string {
	head := make([]byte, len(heading)+checksumSize)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:len(heading)]) != heading {
		return ""
	}
	want := binary.LittleEndian.Uint32(head[len(heading):])
	var text strings.Builder
	if known, ok := f.(interface{ Stat() (iofs.FileInfo, error) }); ok {
		if fi, err := known.Stat(); err == nil {
			text.Grow(int(min(fi.Size(), maxIndex)))
		}
	}
	var sum uint32
	buf := make([]byte, 128<<10)
	for text.Len() <= maxIndex {
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

// An index is what an earlier reading of a home found, in the order of the
// names. Whatever stands in it, and what does not fit ends it.
type index struct {
	rest  scanner
	arena []string // for the texts of lists

	stamp fs.Stamp // of the entry at work; its Name is "" at the end
	body  string
}

func openIndex(text string) *index {
	x := &index{rest: scanner{text: text}}
	x.arena = make([]string, x.rest.count())
	x.next()
	return x
}

// next goes on to the next entry.
func (x *index) next() {
	s := &x.rest
	x.stamp = fs.Stamp{
		Name: s.string(), Size: int64(s.fixed()), Written: int64(s.fixed()), Changed: int64(s.fixed()),
		Inode: s.fixed(), Device: s.fixed(),
	}
	x.body = s.string()
	if s.bad {
		x.stamp, x.body = fs.Stamp{}, ""
	}
}

// decision fills in what the file of a stamp held when it was read by that very
// stamp; false: it must be read. Stamps come in the order of their names.
func (x *index) decision(stamp fs.Stamp, d *schema.Decision) bool {
	for x.stamp.Name != "" && x.stamp.Name < stamp.Name {
		x.next()
	}
	if x.stamp != stamp {
		return false
	}
	s := scanner{text: x.body}
	for _, text := range texts(d) {
		*text = s.string()
	}
	for _, list := range lists(d) {
		n := s.count()
		if n == 0 { // a list that is not there
			continue
		}
		if n--; n > len(x.arena) {
			return false
		}
		*list, x.arena = x.arena[:n:n], x.arena[n:]
		for i := range *list {
			(*list)[i] = s.string()
		}
	}
	d.Immutable = s.take(1) == "\x01"
	d.Confidence = math.Float64frombits(s.fixed())
	return !s.bad && s.text == ""
}

// Indexed returns a function that reports whether the indexes of the Ledger know a
// decision: then the Ledger had it. They are read at the first call.
func Indexed(tree *fs.Tree) func(id string) bool {
	ids := sync.OnceValue(func() map[string]bool {
		ids := map[string]bool{}
		for _, home := range homes {
			for x := openIndex(stored(tree, home)); x.stamp.Name != ""; x.next() {
				ids[strings.TrimSuffix(path.Base(x.stamp.Name), ".json")] = true
			}
		}
		return ids
	})
	return func(id string) bool { return ids()[id] }
}

// A scanner takes values off the front of a text; bad says that one was not
// there. The strings it gives share the memory of the text.
type scanner struct {
	text string
	bad  bool
}

func (s *scanner) take(n uint64) string {
	if s.bad || n > uint64(len(s.text)) {
		s.bad, s.text = true, ""
		return ""
	}
	front := s.text[:n]
	s.text = s.text[n:]
	return front
}

func (s *scanner) string() string { return s.take(s.uvarint()) }

// count is a number of things that take a byte each, at least.
func (s *scanner) count() int {
	n := s.uvarint()
	if n > uint64(len(s.text)) {
		s.bad = true
		return 0
	}
	return int(n)
}

func (s *scanner) uvarint() uint64 {
	if s.text != "" && s.text[0] < 0x80 { // most are small
		n := uint64(s.text[0])
		s.text = s.text[1:]
		return n
	}
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		c := s.take(1)
		if s.bad {
			return 0
		}
		if n |= uint64(c[0]&0x7f) << shift; c[0] < 0x80 {
			return n
		}
	}
	s.bad = true
	return 0
}

func (s *scanner) fixed() uint64 {
	front := s.take(8)
	if s.bad {
		return 0
	}
	return binary.LittleEndian.Uint64([]byte(front))
}
