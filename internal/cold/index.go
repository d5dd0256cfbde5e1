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

// heading begins every index and has the number of the format. After it come the checksum of the
// rest, the stamp of the file of chunks (the length of its name, the name, five numbers), the
// number of chunks, an entry of 32 bytes for each chunk, the ids, and the index of the words.
// Numbers are little-endian and have 64 bits unless stated otherwise.
const heading = "forgemind cold 4\n"

const (
	checksumSize = 4
	entrySize    = 32 // offset; time, milliseconds; 32 bits each: bytes of the line, end of the id, line of the conversation, passage
)

// timeless is the time of a chunk without a time. It sorts last.
const timeless = math.MaxInt64

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// An index lists the chunks of one file, their positions and their words. It refers to the bytes
// that were read from disk.
type index struct {
	entries []byte
	ids     []byte
	words   *relevance.Index
}

// buildIndex returns the bytes of the index of a file of chunks. It leaves out lines that hold no
// chunk.
func buildIndex(stamp fs.Stamp, src []byte) []byte {
	var entries, ids []byte
	words := relevance.NewBuilder()
	count := 0
	said := map[schema.Int]authorship{} // by line
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
		words.AddTurn(of.turn(c.Content), of.agent+": "+c.Content) // the agent's name is searchable, too
		count++
	}
	out := append([]byte(heading), make([]byte, checksumSize)...)
	out = appendStamp(out, stamp)
	out = binary.LittleEndian.AppendUint64(out, uint64(count))
	out = append(append(out, entries...), ids...)
	return checksum(words.Append(out))
}

// An authorship holds the author of a message and its time in milliseconds.
type authorship struct {
	agent string
	tools bool // a call of a tool, or its output
	at    int64
}

// turn returns the Turn of what the author said.
func (a authorship) turn(content string) relevance.Turn {
	if a.tools {
		return relevance.Turn{}
	}
	return relevance.NewTurn(a.agent, content)
}

// speechOf returns the author and the time of a chunk's message. Without a time in the message it
// is the time at which the chunk left the conversation.
func speechOf(c schema.Chunk) authorship {
	var m struct {
		Agent     string `json:"agent"`
		Role      string `json:"role"`
		ToolName  string `json:"tool_name"`
		Timestamp string `json:"timestamp"`
		TS        string `json:"ts"`
	}
	if len(c.Message) > 0 {
		jsonedit.Decode(original(c), &m) // the zero value stands for a damaged message
	}
	for _, text := range [...]string{m.Timestamp, m.TS, c.Timestamp} {
		if t, err := schema.ParseTime(text); err == nil {
			return authorship{m.Agent, m.Role == "tool" || m.ToolName != "", t.UnixMilli()}
		}
	}
	return authorship{m.Agent, m.Role == "tool" || m.ToolName != "", timeless}
}

// within32 returns n limited to the range of uint32.
func within32(n schema.Int) uint32 { return uint32(min(max(n, 0), math.MaxUint32)) }

// checksum writes the checksum of an index into x and returns it.
func checksum(x []byte) []byte {
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

// openIndex reads an index that buildIndex made for the same stamp. It reports false if src is
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

// chunks returns the number of chunks.
func (x *index) chunks() int { return len(x.entries) / entrySize }

// An entry holds the position of a chunk in its file and in the conversation.
type entry struct {
	offset uint64
	time   int64 // milliseconds since 1970
	size   uint32
	idEnd  uint32
	line   uint32 // line of the conversation
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

// find returns the number of the first chunk with an id, or -1.
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
