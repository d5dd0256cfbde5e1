package hook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A block is our part of a file that people write for agents, such as AGENTS.md: the lines between
// two marks. The first mark holds the hash of the text between them, so that an edit is noticed.
// Every other byte of the file belongs to others.
type block struct {
	text string // text between the marks; it ends in a newline
}

var (
	blockBegin = lazyregexp.New(`(?m)^<!-- forgemind:begin(?: ([0-9a-f]{12}))?[^\n]*-->[ \t]*\r?$`)
	blockEnd   = lazyregexp.New(`(?m)^<!-- forgemind:end -->[ \t]*\r?$`)
)

// hashOf returns the hash of a text, which does not depend on line ends.
func hashOf(text []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(sum[:6])
}

// whole returns the block with its marks, without the line end of the last line.
func (b *block) whole(eol string) string {
	text := "<!-- forgemind:begin " + hashOf([]byte(b.text)) + " (kept by forgemind; a change by hand stays, and is told) -->\n" + b.text + "<!-- forgemind:end -->"
	return strings.ReplaceAll(text, "\n", eol)
}

// A span is a block in a file.
type span struct {
	start, end int    // offsets of its lines, without the last line end
	text       []byte // text between the marks
	hash       string // hash in the mark
}

func (p span) edited() bool { return hashOf(p.text) != p.hash }

var fenceLine = lazyregexp.New("(?m)^ {0,3}(```+|~~~+)([^\n]*)$")

// codeBlocks returns the ranges of the fenced code blocks in src. A block without an end does not
// count.
func codeBlocks(src []byte) (spans [][2]int) {
	opened, mark := -1, ""
	for _, at := range fenceLine.FindAllSubmatchIndex(src, -1) {
		run, rest := string(src[at[2]:at[3]]), bytes.TrimSpace(src[at[4]:at[5]])
		switch {
		case opened < 0:
			opened, mark = at[0], run
		case strings.HasPrefix(run, mark) && len(rest) == 0:
			spans, opened = append(spans, [2]int{opened, at[1]}), -1
		}
	}
	return spans
}

// spans returns the blocks in src, except those in code blocks. It returns an error if the marks do
// not match.
func spans(src []byte) ([]span, *FileError) {
	shown := codeBlocks(src)
	isShown := func(at []int) bool {
		return slices.ContainsFunc(shown, func(s [2]int) bool { return s[0] <= at[0] && at[0] < s[1] })
	}
	begins := slices.DeleteFunc(blockBegin.FindAllSubmatchIndex(src, -1), isShown)
	ends := slices.DeleteFunc(blockEnd.FindAllIndex(src, -1), isShown)
	if len(begins) > mostOurs { // forgemind never writes so many
		return nil, torn(src, begins[mostOurs][0], fmt.Sprintf("there are %d blocks of forgemind", len(begins)))
	}
	var all []span
	for i, begin := range begins {
		hash := ""
		if begin[2] >= 0 {
			hash = string(src[begin[2]:begin[3]])
		}
		if i >= len(ends) || ends[i][0] < begin[1] || i+1 < len(begins) && begins[i+1][0] < ends[i][0] {
			return nil, torn(src, begin[0], "a block of forgemind begins here and does not end")
		}
		end := bytes.TrimRight(src[ends[i][0]:ends[i][1]], "\r")
		all = append(all, span{begin[0], ends[i][0] + len(end), src[begin[1]+1 : ends[i][0]], hash})
	}
	if len(ends) > len(begins) {
		at := ends[len(begins)][0]
		if len(begins) == 0 || ends[0][0] < begins[0][0] {
			at = ends[0][0]
		}
		return nil, torn(src, at, "a block of forgemind ends here and has not begun")
	}
	return all, nil
}

func torn(src []byte, at int, msg string) *FileError {
	line, column, _ := jsonedit.Position(src, at)
	return &FileError{Line: line, Column: column, Msg: msg, Hint: "remove the mark, or restore its counterpart"}
}

