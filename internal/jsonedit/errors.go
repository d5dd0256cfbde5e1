package jsonedit

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Fault is the kind of a SyntaxError.
type Fault uint8

// The faults of a text.
const (
	Syntax   Fault = iota // not JSON
	Encoding              // not UTF-8, a byte order mark, half of a surrogate pair
	TooDeep               // arrays and objects nested more than MaxDepth deep
	Empty                 // only white space
	TooLarge              // more than MaxSize bytes or MaxValues values
)

// A SyntaxError describes why a text is not a JSON document.
type SyntaxError struct {
	Offset int // of the error, in bytes; see Position
	Kind   Fault
	Msg    string // what was expected and what was found, without control characters
}

func (e *SyntaxError) Error() string {
	return e.Msg + " (at byte " + strconv.Itoa(e.Offset) + ")"
}

// A PointerError describes why the value at a pointer could not be read or changed.
type PointerError struct {
	Pointer string // RFC 6901; "" is the whole document
	Msg     string // without control characters
	Err     error  // the cause, or nil
}

func (e *PointerError) Error() string {
	if e.Pointer == "" {
		return e.Msg
	}
	return "at " + quoteShort([]byte(e.Pointer)) + ": " + e.Msg
}

// Unwrap returns the cause.
func (e *PointerError) Unwrap() error { return e.Err }

