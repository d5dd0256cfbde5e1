package cold

import (
	"encoding/binary"
	"hash/crc32"
	"math"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// heading begins every index; another format has another number. Behind it come
// the checksum of the rest, the stamp of the file of chunks (its name with its
// length before it, then five numbers), how many chunks there are, an entry of
// 32 bytes for each, their ids one after the other, and the index of their
// words. Numbers are little-endian, of 64 bits where nothing else is said.
const heading = "forgemind cold 3\n"

const (
	checksumSize = 4
	entrySize    = 32 // offset; time, milliseconds; 32 bits each: bytes of the line, end of the id, line of the conversation, passage
)

// timeless is the time of a chunk that names none: it comes last.
const timeless = math.MaxInt64

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// An index says of one file which chunks it holds, where they stand and which
// words are in them. It lies there as it was read from disk.
type index struct {
	entries []byte
	ids     []byte
	words   *relevance.Index
}

// buildIndex makes the bytes of the index of a file of chunks. Lines that hold
// none are left out.
func buildIndex(stamp fs.Stamp, src []byte) []byte {
	var entries, ids []byte
	words := relevance.NewBuilder()
	count := 0
	said := map[schema.Int]speech{} // by line
	for line := range jsonedit.Lines(src) {
		c, err := decode(line.Text)
		if err != nil {
			continue
		}
		of, known := said[c.Line]
		if c.Part <= 1 || !known {
			of = speechOf(c)
		}
		if c.Part == 1 {
			said[c.Line] = of
		}
		ids = append(ids, c.ChunkID...)
		entries = binary.LittleEndian.AppendUint64(entries, uint64(line.Offset))
		entries = binary.LittleEndian.AppendUint64(entries, uint64(of.at))
		entries = binary.LittleEndian.AppendUint32(entries, uint32(len(line.Text)))
		entries = binary.LittleEndian.AppendUint32(entries, uint32(len(ids)))
		entries = binary.LittleEndian.AppendUint32(entries, within32(c.Line))
		entries = binary.LittleEndian.AppendUint32(entries, within32(c.Part))
		words.Add(of.agent + ": " + c.Content) // people ask for what somebody said
		count++
	}
	out := append([]byte(heading), make([]byte, checksumSize)...)
	out = appendStamp(out, stamp)
	out = binary.LittleEndian.AppendUint64(out, uint64(count))
	out = append(append(out, entries...), ids...)
	return sealed(words.Append(out))
}

// A speech is who said a message, and when, in milliseconds.
type speech struct {
	agent string
	at    int64
}

// speechOf is that of a chunk's message; where it does not say when, it is when it
// left.
func speechOf(c schema.Chunk) speech {
	var m struct {
		Agent     string `json:"agent"`
		Timestamp string `json:"timestamp"`
		TS        string `json:"ts"`
	}
	if len(c.Message) > 0 {
		jsonedit.Decode(original(c), &m) // nothing is known of a message that is none
	}
	for _, text := range [...]string{m.Timestamp, m.TS, c.Timestamp} {
		if t, err := schema.ParseTime(text); err == nil {
			return speech{m.Agent, t.UnixMilli()}
		}
	}
	return speech{m.Agent, timeless}
}

// within32 is n, as far as 32 bits go.
func within32(n schema.Int) uint32 { return uint32(min(max(n, 0), math.MaxUint32)) }

// sealed writes the checksum of an index into it.
func sealed(x []byte) []byte {
	binary.LittleEndian.PutUint32(x[len(heading):], crc32.Checksum(x[len(heading)+checksumSize:], castagnoli))
	return x
}

func appendStamp(b []byte, s fs.Stamp) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(len(s.Name)))
	b = append(b, s.Name...)
	for _, n := range [...]uint64{uint64(s.Size), uint64(s.Written), uint64(s.Changed), s.Inode, s.Device} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return b
}

// openIndex reads what buildIndex made by that very stamp; false where src is
// anything else. The index keeps src.
func openIndex(stamp fs.Stamp, src []byte) (*index, bool) {
	start := len(heading) + checksumSize
	if len(src) < start || string(src[:len(heading)]) != heading ||
		crc32.Checksum(src[start:], castagnoli) != binary.LittleEndian.Uint32(src[len(heading):]) {
		return nil, false
	}
	rest := src[start:]
	want := appendStamp(nil, stamp)
	if len(rest) < len(want)+8 || string(rest[:len(want)]) != string(want) {
		return nil, false
	}
	count := binary.LittleEndian.Uint64(rest[len(want):])
	rest = rest[len(want)+8:]
	if count > uint64(len(rest)/entrySize) {
		return nil, false
	}
	x := &index{entries: rest[:count*entrySize]}
	rest = rest[count*entrySize:]
	idsEnd := uint32(0)
	for i := range x.chunks() {
		e := x.entry(i)
		if e.idEnd < idsEnd || e.offset > uint64(stamp.Size) || uint64(e.size) > uint64(stamp.Size)-e.offset {
			return nil, false
		}
		idsEnd = e.idEnd
	}
	if uint64(idsEnd) > uint64(len(rest)) {
		return nil, false
	}
	x.ids = rest[:idsEnd]
	var err error
	x.words, err = relevance.Open(rest[idsEnd:])
	return x, err == nil && x.words.Texts() == x.chunks()
}

// chunks is how many chunks there are.
func (x *index) chunks() int { return len(x.entries) / entrySize }

// An entry is where a chunk stands.
type entry struct {
	offset uint64
	time   int64 // milliseconds since 1970
	size   uint32
	idEnd  uint32
	line   uint32 // of the conversation
	part   uint32
}

func (x *index) entry(chunk int) entry {
	b := x.entries[chunk*entrySize:]
	return entry{
		binary.LittleEndian.Uint64(b), int64(binary.LittleEndian.Uint64(b[8:])),
		binary.LittleEndian.Uint32(b[16:]), binary.LittleEndian.Uint32(b[20:]),
		binary.LittleEndian.Uint32(b[24:]), binary.LittleEndian.Uint32(b[28:]),
	}
}

func (x *index) id(chunk int) string {
	start := uint32(0)
	if chunk > 0 {
		start = x.entry(chunk - 1).idEnd
	}
	return string(x.ids[start:x.entry(chunk).idEnd])
}

// find is the first chunk of an id, -1 where there is none.
func (x *index) find(id string) int {
	start := uint32(0)
	for i := range x.chunks() {
		end := x.entry(i).idEnd
		if string(x.ids[start:end]) == id {
			return i
		}
		start = end
	}
	return -1
}
