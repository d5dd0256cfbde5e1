package validate

import (
	"bytes"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// maxFaults is how many findings of one document are kept.
const maxFaults = 1000

// A form is how a document is written.
type form uint8

const (
	formNone  form = iota // not judged
	formText              // markdown, YAML, plain text
	formJSON              // one JSON text
	formJSONL             // one JSON text per line
)

// A document is what rules look at. It is used again for the next one.
type document struct {
	name string
	kind fs.Doc // NoDoc: nothing is known about what it holds
	form form
	src  []byte // without a byte order mark
	bom  bool   // there was one

	// The JSON text at work: the document, or one line of it.
	tape jsonedit.Doc
	err  *jsonedit.SyntaxError // why it could not be parsed
	base int                   // where it starts in src
	size int                   // its length
	last bool                  // it is a line without a newline behind it
	mark bool                  // it could not be parsed for conflict markers

	inConflict bool // behind a marker, before the last one of its conflict
	extreme    bool // it holds a number that nothing may compute with

	before  int                // lines before src, of a JSONL document that is read in pieces
	skipped int                // bytes before src, likewise
	line    int                // of the record at work, 1-based; 0 for JSON
	garbled bool               // mojibake was reported
	late    bool               // a message older than one before it was reported
	latest  []byte             // time of the message before
	ids     map[uint64]earlier // the first line of an id, by its hash
	this    entry              // the one at work, once it is asked for

	front    *fragment // once it is needed
	settings *knobFile // once they are needed

	records map[uint64]bool // hashes of the ids of a State's records, once they are needed

	facts *facts            // what the whole tree is told; nil for a lone document
	known func(string) bool // is there a rule of that name

	faults   []fault
	breaches []fault // those of the text at work that are against its schema
	more     int     // faults that were not kept
	working  int     // index of the rule at work
}

// A fault is a Finding before its line is known.
type fault struct {
	rule          int
	offset        int // into src
	pointer       string
	message, hint string
}

// full says whether no more faults are kept.
func (d *document) full() bool { return len(d.faults) >= maxFaults }

// report says that something is wrong at offset into the JSON text at work.
func (d *document) report(offset int, pointer, message, hint string) {
	if d.full() {
		d.more++
		return
	}
	d.faults = append(d.faults, fault{d.working, d.base + offset, pointer, message, hint})
}

// at says that something is wrong with a value.
func (d *document) at(node int, message, hint string) {
	if d.full() {
		d.more++ // its pointer would be work for nothing
		return
	}
	d.report(int(d.tape.Nodes[node].Start), d.tape.Pointer(node), message, hint)
}

// broken says whether a value, or something in it, is against the schema: then
// no other rule has anything to say about it.
func (d *document) broken(node int) bool {
	if node < 0 {
		return false
	}
	n := d.tape.Nodes[node]
	for _, f := range d.breaches {
		if f.offset >= d.base+int(n.Start) && f.offset < d.base+int(n.End) {
			return true
		}
	}
	return false
}

// parsed says whether there is a JSON text to look at.
func (d *document) parsed() bool { return d.err == nil && len(d.tape.Nodes) > 0 }

// isState says whether the text at work is a State, live or a snapshot.
func (d *document) isState() bool {
	return (d.kind == fs.DocState || d.kind == fs.DocSnapshot) && d.parsed()
}

func (d *document) kindOf(node int) jsonedit.Kind {
	if node < 0 {
		return jsonedit.Invalid
	}
	return d.tape.Nodes[node].Kind
}

// member is the value at a path of member names below node, -1 if there is none.
func (d *document) member(node int, path ...string) int {
	for _, name := range path {
		if node < 0 {
			return -1
		}
		node = d.tape.Member(node, name)
	}
	return node
}

// first and next walk the children of a node:
//
//	for c := d.first(i); c >= 0; c = d.next(c)
func (d *document) first(node int) int {
	if node < 0 || d.tape.Nodes[node].Len == 0 {
		return -1
	}
	return node + 1
}

func (d *document) next(node int) int {
	n := &d.tape.Nodes[node]
	if n.Next >= d.tape.Nodes[n.Parent].Next {
		return -1
	}
	return int(n.Next)
}

// text is the inside of a string value as it stands, which is its content
// where it holds no escape; nil if the value is no string.
func (d *document) text(node int) []byte {
	if d.kindOf(node) != jsonedit.String {
		return nil
	}
	n := &d.tape.Nodes[node]
	return d.tape.Src[n.Start+1 : n.End-1]
}

// str is the content of a string value, "" if it is none.
func (d *document) str(node int) string {
	s, _ := d.tape.Str(node)
	return s
}

// hash is that of a string value's content.
func (d *document) hash(node int) uint64 {
	text := d.text(node)
	if bytes.IndexByte(text, '\\') >= 0 {
		return maphash.String(idSeed, d.str(node))
	}
	return maphash.Bytes(idSeed, text)
}

// number is the value of a plain number without allocation; false for what is
// no number, or out of range.
func (d *document) number(node int) (float64, bool) {
	if d.kindOf(node) != jsonedit.Number {
		return 0, false
	}
	raw := d.tape.Raw(node)
	if n, ok := smallInt(raw); ok {
		return float64(n), true
	}
	v, ok := d.tape.Float(node)
	return v, ok && !math.IsInf(v, 0)
}

// smallInt reads an integer of at most 15 digits.
func smallInt(raw []byte) (int64, bool) {
	digits := raw
	if len(raw) > 0 && raw[0] == '-' {
		digits = raw[1:]
	}
	if len(digits) == 0 || len(digits) > 15 {
		return 0, false
	}
	var n int64
	for _, c := range digits {
		if c -= '0'; c > 9 {
			return 0, false
		}
		n = n*10 + int64(c)
	}
	if len(digits) != len(raw) {
		n = -n
	}
	return n, true
}

// findings turns what was found into Findings with their places.
func (d *document) findings(severity severities) []Finding {
	if len(d.faults) == 0 {
		return nil
	}
	var out []Finding
	slices.SortStableFunc(d.faults, func(a, b fault) int { return a.offset - b.offset })
	pen := placer{src: d.src}
	for _, f := range d.faults {
		s := severity[f.rule]
		if s == Off {
			continue
		}
		line, column, column16 := pen.at(f.offset)
		line += d.before
		out = append(out, Finding{
			File: d.name, Line: line, Column: column, Column16: column16, Pointer: f.pointer,
			Rule: rules[f.rule].Name, Severity: s, Message: f.message, Hint: f.hint,
		})
	}
	if d.more > 0 && len(out) > 0 {
		end := &out[len(out)-1]
		end.Hint = strings.TrimSpace(end.Hint + " (" + strconv.Itoa(d.more) + " more findings of this document are not listed)")
	}
	return out
}

// A placer turns offsets into lines and columns; growing offsets cost one pass
// over the text together.
type placer struct {
	src                        []byte
	offset, line, column, wide int // of the last answer, counted from 0
}

func (p *placer) at(offset int) (line, column, column16 int) {
	offset = min(max(offset, 0), len(p.src))
	if offset < p.offset {
		*p = placer{src: p.src}
	}
	rest := p.src[p.offset:offset]
	line, column, column16 = jsonedit.Position(rest, len(rest))
	if line > 1 {
		p.column, p.wide = 0, 0
	}
	p.offset, p.line = offset, p.line+line-1
	p.column, p.wide = p.column+column-1, p.wide+column16-1
	return p.line + 1, p.column + 1, p.wide + 1
}

var byteOrderMark = []byte("\ufeff")

// open makes d the document of that name.
func (d *document) open(name string, kind fs.Doc, form form, src []byte) {
	d.name, d.kind, d.form = name, kind, form
	d.src, d.bom = bytes.CutPrefix(src, byteOrderMark)
	d.faults, d.more, d.before, d.skipped, d.line, d.garbled = d.faults[:0], 0, 0, 0, 0, false
	d.late, d.latest, d.this, d.front = false, d.latest[:0], entry{}, nil
	d.settings = nil
	d.err, d.base, d.size, d.last, d.mark, d.inConflict = nil, 0, 0, false, false, false
	d.tape.Nodes, d.tape.Duplicates = d.tape.Nodes[:0], d.tape.Duplicates[:0]
	clear(d.ids)
}
