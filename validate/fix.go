package validate

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Fix mends what can be mended without losing anything: a byte order mark
// before JSON, a newline missing behind the last record of JSONL, tokens that
// are not accounted for (recorded as other_tokens.unattributed), and figures of
// the window that follow from others. A hot context gets the lists that it lacks, a
// record the id that the name of its file says. Of the messages of a session, a
// thread or a channel, those that repeat an earlier one byte for byte go. A merge is
// ended that left both sides of messages, of notes, of pins, or of a State, a thread,
// a hot context or metadata that can be joined. The findings say what was done, each
// at its place in the new bytes. What can't be parsed comes back as it is.
func Fix(name string, src []byte) ([]byte, []Finding) {
	m := &mender{name: name, src: src}
	kind, form := placeKind(name), formOf(name)
	if isNote(name) {
		m.joinNotes()
		return m.src, m.done
	}
	if form != formJSON && form != formJSONL {
		return src, nil
	}
	if rest, ok := bytes.CutPrefix(m.src, byteOrderMark); ok {
		m.src = rest
		m.did(encoding, "", 0, "removed the byte order mark")
	}
	switch {
	case form == formJSONL:
		m.mendLines(kind)
		return m.src, m.done
	case kind == fs.DocSessionMeta:
		m.joinMetadata()
	case kind == fs.DocHotContext:
		m.joinHotContext()
		m.addLists()
	case kind == fs.DocPins:
		m.joinPins()
		m.dropPins()
	case kind == fs.DocThread:
		m.joinThread()
	default:
		m.nameRecord()
	}
	if doc, err := jsonedit.Parse(m.src); err == nil && kind == fs.NoDoc {
		kind = contentKind(doc)
	}
	if kind == fs.DocState || kind == fs.DocSnapshot {
		m.attribute()
		m.derive()
	}
	return m.src, m.done
}

// mendLines mends a document of one JSON text a line.
func (m *mender) mendLines(kind fs.Doc) {
	talk := isTalk(m.name) || isDiscussion(m.name)
	if talk || kind == fs.DocClarification {
		m.joinSides()
	}
	if talk {
		m.dropRepeated()
	}
	m.endLine()
}

// A mender changes one document, edit by edit.
type mender struct {
	name string
	src  []byte
	done []Finding
}

// did notes an edit at offset.
func (m *mender) did(rule Rule, pointer string, offset int, what string) {
	pen := placer{src: m.src}
	f := Finding{File: m.name, Pointer: pointer, Rule: rule.Name, Severity: rule.Severity, Message: what}
	f.Line, f.Column, f.Column16 = pen.at(offset)
	m.done = append(m.done, f)
}

// set puts a value at pointer. An edit that can't be made is not made: the
// finding stays.
func (m *mender) set(rule Rule, pointer, value, what string) {
	if src, err := jsonedit.Set(m.src, pointer, []byte(value)); err == nil {
		m.put(rule, pointer, src, what)
	}
}

// append puts a value at the end of the list at pointer, as set does.
func (m *mender) append(rule Rule, pointer string, value []byte, what string) {
	if src, err := jsonedit.Append(m.src, pointer, value); err == nil {
		m.put(rule, pointer, src, what)
	}
}

// put takes an edit over.
func (m *mender) put(rule Rule, pointer string, src []byte, what string) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return
	}
	m.src = src
	m.did(rule, pointer, int(doc.Nodes[doc.Find(pointer)].Start), what)
}

// state is the State as rules see it; nil if it can't be parsed.
func (m *mender) state() *document {
	d := new(document)
	d.open(m.name, fs.DocState, formJSON, m.src)
	if d.tape.Parse(m.src) != nil {
		return nil
	}
	return d
}

// attribute records tokens in the window that nothing accounts for.
func (m *mender) attribute() {
	d := m.state()
	if d == nil {
		return
	}
	s, ok := windowSums(d)
	rest := s.used - s.artifacts - s.other
	if !ok || rest <= tokenTolerance || rest != math.Trunc(rest) {
		return
	}
	if n := d.member(0, "context_window", "other_tokens", "unattributed"); n >= 0 {
		had, _ := d.number(n)
		rest += had
	}
	m.set(tokenMismatch, "/context_window/other_tokens/unattributed", strconv.FormatFloat(rest, 'f', -1, 64),
		fmt.Sprintf("recorded %s tokens as other_tokens.unattributed", grouped(rest)))
}

// derive corrects the figures of the window that follow from others.
func (m *mender) derive() {
	d := m.state()
	if d == nil {
		return
	}
	w, ok := deriveWindow(d)
	if !ok {
		return
	}
	figure := func(bad bool, name, value string) {
		if bad {
			m.set(windowArithmetic, "/context_window/"+name, value, "set "+name+" to "+value)
		}
	}
	figure(w.badAvailable, "available_tokens", strconv.FormatFloat(w.total-w.used, 'f', -1, 64))
	figure(w.badPercent, "usage_percent", w.percentText())
	figure(w.badNeeds, "needs_compaction", strconv.FormatBool(w.wantNeeds))
}

// endLine puts the missing newline behind a last record that is whole.
func (m *mender) endLine() {
	start := bytes.LastIndexByte(m.src, '\n') + 1
	tail := m.src[start:]
	doc, err := jsonedit.Parse(tail)
	if len(tail) == 0 || err != nil || doc.Nodes[0].Kind != jsonedit.Object {
		return
	}
	m.src = append(bytes.Clone(m.src), '\n')
	m.did(jsonlTorn, "", start, "added the missing newline behind the last record")
}
