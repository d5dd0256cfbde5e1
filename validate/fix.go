package validate

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Fix repairs problems that can be repaired without loss: a byte order mark before
// JSON, a missing newline after the last record of JSONL, tokens without a source
// (recorded as other_tokens.unattributed), and derived figures of the window. It adds
// missing lists to a hot context. In a session's documents it converts Python's times
// to RFC 3339. It removes messages of a session, a thread or a channel that repeat an
// earlier one byte for byte. It resolves merge conflicts in messages, notes and pins,
// and in a State, a thread, a hot context or metadata whose sides can be joined. The
// findings describe the repairs, each at its place in the new bytes. Bytes that cannot
// be parsed are returned unchanged.
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
	}
	if timesMended(kind) {
		m.times(kind)
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

// mendLines repairs a document with one JSON text per line.
func (m *mender) mendLines(kind fs.Doc) {
	talk := isTalk(m.name) || isDiscussion(m.name)
	if talk || kind == fs.DocClarification {
		m.joinSides()
	}
	if kind == fs.DocMessage {
		m.timesOfMessages() // messages repeated in two spellings then repeat byte for byte
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

// did records an edit at offset.
func (m *mender) did(rule Rule, pointer string, offset int, what string) {
	pen := placer{src: m.src}
	f := Finding{File: m.name, Pointer: pointer, Rule: rule.Name, Severity: rule.Severity, Message: what}
	f.Line, f.Column, f.Column16 = pen.at(offset)
	m.done = append(m.done, f)
}

// set sets the value at pointer. An edit that fails is not made, so the finding stays.
func (m *mender) set(rule Rule, pointer, value, what string) {
	if src, err := jsonedit.Set(m.src, pointer, []byte(value)); err == nil {
		m.put(rule, pointer, src, what)
	}
}

// append adds a value to the list at pointer; see set.
func (m *mender) append(rule Rule, pointer string, value []byte, what string) {
	if src, err := jsonedit.Append(m.src, pointer, value); err == nil {
		m.put(rule, pointer, src, what)
	}
}

// put accepts an edit.
func (m *mender) put(rule Rule, pointer string, src []byte, what string) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return
	}
	m.src = src
	m.did(rule, pointer, int(doc.Nodes[doc.Find(pointer)].Start), what)
}

// state returns the State for rules, nil if it cannot be parsed.
func (m *mender) state() *document {
	d := new(document)
	d.open(m.name, fs.DocState, formJSON, m.src)
	if d.tape.Parse(m.src) != nil {
		return nil
	}
	return d
}

// attribute records tokens of the window that have no source.
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

// derive corrects derived figures of the window.
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

// endLine adds the missing newline after a complete last record.
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
