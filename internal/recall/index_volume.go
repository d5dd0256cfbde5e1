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

// A volume is an index of files: their texts, the places of the texts and their words.
// Texts are sorted by file, and within a file by place.
type volume struct {
	parts   []part
	entries []byte
	words   *relevance.Index
}

// A part is the part of a volume for one file.
type part struct {
	stamp      fs.Stamp // of the file when it was read; only its Name if stamps are not reliable
	from, size int64    // the bytes of the file that were read, up to size
	sum        uint32   // the checksum of all bytes up to size
	last       int64    // the time of the last message
	first, end int      // its texts
	src        []byte   // the bytes that were read, if they are held
}

// timeless is the time of messages without a time that follow no message with one.
const timeless = math.MinInt64

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// order compares files by their order in a volume: of two messages of the same time the one
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

// isFragment reports whether a file is a fragment; the others are conversations.
func isFragment(name string) bool { return rank(name) == 2 }

// A writer makes a volume.
type writer struct {
	volume
	builder *relevance.Builder
	doc     jsonedit.Doc
}

// add adds a part and sets its first, end, size, sum and last. src is the content of the file
// from p.from on; p.sum and p.last are those of the content before it.
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
		w.text(entry{size: uint32(len(src)), time: at, key: keyOf("", src)}, relevance.Turn{}, f.words())
	} else {
		for line := range jsonedit.Lines(src) {
			s, ok := speech(&w.doc, line.Text)
			if s.timed {
				p.last = s.time
			}
			if ok {
				w.text(entry{uint32(p.from) + uint32(line.Offset), uint32(len(line.Text)), p.last, s.key}, s.turn, s.words)
			}
		}
	}
	p.end = w.texts()
	w.parts = append(w.parts, p)
}

func (w *writer) text(e entry, t relevance.Turn, words string) {
	w.entries = e.append(w.entries)
	w.builder.AddTurn(t, words)
}

// An entry is the place of a text in its file. No file is larger than 1 GiB.
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

// partOf returns the number of the part that contains a text.
func (v *volume) partOf(text int) int {
	return sort.Search(len(v.parts), func(i int) bool { return v.parts[i].end > text })
}
