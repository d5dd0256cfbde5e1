package transcript

import (
	"bytes"
	"errors"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// lists are the members that hold a conversation, in the documents of tools that
// write one document. The first that is there and not empty counts.
var lists = []string{"messages", "clientHistory", "history", "trajectory", "conversation", "requests", "bubbles", "tabs", "items", "input"}

// open finds the records: values of JSON, one a line, over several lines, several
// in a line, in an array, or in a list of one document. What is torn is a fault,
// and the next whole record is looked for.
func (rd *reader) open() {
	at := skip(rd.src, 0)
	if at == len(rd.src) {
		return
	}
	end := lineEnd(rd.src, at)
	_, err := jsonedit.Parse(rd.src[at:end])
	if rd.src[at] == '[' || rd.src[at] == '{' && (err != nil || skip(rd.src, end) == len(rd.src)) {
		at = rd.document(at)
	}
	s := scan{rd: rd, budget: 16 * len(rd.src), lost: rd.torn > 0}
	if n := len(rd.records); n > 0 && s.doc.Parse(rd.records[n-1].raw) == nil {
		s.begun(&s.doc)
	}
	for at = skip(rd.src, at); at < len(rd.src); at = skip(rd.src, at) {
		at = s.one(at)
	}
}

// maxText is the longest document, in bytes, that is mended where it ends too early.
const maxText = 64 << 20

// document takes the records out of the one document that begins at at, and says
// where it ends: where it is torn if it is. at where there is none.
func (rd *reader) document(at int) int {
	text := bytes.TrimRight(rd.src[at:], " \t\r\n")
	doc, err := jsonedit.Parse(text)
	if err == nil {
		if rd.listed(doc, at) {
			return len(rd.src)
		}
		return at
	}
	var wrong *jsonedit.SyntaxError
	if !errors.As(err, &wrong) || wrong.Offset >= len(text) && len(text) > maxText {
		return at
	}
	if wrong.Kind == jsonedit.TooLarge && text[0] == '[' { // its elements are not
		return at + 1
	}
	if fixed := mend(text); fixed != nil {
		if doc, err = jsonedit.Parse(fixed); err == nil && rd.listed(doc, at) {
			rd.mended++
			return len(rd.src)
		}
	}
	whole, upTo := closed(text[:min(wrong.Offset, len(text))])
	if doc, err = jsonedit.Parse(whole); err != nil || upTo == 0 || !rd.listed(doc, at) {
		return at
	}
	rd.fail(at+wrong.Offset, wrong)
	rd.torn++
	rd.unread++
	return at + max(upTo, 1)
}

// listed takes the elements of an array, or those of the list of an object, for
// the records. base is where doc begins in src.
func (rd *reader) listed(doc *jsonedit.Doc, base int) bool {
	list := 0
	if doc.Nodes[0].Kind == jsonedit.Object {
		if list = listIn(doc); list < 0 {
			return false
		}
		if i := doc.Find("/info"); i >= 0 {
			rd.head = doc.Raw(i)
		}
		for _, name := range []string{"sessionId", "session_id", "composerId", "session/id", "info/id", "id"} {
			if id, _ := doc.Str(doc.Find("/" + name)); id != "" {
				rd.session = id
				break
			}
		}
		for _, name := range []string{"title", "customTitle", "info/title", "name"} {
			if title, _ := doc.Str(doc.Find("/" + name)); title != "" {
				rd.title = title
				break
			}
		}
	}
	if doc.Nodes[list].Kind != jsonedit.Array {
		return false
	}
	if has(doc, "trajectory_format") || has(doc, "trajectory", jsonedit.Array) {
		rd.hint = "swe-agent"
	}
	for i := range doc.Children(list) {
		if inner := bubbles(doc, i); inner >= 0 { // a tab of Cursor's
			for j := range doc.Children(inner) {
				rd.records = append(rd.records, record{base + int(doc.Nodes[j].Start), doc.Raw(j)})
			}
			continue
		}
		rd.records = append(rd.records, record{base + int(doc.Nodes[i].Start), doc.Raw(i)})
	}
	return true
}

// listIn is the list of an object that holds its conversation; -1 for none.
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

// bubbles is the list of turns in element i; -1 for none.
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

// lineEnd is where the line at at ends, before its line ending.
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

// skip passes over blanks, and over what is left of bytes that are no text.
func skip(src []byte, at int) int {
	for at < len(src) {
		switch c := src[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0x1e: // RFC 7464 begins each record with it
			at++
		case bytes.HasPrefix(src[at:], []byte("\uFFFD")), bytes.HasPrefix(src[at:], []byte(byteOrderMark)):
			at += 3
		default:
			return at
		}
	}
	return at
}
