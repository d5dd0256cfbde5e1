package recall

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"math"
	"sort"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/relevance"
)

// A volume says of many files which texts they hold, where those stand and which
// words are in them. Its texts come in the order of the files, and in a file in
// the order of their places.
type volume struct {
	parts   []part
	entries []byte
	words   *relevance.Index
}

// A part is what a volume has of one file.
type part struct {
	stamp      fs.Stamp // the file's when it was read; only its Name where that proves nothing
	from, size int64    // the bytes of the file that were read, up to size
	sum        uint32   // the checksum of all bytes up to size
	last       int64    // the time of the last message
	first, end int      // its texts
	src        []byte   // the bytes that were read, where they are held
}

// timeless is the time of messages that name none and follow none that does.
const timeless = math.MinInt64

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// order is the order of files in a volume: of two messages of one time the one
// in its session's own folder comes first.
func order(a, b string) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}

func rank(name string) int {
	switch {
	case strings.HasPrefix(name, fs.Sessions+"/"):
		return 0
	case name == fs.Messages:
		return 1
	}
	return 2
}

// isFragment says whether a file is a fragment; the others are conversations.
func isFragment(name string) bool { return rank(name) == 2 }

// A writer makes a volume of what is read.
type writer struct {
	volume
	builder *relevance.Builder
	doc     jsonedit.Doc
}

// add adds a part, whose first, end, size, sum and last it sets: src is what the
// file has from p.from on, p.sum and p.last are those of what stands before.
func (w *writer) add(p part, src []byte) {
	p.first = w.texts()
	p.size = p.from + int64(len(src))
	p.sum = crc32.Update(p.sum, castagnoli, src)
	if isFragment(p.stamp.Name) {
		f, _ := ReadFragment(p.stamp.Name, src)
		at := int64(timeless)
		if t := f.at(); !t.IsZero() {
			at = t.UnixMilli()
		}
		w.text(entry{size: uint32(len(src)), time: at, key: keyOf("", src)}, f.words())
	} else {
		for line := range jsonedit.Lines(src) {
			s, ok := speech(&w.doc, line.Text)
			if s.timed {
				p.last = s.time
			}
			if ok {
				w.text(entry{uint32(p.from) + uint32(line.Offset), uint32(len(line.Text)), p.last, s.key}, s.words)
			}
		}
	}
	p.end = w.texts()
	w.parts = append(w.parts, p)
}

func (w *writer) text(e entry, words string) {
	w.entries = e.append(w.entries)
	w.builder.Add(words)
}

// An entry is where a text stands in its file. No file is larger than 1 GiB.
type entry struct {
	offset, size uint32
	time         int64 // milliseconds since 1970
	key          key
}

const entrySize = 24

func (e entry) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, e.offset)
	b = binary.LittleEndian.AppendUint32(b, e.size)
	b = binary.LittleEndian.AppendUint64(b, uint64(e.time))
	return binary.LittleEndian.AppendUint64(b, uint64(e.key))
}

func (v *volume) texts() int { return len(v.entries) / entrySize }

func (v *volume) entry(text int) entry {
	b := v.entries[entrySize*text:]
	return entry{
		binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]),
		v.time(text), key(binary.LittleEndian.Uint64(b[16:])),
	}
}

func (v *volume) time(text int) int64 {
	return int64(binary.LittleEndian.Uint64(v.entries[entrySize*text+8:]))
}

// partOf is the number of the part that a text is in.
func (v *volume) partOf(text int) int {
	return sort.Search(len(v.parts), func(i int) bool { return v.parts[i].end > text })
}
