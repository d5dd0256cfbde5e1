package validate

import (
	"hash/maphash"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// An entry is a line of JSONL by its id and, of a message, its content.
type entry struct {
	line             int // which it is
	id, content      int // nodes; -1 where there is no text
	idHash, textHash uint64
	when             int64  // time of a message in nanoseconds since 1970; 0 for none, which is against its schema
	key              uint64 // of the id, and of the second of the time of a message: programs take ids again

	first int  // the first line of the key, before this one; 0 for none
	same  bool // that has the same content
}

// An earlier is the first line of JSONL with an id.
type earlier struct {
	text uint64
	when int64
	line int
}

// lineIDs are the members that hold the id of a line, the one that counts first.
var lineIDs = map[fs.Doc][]string{
	fs.DocMessage:       {"msg_id", "id"},
	fs.DocClarification: {"id"},
	fs.DocChunk:         {"chunk_id", "id"},
	fs.DocSessionIndex:  {"session_id"},
}

// entry is the line at work; it is looked at once.
func (d *document) entry() *entry {
	r := &d.this
	if r.line == d.line {
		return r
	}
	*r = entry{line: d.line, id: -1, content: -1}
	for _, name := range lineIDs[d.kind] {
		if n := d.tape.Member(0, name); n >= 0 {
			if len(d.text(n)) > 0 {
				r.id, r.idHash = n, d.hash(n)
			}
			break
		}
	}
	if n := d.tape.Member(0, "content"); d.kind == fs.DocMessage && d.text(n) != nil {
		r.content, r.textHash = n, d.hash(n)
	}
	if r.id < 0 {
		return r
	}
	r.key = r.idHash
	if d.kind == fs.DocMessage {
		if at, err := schema.ParseTime(d.str(d.saidAt())); err == nil {
			r.when = at.UnixNano()
			r.key ^= maphash.Comparable(idSeed, at.Unix())
		}
	}
	if first, ok := d.ids[r.key]; ok {
		if r.same = r.content >= 0 && first.text == r.textHash; r.same || isSameTime(first.when, r.when) {
			r.first = first.line
		}
		return r
	}
	if d.ids == nil {
		d.ids = map[uint64]earlier{}
	}
	d.ids[r.key] = earlier{r.textHash, r.when, d.line}
	return r
}

// saidAt returns the node of the time of the message at work; -1 for none.
func (d *document) saidAt() int {
	if at := d.tape.Member(0, "timestamp"); at >= 0 {
		return at
	}
	return d.tape.Member(0, "ts")
}

// isSameTime reports whether two times of one second, in nanoseconds since 1970, are the same as far as they say it.
func isSameTime(a, b int64) bool {
	const second = int64(time.Second)
	return a == b || a%second == 0 || b%second == 0
}
