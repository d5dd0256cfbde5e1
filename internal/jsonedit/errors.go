package jsonedit

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Fault is what makes a text unreadable.
type Fault uint8

// The faults of a text.
const (
	Syntax   Fault = iota // not JSON
	Encoding              // not UTF-8, a byte order mark, half of a surrogate pair
	TooDeep               // more than MaxDepth arrays and objects inside one another
	Empty                 // nothing but white space
	TooLarge              // more than MaxSize bytes or MaxValues values
)

// A SyntaxError says why a text is not a JSON document.
type SyntaxError struct {
	Offset int // of the byte where the text goes wrong; see Position
	Kind   Fault
	Msg    string // what was expected and what was found; fit for a terminal
}

func (e *SyntaxError) Error() string {
	return e.Msg + " (at byte " + strconv.Itoa(e.Offset) + ")"
}

// A PointerError says why the value at a pointer could not be read or changed.
type PointerError struct {
	Pointer string // RFC 6901; "" is the whole document
	Msg     string // fit for a terminal
	Err     error  // what lies beneath, or nil
}

func (e *PointerError) Error() string {
	if e.Pointer == "" {
		return e.Msg
	}
	return "at " + cut([]byte(e.Pointer)) + ": " + e.Msg
}

// Unwrap is the cause.
func (e *PointerError) Unwrap() error { return e.Err }