func syntax(offset int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

func tooDeep(offset int) *SyntaxError {
	return &SyntaxError{offset, TooDeep, fmt.Sprintf("arrays and objects are nested more than %d deep", MaxDepth)}
}

func tooMany(offset int) *SyntaxError {
	return &SyntaxError{offset, TooLarge, fmt.Sprintf("the text holds more than %d values", MaxValues)}
}

// checkText returns an error for src as a whole: its size, its encoding, no value.
func checkText(src []byte) *SyntaxError {
	switch {
	case len(src) > MaxSize:
		return &SyntaxError{MaxSize, TooLarge, fmt.Sprintf("the text is longer than %d bytes", MaxSize)}
	case bytes.HasPrefix(src, []byte(bom)):
		return &SyntaxError{0, Encoding, "the text begins with a byte order mark (EF BB BF): save it as UTF-8 without BOM"}
	case bytes.HasPrefix(src, []byte("\xFF\xFE")), bytes.HasPrefix(src, []byte("\xFE\xFF")):
		return &SyntaxError{0, Encoding, "the text is UTF-16: save it as UTF-8"}
	case skipSpace(src, 0) == len(src):
		return &SyntaxError{0, Empty, "expected a value, found an empty text"}
	case !utf8.Valid(src):
		at := 0
		for {
			r, size := utf8.DecodeRune(src[at:])
			if r == utf8.RuneError && size <= 1 {
				return &SyntaxError{at, Encoding, fmt.Sprintf("the byte 0x%02X is not UTF-8", src[at])}
			}
			at += size
		}
	}
	return nil
}

// valueError returns the error for a missing value at pos. The member name before it,
// if any, is Src[keyStart:keyEnd].
func (d *Doc) valueError(pos int, parent, keyStart, keyEnd int32) *SyntaxError {
	want := "expected a value"
	switch {
	case keyEnd > 0:
		want += " for the member " + quoteShort(Unquote(d.Src[keyStart:keyEnd]))
	case parent >= 0 && d.Nodes[parent].Len == 0:
		want += " or ']' after '['"
	case parent >= 0:
		want += " after ','"
		if pos < len(d.Src) && d.Src[pos] == ']' {
			return syntax(pos, "%s, found ']': JSON allows no ',' after the last element", want)
		}
	}
	return d.unexpected(pos, parent, want)
}

// keyError returns the error for a missing member name at pos.
func (d *Doc) keyError(pos int, parent int32) *SyntaxError {
	want := "expected a member name in double quotes"
	if d.Nodes[parent].Len == 0 {
		want += " or '}' after '{'"
	} else {
		want += " after ','"
		if pos < len(d.Src) && d.Src[pos] == '}' {
			return syntax(pos, "%s, found '}': JSON allows no ',' after the last member", want)
		}
	}
	return d.unexpected(pos, parent, want)
}

func (d *Doc) colonError(pos int, keyStart, keyEnd, parent int32) *SyntaxError {
	return d.unexpected(pos, parent, "expected ':' after the member name "+quoteShort(Unquote(d.Src[keyStart:keyEnd])))
}

// commaError returns the error for a child before pos that neither a comma nor the
// end of its container follows.
func (d *Doc) commaError(pos int, parent int32) *SyntaxError {
	if err := d.wordError(pos); err != nil {
		return err
	}
	last := len(d.Nodes) - 1
	for d.Nodes[last].Parent != parent {
		last = int(d.Nodes[last].Parent)
	}
	want := fmt.Sprintf("expected ',' or ']' after element %d", d.Nodes[parent].Len+1)
	if d.Nodes[parent].Kind == Object {
		want = "expected ',' or '}' after the member " + quoteShort([]byte(d.Key(last)))
	}
	return d.unexpected(pos, parent, want)
}

func (d *Doc) trailingError(pos int) *SyntaxError {
	if err := d.wordError(pos); err != nil {
		return err
	}
	return d.unexpected(pos, -1, "expected the end of the text after its value")
}

// wordError returns an error if the byte at pos continues the word before it, as in
// truely or 12px.
func (d *Doc) wordError(pos int) *SyntaxError {
	if pos == 0 || pos >= len(d.Src) || !isWord(d.Src[pos]) || !isWord(d.Src[pos-1]) {
		return nil
	}
	start := pos
	for start > 0 && isWord(d.Src[start-1]) {
		start--
	}
	return syntax(start, "expected a value, found %s%s", wordAt(d.Src[start:]), hintFor(d.Src[start:]))
}

// unexpected returns an error that names what was expected and what was found at pos,
// and, if the text ends or a wrong bracket follows, the line on which the enclosing
// container begins.
func (d *Doc) unexpected(pos int, parent int32, want string) *SyntaxError {
	msg, found := want+", found the end of the text", byte(0)
	if pos < len(d.Src) {
		found = d.Src[pos]
		msg = want + ", found " + wordAt(d.Src[pos:]) + hintFor(d.Src[pos:])
	}
	if parent >= 0 && (pos >= len(d.Src) || found == ']' || found == '}') {
		line, _, _ := Position(d.Src, int(d.Nodes[parent].Start))
		msg += fmt.Sprintf("; the %s that begins on line %d is not closed", strings.TrimPrefix(d.Nodes[parent].Kind.String(), "an "), line)
	}
	return syntax(pos, "%s", msg)
}

// stringError returns the error for the invalid string that begins at start.
func (d *Doc) stringError(start int) *SyntaxError {
	src, pos := d.Src, start+1
	for pos < len(src) {
		switch c := src[pos]; {
		case c == '\n' || c == '\r':
			return syntax(pos, "expected '\"' to close the string that begins with %s, found the end of the line (a line break in a string is written \\n)", quoteShort(src[start+1:pos]))
		case c == '\t':
			return syntax(pos, "a tab in a string is written \\t")
		case c < ' ':
			return syntax(pos, "a control character in a string is escaped: write \\u%04x", c)
		case c != '\\':
			pos++
		default:
			_, size := escape(src[pos:])
			if size == 0 {
				return escapeError(src, pos)
			}
			pos += size
		}
	}
	line, _, _ := Position(src, start)
	return syntax(start, "expected '\"' to close the string that begins on line %d, found the end of the text", line)
}

func escapeError(src []byte, pos int) *SyntaxError {
	if pos+1 == len(src) {
		return syntax(pos, "expected an escape sequence, found the end of the text")
	}
	if src[pos+1] != 'u' {
		r, _ := utf8.DecodeRune(src[pos+1:])
		return syntax(pos, `expected one of "\/bfnrtu after the backslash, found %q (a backslash itself is written \\)`, r)
	}
	digits := src[pos+2 : min(pos+6, len(src))]
	if hex4(digits) < 0 {
		return syntax(pos, `expected four hexadecimal digits after \u, found %s`, quoteShort(digits))
	}
	return &SyntaxError{pos, Encoding, `\u` + string(digits) + " is half of a surrogate pair, and the other half is missing"}
}

// numberError returns the error for the number that begins at start and is invalid at
// end.
func numberError(src []byte, start, end int) *SyntaxError {
	if isDigit(src[end-1]) && end < len(src) && isDigit(src[end]) {
		return syntax(start, "a number must not begin with 0: found %s", wordAt(src[start:]))
	}
	if end == len(src) {
		return syntax(end, "expected a digit in the number %s, found the end of the text", quoteShort(src[start:end]))
	}
	return syntax(end, "expected a digit in the number %s, found %s", quoteShort(src[start:end]), wordAt(src[end:]))
}

// isWord reports whether c is a character of numbers, names and literals, valid in
// JSON or not.
func isWord(c byte) bool {
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '+' || c == '-' || c == '.' || c == '$'
}

// wordAt quotes the first word of src, or its first character, for a message.
func wordAt(src []byte) string {
	n := 0
	for n < len(src) && isWord(src[n]) {
		n++
	}
	if n > 0 && (n > 1 || !isDigit(src[0])) {
		return quoteShort(src[:n])
	}
	r, _ := utf8.DecodeRune(src)
	return strconv.QuoteRune(r)
}

// hintFor returns a hint about the word or character at the start of src, or "".
func hintFor(src []byte) string {
	n := 0
	for n < len(src) && n < 16 && isWord(src[n]) {
		n++
	}
	switch string(src[:n]) {
	case "True", "TRUE", "yes":
		return ": JSON writes true"
	case "False", "FALSE", "no":
		return ": JSON writes false"
	case "None", "NULL", "Null", "nil", "undefined":
		return ": JSON writes null"
	case "NaN", "Infinity", "-Infinity", "+Infinity":
		return ": JSON has no such number"
	}
	if n > 1 && (src[0] == '+' || src[0] == '.') && isDigit(src[1]) {
		return ": a number begins with a digit or '-'"
	}
	r, _ := utf8.DecodeRune(src)
	switch {
	case r == '\'' || r == '`':
		return ": write strings in double quotes"
	case r == '“' || r == '”' || r == '„' || r == '«' || r == '»':
		return ": write strings in straight double quotes (\")"
	case r == '#' || bytes.HasPrefix(src, []byte("//")) || bytes.HasPrefix(src, []byte("/*")):
		return ": JSON has no comments"
	}
	return ""
}

// quoteShort quotes text for a message, with control characters escaped, cut after
// 40 bytes.
func quoteShort(text []byte) string {
	const maxLength = 40
	if len(text) <= maxLength {
		return strconv.Quote(string(text))
	}
	n := maxLength
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strconv.Quote(string(text[:n]) + "…")
}
