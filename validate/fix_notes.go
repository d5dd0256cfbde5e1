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

// isNote says whether the notes of an agent stand at name.
func isNote(name string) bool {
	_, inside, ok := treeName(name)
	dir := path.Dir(inside)
	return ok && path.Ext(inside) == ".md" && (dir == fs.Forgemind+"/"+fs.MemoryDir || dir == fs.Quaid+"/"+fs.MemoryDir)
}

// dated is how an entry that forgemind writes into notes begins.
var dated = lazyregexp.New(`^[-*+] \d{4}-\d\d-\d\dT\d\d:\d\d`)

// joinNotes ends a merge in an agent's notes that left nothing but dated entries
// of both sides: all of them stay, each once. What people wrote in other words is
// for people.
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
			// The rest of an entry of which the sides had the beginning.
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

// Entries are what one side of a conflict has in a note.
type entries struct {
	blank  string   // the lines in front of them
	all    []string // each with what belongs to it
	failed bool     // something else stands there
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

// goesOn says whether a line belongs to the entry in front of it.
func goesOn(line []byte) bool {
	return len(bytes.TrimSpace(line)) > 0 && (line[0] == ' ' || line[0] == '\t')
}

// with are the entries of both; false where a side has something else.
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
		// A blank line behind the last entry of a side comes behind all.
		first, rest, _ := strings.Cut(one[len(body):], "\n")
		text = append(text, body+first+"\n"...)
		if len(rest) > len(tail) {
			tail = rest
		}
	}
	return append(text, tail...), true
}