func syntax(offset int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

func tooDeep(offset int) *SyntaxError {
	return &SyntaxError{offset, TooDeep, fmt.Sprintf("arrays and objects stand more than %d deep inside one another", MaxDepth)}
}

func tooMany(offset int) *SyntaxError {
	return &SyntaxError{offset, TooLarge, fmt.Sprintf("the text holds more than %d values", MaxValues)}
}

// unreadable is what is wrong with src as a whole.
func unreadable(src []byte) *SyntaxError {
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

// failValue: there is no value at pos. The member name before it, if any, is
// Src[keyStart:keyEnd].
func (d *Doc) failValue(pos int, parent, keyStart, keyEnd int32) *SyntaxError {
	want := "expected a value"
	if keyEnd > 0 {
		want += " for the member " + cut(Unquote(d.Src[keyStart:keyEnd]))
	} else if parent >= 0 && d.Nodes[parent].Len == 0 {
		want += " or ']' after '['"
	} else if parent >= 0 {
		want += " after ','"
		if pos < len(d.Src) && d.Src[pos] == ']' {
			return syntax(pos, "%s, found ']': the last element has no ',' behind it", want)
		}
	}
	return d.unexpected(pos, parent, want)
}

// failKey: there is no member name at pos.
func (d *Doc) failKey(pos int, parent int32) *SyntaxError {
	want := "expected a member name in double quotes"
	if d.Nodes[parent].Len == 0 {
		want += " or '}' after '{'"
	} else {
		want += " after ','"
		if pos < len(d.Src) && d.Src[pos] == '}' {
			return syntax(pos, "%s, found '}': the last member has no ',' behind it", want)
		}
	}
	return d.unexpected(pos, parent, want)
}

func (d *Doc) failColon(pos int, keyStart, keyEnd, parent int32) *SyntaxError {
	return d.unexpected(pos, parent, "expected ':' after the member name "+cut(Unquote(d.Src[keyStart:keyEnd])))
}

// failComma: the child before pos is neither the last nor followed by another.
func (d *Doc) failComma(pos int, parent int32) *SyntaxError {
	if err := d.glued(pos); err != nil {
		return err
	}
	last := len(d.Nodes) - 1
	for d.Nodes[last].Parent != parent {
		last = int(d.Nodes[last].Parent)
	}
	want := fmt.Sprintf("expected ',' or ']' after element %d", d.Nodes[parent].Len+1)
	if d.Nodes[parent].Kind == Object {
		want = "expected ',' or '}' after the member " + cut([]byte(d.Key(last)))
	}
	return d.unexpected(pos, parent, want)
}

func (d *Doc) failTrailing(pos int) *SyntaxError {
	if err := d.glued(pos); err != nil {
		return err
	}
	return d.unexpected(pos, -1, "expected the end of the text after its value")
}

// glued: the text at pos belongs to the word before it, as in truely or 12px.
func (d *Doc) glued(pos int) *SyntaxError {
	if pos == 0 || pos >= len(d.Src) || !isWord(d.Src[pos]) || !isWord(d.Src[pos-1]) {
		return nil
	}
	start := pos
	for start > 0 && isWord(d.Src[start-1]) {
		start--
	}
	return syntax(start, "expected a value, found %s%s", word(d.Src[start:]), hint(d.Src[start:]))
}

// unexpected says what was expected at pos, what stands there, and where the
// enclosing container begins if the text ends or the wrong bracket closes it.
func (d *Doc) unexpected(pos int, parent int32, want string) *SyntaxError {
	msg, found := want+", found the end of the text", byte(0)
	if pos < len(d.Src) {
		found = d.Src[pos]
		msg = want + ", found " + word(d.Src[pos:]) + hint(d.Src[pos:])
	}
	if parent >= 0 && (pos >= len(d.Src) || found == ']' || found == '}') {
		line, _, _ := Position(d.Src, int(d.Nodes[parent].Start))
		msg += fmt.Sprintf("; the %s that begins on line %d is not closed", strings.TrimPrefix(d.Nodes[parent].Kind.String(), "an "), line)
	}
	return syntax(pos, "%s", msg)
}

// failString says what breaks the string whose opening quote stands at start.
func (d *Doc) failString(start int) *SyntaxError {
	src, pos := d.Src, start+1
	for pos < len(src) {
		switch c := src[pos]; {
		case c == '\n' || c == '\r':
			return syntax(pos, "expected '\"' to close the string that begins with %s, found the end of the line (a line break in a string is written \\n)", cut(src[start+1:pos]))
		case c == '\t':
			return syntax(pos, "a tab in a string is written \\t")
		case c < ' ':
			return syntax(pos, "a control character in a string is escaped: write \\u%04x", c)
		case c != '\\':
			pos++
		default:
			_, size := escape(src[pos:])
			if size == 0 {
				return failEscape(src, pos)
			}
			pos += size
		}
	}
	line, _, _ := Position(src, start)
	return syntax(start, "expected '\"' to close the string that begins on line %d, found the end of the text", line)
}

func failEscape(src []byte, pos int) *SyntaxError {
	if pos+1 == len(src) {
		return syntax(pos, "expected an escape sequence, found the end of the text")
	}
	if src[pos+1] != 'u' {
		r, _ := utf8.DecodeRune(src[pos+1:])
		return syntax(pos, `expected one of "\/bfnrtu after the backslash, found %q (a backslash itself is written \\)`, r)
	}
	digits := src[pos+2 : min(pos+6, len(src))]
	if hex4(digits) < 0 {
		return syntax(pos, `expected four hexadecimal digits after \u, found %s`, cut(digits))
	}
	return &SyntaxError{pos, Encoding, `\u` + string(digits) + " is half of a surrogate pair, and the other half is missing"}
}

// failNumber: at end, the number that begins at start goes wrong.
func failNumber(src []byte, start, end int) *SyntaxError {
	if isDigit(src[end-1]) && end < len(src) && isDigit(src[end]) {
		return syntax(start, "a number does not begin with 0: found %s", word(src[start:]))
	}
	if end == len(src) {
		return syntax(end, "expected a digit in the number %s, found the end of the text", cut(src[start:end]))
	}
	return syntax(end, "expected a digit in the number %s, found %s", cut(src[start:end]), word(src[end:]))
}

// isWord reports whether c is of what people write numbers, names and
// literals with.
func isWord(c byte) bool {
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '+' || c == '-' || c == '.' || c == '$'
}

// word is what stands at the start of src, for a message: a whole word or one
// character.
func word(src []byte) string {
	n := 0
	for n < len(src) && isWord(src[n]) {
		n++
	}
	if n > 0 && (n > 1 || !isDigit(src[0])) {
		return cut(src[:n])
	}
	r, _ := utf8.DecodeRune(src)
	return strconv.QuoteRune(r)
}

// hint is what may help with the word or character at the start of src.
func hint(src []byte) string {
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
		return ": a string stands in double quotes"
	case r == '“' || r == '”' || r == '„' || r == '«' || r == '»':
		return ": a string stands in straight double quotes (\")"
	case r == '#' || bytes.HasPrefix(src, []byte("//")) || bytes.HasPrefix(src, []byte("/*")):
		return ": JSON has no comments"
	}
	return ""
}

// cut quotes text for a message, control characters escaped, and shortens it.
func cut(text []byte) string {
	const longest = 40
	if len(text) <= longest {
		return strconv.Quote(string(text))
	}
	n := longest
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strconv.Quote(string(text[:n]) + "…")
}