// put implements piece.
func (b *block) put(src []byte) ([]byte, []string, string, error) {
	if bytes.IndexByte(src, 0) >= 0 {
		return src, nil, "it is not UTF-8 text; it was not changed", nil
	}
	all, err := spans(src)
	switch {
	case err != nil:
		return src, nil, err.position() + err.Msg + "; the file was left alone", nil
	case len(all) == 0:
		return appended(src, b.whole(eolOf(src))), []string{""}, "", nil
	}
	for i, p := range all {
		if p.edited() {
			return src, nil, b.lines(src, all[i:i+1]) + ": the block of forgemind was changed by hand; it was kept", nil
		}
	}
	for _, p := range slices.Backward(all[1:]) { // a merge of two branches may leave two blocks
		src = without(src, p)
	}
	p := all[0]
	if strings.ReplaceAll(string(src[p.start:p.end]), "\r\n", "\n") == b.whole("\n") {
		return src, nil, "", nil
	}
	return slices.Concat(src[:p.start], []byte(b.whole(eolOf(src))), src[p.end:]), nil, "", nil
}

// appended returns src with the lines of whole, of which the last has no line end, after an empty
// line. If the last line of src has no line end, neither has that of the result.
func appended(src []byte, whole string) []byte {
	eol := eolOf(src)
	switch {
	case len(src) == 0:
		whole += eol
	case src[len(src)-1] == '\n':
		whole = eol + whole + eol
	default:
		whole = eol + eol + whole
	}
	return append(bytes.Clone(src), whole...)
}

// take implements piece.
func (b *block) take(src []byte, made []string) ([]byte, string, error) {
	all, err := spans(src)
	if err != nil {
		return src, err.position() + err.Msg + "; the file was left alone", nil
	}
	if len(all) == 0 {
		return src, "", nil
	}
	note := ""
	for i := len(all) - 1; i >= 0; i-- {
		if p := all[i]; p.edited() {
			note = b.lines(src, all[i:i+1]) + ": the block of forgemind was changed by hand; it was kept"
		} else {
			src = without(src, p)
		}
	}
	if len(src) == 0 && mine(made, "") {
		return nil, note, nil
	}
	return src, note, nil
}

// without returns src without a block, its last line end, and the empty line before it, which
// appended has added.
func without(src []byte, p span) []byte {
	start, end, eol := p.start, p.end, len(eolOf(src))
	lone := end == len(src) // the file has no line end at the end, so it had none before
	if end < len(src) && src[end] == '\r' {
		end++
	}
	if end < len(src) {
		end++
	}
	if blank := start - eol; blank > 0 && src[blank-1] == '\n' && string(src[blank:start]) == eolOf(src) {
		start = blank
		if lone {
			start = max(0, start-eol)
		}
	}
	return append(bytes.Clone(src[:start]), src[end:]...)
}

// look implements piece.
func (b *block) look(src []byte) (State, string) {
	all, err := spans(src)
	switch {
	case err != nil:
		return Damaged, err.position() + err.Msg
	case len(all) == 0:
		return Absent, ""
	case len(all) > 1:
		return Damaged, "there are " + strconv.Itoa(len(all)) + " blocks of forgemind, on " + b.lines(src, all)
	case all[0].edited():
		return Edited, b.lines(src, all) + ": the block was changed by hand"
	case strings.ReplaceAll(string(all[0].text), "\r\n", "\n") != b.text:
		return Other, "the block of another version"
	}
	return Installed, ""
}

// lines lists the numbers of the lines at which blocks begin.
func (b *block) lines(src []byte, all []span) string {
	var lines []string
	for _, p := range all {
		line, _, _ := jsonedit.Position(src, p.start)
		lines = append(lines, strconv.Itoa(line))
	}
	word := "line "
	if len(lines) > 1 {
		word = "lines "
	}
	return word + strings.Join(lines, " and ")
}

// eolOf returns the line end of the first line of src.
func eolOf(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
