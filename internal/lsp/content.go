package lsp

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// A content is a text that does not change, with the places of its lines. A line ends with \n,
// \r\n or \r, as in the protocol.
type content struct {
	src   []byte
	lines []int // the offsets of the starts of the lines
	utf8  bool  // columns count bytes instead of UTF-16 units
}

func newContent(src []byte, utf8 bool) *content {
	c := &content{src: src, lines: []int{0}, utf8: utf8}
	for i, b := range src {
		if b == '\n' || b == '\r' && (i+1 == len(src) || src[i+1] != '\n') {
			c.lines = append(c.lines, i+1)
		}
	}
	return c
}

// offset returns the offset of a position in bytes. One behind the end of its line is the end of
// the line; one behind the last line is the end of the text; one inside a character is its start.
func (c *content) offset(p position) int {
	if p.Line >= len(c.lines) {
		return len(c.src)
	}
	at, end := c.lines[max(p.Line, 0)], c.lineEnd(max(p.Line, 0))
	for column := 0; at < end && column < p.Character; {
		r, size := utf8.DecodeRune(c.src[at:end])
		if column += c.units(r, size); column > p.Character {
			break
		}
		at += size
	}
	return at
}

// units returns the width of a character in a column.
func (c *content) units(r rune, size int) int {
	switch {
	case c.utf8:
		return size
	case r > 0xFFFF:
		return 2
	}
	return 1
}

// lineEnd returns the offset of the end of a line, before its line ending.
func (c *content) lineEnd(line int) int {
	end := len(c.src)
	if line+1 < len(c.lines) {
		end = c.lines[line+1]
	}
	return c.lines[line] + len(bytes.TrimRight(c.src[c.lines[line]:end], "\r\n"))
}

// position returns the position of an offset.
func (c *content) position(offset int) position {
	offset = min(max(offset, 0), len(c.src))
	line, found := slices.BinarySearch(c.lines, offset)
	if !found {
		line--
	}
	p := position{Line: line}
	for at := c.lines[line]; at < offset; {
		r, size := utf8.DecodeRune(c.src[at:])
		if at += size; at <= offset {
			p.Character += c.units(r, size)
		}
	}
	return p
}

// span returns the range between two offsets.
func (c *content) span(start, end int) span {
	return span{c.position(start), c.position(end)}
}

// edited returns the text after a change of the protocol.
func (c *content) edited(e contentChange) *content {
	if e.Range == nil {
		return newContent([]byte(e.Text), c.utf8)
	}
	start := c.offset(e.Range.Start)
	end := max(start, c.offset(e.Range.End))
	return newContent(slices.Concat(c.src[:start], []byte(e.Text), c.src[end:]), c.utf8)
}

// edit returns the edit that turns the text into another one. Its range begins and ends at the
// first and the last difference.
func (c *content) edit(src []byte) textEdit {
	old := c.src
	start := 0
	for start < len(old) && start < len(src) && old[start] == src[start] {
		start++
	}
	for start > 0 && !c.isBoundary(start) {
		start--
	}
	end := 0
	for end < len(old)-start && end < len(src)-start && old[len(old)-1-end] == src[len(src)-1-end] {
		end++
	}
	for end > 0 && !c.isBoundary(len(old)-end) {
		end--
	}
	return textEdit{c.span(start, len(old)-end), string(src[start : len(src)-end])}
}

// isBoundary reports whether an offset is neither inside a character nor inside a line ending.
func (c *content) isBoundary(at int) bool {
	return at == len(c.src) || utf8.RuneStart(c.src[at]) && (at == 0 || c.src[at] != '\n' || c.src[at-1] != '\r')
}
