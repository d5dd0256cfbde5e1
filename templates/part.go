package templates

import (
	"bytes"
	"slices"
	"strings"
)

// A part is a heading of the second level and the text below it, or, with the heading
// "", the text before the first heading.
type part struct {
	heading string
	text    []byte // with the line of the heading
}

// splitParts splits a markdown text at its headings of the second level. A line in a
// fence is not a heading.
func splitParts(text []byte) []part {
	lines := slices.Collect(bytes.Lines(text))
	fenced, _ := fences(lines)
	all := []part{{}}
	for i, line := range lines {
		if heading, ok := bytes.CutPrefix(line, []byte("## ")); ok && !fenced[i] {
			all = append(all, part{heading: string(bytes.TrimSpace(heading))})
		}
		last := &all[len(all)-1]
		last.text = append(last.text, line...)
	}
	return all
}

// behindOpenFence returns what begins with the first line in a text that would be a
// heading of the second level if a fence were not open there, nil if there is none.
func behindOpenFence(text []byte) []byte {
	lines := slices.Collect(bytes.Lines(text))
	_, open := fences(lines)
	for i := open; 0 <= i && i < len(lines); i++ {
		if bytes.HasPrefix(lines[i], []byte("## ")) {
			return bytes.Join(lines[i:], nil)
		}
	}
	return nil
}

// closed returns text with one line end at its end and with a line that closes the fence
// that is open there, which would enclose what follows. An empty text stays empty.
func closed(text []byte) []byte {
	text = bytes.TrimRight(text, "\r\n")
	if len(text) == 0 {
		return nil
	}
	lines := slices.Collect(bytes.Lines(text))
	if _, open := fences(lines); open >= 0 {
		mark, _ := fenceMark(lines[open])
		text = slices.Concat(text, []byte("\n"+mark))
	}
	return append(bytes.Clone(text), '\n')
}

// fences reports, for each line, whether it belongs to a fenced block of code, and returns
// the index of the line that begins one that no line ends, -1 for none (CommonMark 0.31.2,
// section 4.5).
func fences(lines [][]byte) (fenced []bool, open int) {
	fenced, open = make([]bool, len(lines)), -1
	mark := "" // of the fence that is open
	for i, line := range lines {
		m, info := fenceMark(line)
		fenced[i] = mark != "" || m != ""
		switch {
		case m == "":
		case mark == "" && m[0] == '`' && strings.Contains(info, "`"):
			fenced[i] = false // code within the line
		case mark == "":
			mark, open = m, i
		case info == "" && strings.HasPrefix(m, mark):
			mark, open = "", -1
		}
	}
	return fenced, open
}

// fenceMark returns the marks that begin or end a fence at the start of a line, "" for
// none, and the text behind them.
func fenceMark(line []byte) (mark, rest string) {
	text := strings.TrimLeft(string(line), " ")
	if indent := len(line) - len(text); indent > 3 {
		return "", ""
	}
	for _, c := range []string{"`", "~"} {
		if rest := strings.TrimLeft(text, c); len(text)-len(rest) >= 3 {
			return text[:len(text)-len(rest)], strings.TrimSpace(rest)
		}
	}
	return "", ""
}
