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

// maxFaults is the number of findings of one document that are kept.
const maxFaults = 1000

// A form is the format of a document.
type form uint8

const (
	formNone  form = iota // not judged
	formText              // markdown, YAML, plain text
	formJSON              // one JSON text
	formJSONL             // one JSON text per line
)

// A document is the input of rules. The value is reused for the next document.
type document struct {
	name string
	kind fs.Doc // NoDoc: unknown content
	form form
	src  []byte // without a byte order mark
	bom  bool   // src had one

	// The current JSON text: the document, or one line of it.
	tape jsonedit.Doc
	err  *jsonedit.SyntaxError // the error if it could not be parsed
	base int                   // where it starts in src
	size int                   // its length
	last bool                  // it is a line without a newline at its end
	mark bool                  // it could not be parsed because of conflict markers

	inConflict bool // after a conflict marker and before the last one of its conflict
	extreme    bool // it contains a number beyond the limits

	before  int                // lines before src, if JSONL is read in pieces
	skipped int                // bytes before src, likewise
	line    int                // of the current record, 1-based; 0 for JSON
	garbled bool               // mojibake was reported
	late    bool               // a message older than one before it was reported
	latest  []byte             // time of the previous message
	ids     map[uint64]earlier // the first line of an id, by its hash
	this    entry              // the current one, once computed

	front    *fragment // computed when first needed
	settings *knobFile // computed when first needed

	records map[uint64]bool // hashes of the ids of a State's records, computed when first needed

	facts *facts            // facts for the rules of the whole tree; nil for a single document
	known func(string) bool // reports whether a rule has that name

	faults   []fault
	breaches []fault // the violations of the schema by the current text
	more     int     // the number of faults that were not kept
	working  int     // index of the current rule
}

// A fault is a Finding whose line is not computed yet.
type fault struct {
	rule          int
	offset        int // into src
	pointer       string
	message, hint string
}

// full reports whether the limit of faults is reached.
func (d *document) full() bool { return len(d.faults) >= maxFaults }

// report adds a fault at offset in the current JSON text.
func (d *document) report(offset int, pointer, message, hint string) {
	if d.full() {
		d.more++
		return
	}
	d.faults = append(d.faults, fault{d.working, d.base + offset, pointer, message, hint})
}

// at adds a fault at a value.
func (d *document) at(node int, message, hint string) {
	if d.full() {
		d.more++ // computing its pointer would be useless
		return
	}
	d.report(int(d.tape.Nodes[node].Start), d.tape.Pointer(node), message, hint)
}

// broken reports whether a value, or a part of it, violates the schema. Other rules
// then ignore it.
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

// parsed reports whether the current text was parsed.
func (d *document) parsed() bool { return d.err == nil && len(d.tape.Nodes) > 0 }

// isState reports whether the current text is a State, live or a snapshot.
func (d *document) isState() bool {
	return (d.kind == fs.DocState || d.kind == fs.DocSnapshot) && d.parsed()
}

func (d *document) kindOf(node int) jsonedit.Kind {
	if node < 0 {
		return jsonedit.Invalid
	}
	return d.tape.Nodes[node].Kind
}

// member returns the value at a path of member names below node, -1 if there is none.
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

// text returns the raw content of a string, which is its value if it has no escapes. It
// returns nil if the value is not a string.
func (d *document) text(node int) []byte {
	if d.kindOf(node) != jsonedit.String {
		return nil
	}
	n := &d.tape.Nodes[node]
	return d.tape.Src[n.Start+1 : n.End-1]
}

// str returns the value of a string, "" if the value is not a string.
func (d *document) str(node int) string {
	s, _ := d.tape.Str(node)
	return s
}

// hash returns the hash of a string's value.
func (d *document) hash(node int) uint64 {
	text := d.text(node)
	if bytes.IndexByte(text, '\\') >= 0 {
		return maphash.String(idSeed, d.str(node))
	}
	return maphash.Bytes(idSeed, text)
}

// number returns the value of a number in plain notation, without allocation. It
// returns false if the value is not a number or out of range.
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

// smallInt parses an integer of at most 15 digits.
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

// findings converts the faults to Findings with their places.
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

// A placer converts offsets to lines and columns. For growing offsets it reads the text
// once.
type placer struct {
	src                        []byte
	offset, line, column, wide int // of the last result, counted from 0
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

// open sets d to the document name.
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
