package templates

import (
	"bytes"
	"slices"
	"strings"
)

// A part is a heading of the second level and the text below it, or the text before the
// first heading, which has the heading "".
type part struct {
	heading string
	text    []byte // with the line of the heading
}

// splitParts splits a markdown text at its headings of the second level. A line in a
// fenced block of code is not a heading. Parts with one of the headings own are going to
// be replaced; a fence that somebody left open there must not take along what others
// wrote below. So they end at the first line that begins like a heading of the first or
// second level.
func splitParts(text []byte, own ...string) []part {
	all, open := []part{{}}, fence("")
	for line := range bytes.Lines(text) {
		heading, ok := bytes.CutPrefix(line, []byte("## "))
		switch last := all[len(all)-1]; {
		case len(all) > 1 && slices.Contains(own, last.heading):
			if open = ""; !ok && bytes.HasPrefix(line, []byte("# ")) {
				heading, ok = line, true
			}
		case open.read(line):
			ok = false
		}
		if ok {
			all = append(all, part{heading: string(bytes.TrimSpace(heading))})
		}
		last := &all[len(all)-1]
		last.text = append(last.text, line...)
	}
	return all
}

// closed returns text with one line end at its end and with a line that closes the fence
// that is open there, which would enclose what follows. An empty text stays empty.
func closed(text []byte) []byte {
	text = bytes.TrimRight(text, "\r\n")
	if len(text) == 0 {
		return nil
	}
	var open fence
	for line := range bytes.Lines(text) {
		open.read(line)
	}
	if open != "" {
		text = slices.Concat(text, []byte("\n"+open))
	}
	return append(bytes.Clone(text), '\n')
}

// A fence is the marks that began the fenced block of code that is open while a text is
// read line by line, "" if none is (CommonMark 0.31.2, section 4.5).
type fence string

// read reads the next line and reports whether it belongs to a fenced block. A block
// begins without indentation here, so that the end of one in a list begins none.
func (f *fence) read(line []byte) bool {
	text := strings.TrimLeft(string(line), " ")
	indent := len(line) - len(text)
	mark, info := fenceMark(text)
	switch {
	case *f != "":
		if indent <= 3 && info == "" && strings.HasPrefix(mark, string(*f)) {
			*f = ""
		}
		return true
	case mark == "" || indent > 0 || mark[0] == '`' && strings.Contains(info, "`"): // the last is code in a line
		return false
	}
	*f = fence(mark)
	return true
}

// fenceMark returns the marks at the start of a line that begin or end a fence, "" for
// none, and the text behind them.
func fenceMark(line string) (mark, info string) {
	for _, c := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, c); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)], strings.TrimSpace(rest)
		}
	}
	return "", ""
}
