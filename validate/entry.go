package validate

import "github.com/forgemind/forgemind/fs"

// An entry is a line of JSONL with its id and, if it is a message, its content.
type entry struct {
	line             int // the number of the line
	id, content      int // nodes; -1 if there is no text
	idHash, textHash uint64

	first int  // the first line with the id, before this one; 0 for none
	same  bool // that line has the same content
}

// An earlier is the first line with an id.
type earlier struct {
	text uint64 // hash of its content
	line int
}

// lineIDs are the members that may contain the id of a line, in order of precedence.
var lineIDs = map[fs.Doc][]string{
	fs.DocMessage:       {"msg_id", "id"},
	fs.DocClarification: {"id"},
	fs.DocChunk:         {"chunk_id", "id"},
	fs.DocSessionIndex:  {"session_id"},
}

// entry returns the entry of the current line, which it computes once.
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
	if first, ok := d.ids[r.idHash]; ok {
		r.first, r.same = first.line, r.content >= 0 && first.text == r.textHash
		return r
	}
	if d.ids == nil {
		d.ids = map[uint64]earlier{}
	}
	d.ids[r.idHash] = earlier{r.textHash, d.line}
	return r
}
