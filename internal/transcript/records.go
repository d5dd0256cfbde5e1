package transcript

import (
	"bytes"
	"errors"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// lists are the names of the members with the conversation in single documents of tools. The first
// that exists and is not empty counts.
var lists = []string{"messages", "clientHistory", "history", "trajectory", "conversation", "bubbles", "tabs", "items", "input"}

// maxTorn is the size in bytes up to which a truncated document is read.
const maxTorn = 64 << 20

// open finds the records: JSON values, one on a line, over several lines, several on a line, in an
// array, or in a list of one document. A torn record is a fault, and open continues with the next
// complete one.
func (im *intake) open() {
	at := skip(im.src, 0)
	if at == len(im.src) {
		return
	}
	end := lineEnd(im.src, at)
	_, err := jsonedit.Parse(im.src[at:end])
	if im.src[at] == '[' || im.src[at] == '{' && (err != nil || skip(im.src, end) == len(im.src)) {
		at = im.document(at)
	}
	s := scan{im: im, budget: 16 * len(im.src), lost: im.torn > 0}
	if n := len(im.records); n > 0 && s.doc.Parse(im.records[n-1].raw) == nil {
		s.begun(&s.doc)
	}
	for at = skip(im.src, at); at < len(im.src); at = skip(im.src, at) {
		at = s.one(at)
	}
}

// document reads the records of the single document that begins at at, and returns its end, or where
// it is torn. It returns at if there is no such document.
func (im *intake) document(at int) int {
	text := bytes.TrimRight(im.src[at:], " \t\r\n")
	doc, err := jsonedit.Parse(text)
	if err == nil {
		if im.listed(doc, at) {
			return len(im.src)
		}
		return at
	}
	var wrong *jsonedit.SyntaxError
	if !errors.As(err, &wrong) || wrong.Offset >= len(text) && len(text) > maxTorn {
		return at
	}
	if fixed := mend(text); fixed != nil {
		if doc, err = jsonedit.Parse(fixed); err == nil && im.listed(doc, at) {
			im.mended++
			return len(im.src)
		}
	}
	whole, upTo := closed(text[:min(wrong.Offset, len(text))])
	if doc, err = jsonedit.Parse(whole); err != nil || upTo == 0 || !im.listed(doc, at) {
		return at
	}
	im.fail(at+wrong.Offset, wrong)
	im.torn++
	im.unread++
	return at + max(upTo, 1)
}

// listed reads the elements of an array, or of the list of an object, as records. base is the offset
// of doc in src.
func (im *intake) listed(doc *jsonedit.Doc, base int) bool {
	list := 0
	if doc.Nodes[0].Kind == jsonedit.Object {
		if list = listIn(doc); list < 0 {
			return false
		}
		for _, name := range []string{"sessionId", "session_id", "composerId", "session/id", "id"} {
			if id, _ := doc.Str(doc.Find("/" + name)); id != "" {
				im.session = id
				break
			}
		}
		for _, name := range []string{"title", "name"} {
			if title, _ := doc.Str(doc.Find("/" + name)); title != "" {
				im.title = title
				break
			}
		}
	}
	if doc.Nodes[list].Kind != jsonedit.Array {
		return false
	}
	if has(doc, "trajectory_format") || has(doc, "trajectory", jsonedit.Array) {
		im.hint = "swe-agent"
	}
	for i := range doc.Children(list) {
		if inner := bubbles(doc, i); inner >= 0 { // a tab of Cursor
			for j := range doc.Children(inner) {
				im.records = append(im.records, record{base + int(doc.Nodes[j].Start), doc.Raw(j)})
			}
			continue
		}
		im.records = append(im.records, record{base + int(doc.Nodes[i].Start), doc.Raw(i)})
	}
	return true
}

// listIn returns the list of an object that has its conversation; -1 for none.
func listIn(doc *jsonedit.Doc) int {
	empty := -1
	for _, name := range lists {
		i := doc.Member(0, name)
		if i < 0 || doc.Nodes[i].Kind != jsonedit.Array {
			continue
		}
		for range doc.Children(i) {
			return i
		}
		empty = i
	}
	return empty
}

// bubbles returns the list of turns in element i; -1 for none.
func bubbles(doc *jsonedit.Doc, i int) int {
	if doc.Nodes[i].Kind != jsonedit.Object {
		return -1
	}
	j := doc.Member(i, "bubbles")
	if j >= 0 && doc.Nodes[j].Kind == jsonedit.Array {
		return j
	}
	return -1
}

// lineEnd returns the end of the line at at, before its line ending.
func lineEnd(src []byte, at int) int {
	end := len(src)
	if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
		end = at + n
	}
	if end > at && src[end-1] == '\r' {
		end--
	}
	return end
}

// skip returns the offset after white space and replaced bytes.
func skip(src []byte, at int) int {
	for at < len(src) {
		switch c := src[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0x1e: // RFC 7464 begins each record with 0x1e
			at++
		case bytes.HasPrefix(src[at:], []byte("\uFFFD")), bytes.HasPrefix(src[at:], []byte(bom)):
			at += 3
		default:
			return at
		}
	}
	return at
}
