package validate

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// isNote reports whether name is a file of an agent's notes.
func isNote(name string) bool {
	_, inside, ok := treeName(name)
	dir := path.Dir(inside)
	return ok && path.Ext(inside) == ".md" && (dir == fs.Forgemind+"/"+fs.MemoryDir || dir == fs.Quaid+"/"+fs.MemoryDir)
}

// dated matches the beginning of an entry that forgemind writes into notes.
var dated = lazyregexp.New(`^[-*+] \d{4}-\d\d-\d\dT\d\d:\d\d`)

// joinNotes resolves a merge of an agent's notes if each side has only dated entries:
// all of them stay, each once. Other texts are left to people.
func (m *mender) joinNotes() {
	if len(m.src) > mostJoinedOut || !hasMarker(m.src) {
		return
	}
	var out []byte
	var ours, theirs entries
	conflicts, begin, failed, closed := 0, 0, false, false
	well := git.SideBySide(m.src, func(line []byte, s git.Side) {
		switch {
		case s == git.Marker && line[0] == '>':
			joined, ok := ours.with(theirs)
			failed, closed = failed || !ok, true
			if conflicts++; conflicts == 1 {
				begin = len(out)
			}
			out = append(out, joined...)
			ours, theirs = entries{}, entries{}
		case s == git.Ours:
			ours.take(line)
		case s == git.Theirs:
			theirs.take(line)
		case s == git.Both:
			// The line continues an entry whose beginning is on the sides.
			failed = failed || closed && goesOn(line)
			closed = closed && len(bytes.TrimSpace(line)) == 0
			out = append(out, line...)
		}
	})
	if !well || failed || conflicts == 0 {
		return
	}
	m.src = out
	m.did(conflictMarker, "", begin, fmt.Sprintf("kept the entries of both sides of %s", counted(conflicts, "conflict", "conflicts")))
}

// Entries are the entries of one side of a conflict in notes.
type entries struct {
	blank  string   // the blank lines before them
	all    []string // each with its continuation lines
	failed bool     // the side has other text
}

func (e *entries) take(line []byte) {
	n := len(e.all)
	switch {
	case dated.Match(line):
		e.all = append(e.all, string(line))
	case n == 0 && len(bytes.TrimSpace(line)) == 0:
		e.blank += string(line)
	case n > 0 && (goesOn(line) || len(bytes.TrimSpace(line)) == 0):
		e.all[n-1] += string(line)
	default:
		e.failed = true
	}
}

// goesOn reports whether a line continues the entry before it.
func goesOn(line []byte) bool {
	return len(bytes.TrimSpace(line)) > 0 && (line[0] == ' ' || line[0] == '\t')
}

// with returns the entries of both sides; false if a side has other text.
func (e entries) with(o entries) ([]byte, bool) {
	if e.failed || o.failed {
		return nil, false
	}
	if e.blank == "" {
		e.blank = o.blank
	}
	text, tail := []byte(e.blank), ""
	known := map[string]bool{}
	for _, one := range append(e.all, o.all...) {
		body := strings.TrimRight(one, " \t\r\n")
		if known[body] {
			continue
		}
		known[body] = true
		// A blank line after the last entry of a side goes to the end.
		first, rest, _ := strings.Cut(one[len(body):], "\n")
		text = append(text, body+first+"\n"...)
		if len(rest) > len(tail) {
			tail = rest
		}
	}
	return append(text, tail...), true
}
