package transcript

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

const byteOrderMark = "\ufeff"

// clean is src as UTF-8 without a byte order mark and without NUL bytes, which a
// power cut leaves; bytes that are no UTF-8 are marked. It is src itself where
// that is clean.
func clean(src []byte) []byte {
	src = bytes.TrimPrefix(src, []byte(byteOrderMark))
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		mark := make([]byte, 2)
		order.PutUint16(mark, 0xFEFF)
		if bytes.HasPrefix(src, mark) {
			src = fromUTF16(src[2:], order)
		} else if asUTF16(src, order) {
			src = fromUTF16(src, order)
		}
	}
	if bytes.IndexByte(src, 0) >= 0 {
		src = bytes.ReplaceAll(src, []byte{0}, nil)
	}
	if !utf8.Valid(src) {
		src = bytes.ToValidUTF8(src, []byte("\uFFFD"))
	}
	return src
}

// asUTF16 says whether src begins with letters as UTF-16 has them, though no mark
// says so.
func asUTF16(src []byte, order binary.ByteOrder) bool {
	const few = 4
	for i := range few {
		if len(src) < 2*few {
			return false
		}
		if unit := order.Uint16(src[2*i:]); unit == 0 || unit >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func fromUTF16(src []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(src)/2)
	for i := range units {
		units[i] = order.Uint16(src[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// An escape in a JSON string: two halves of a pair together.
var escape = lazyregexp.New(`\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)`)

// mend is a JSON text without what JSON forbids: halves of surrogate pairs and
// control characters in strings, and between them bytes that were no text. It is nil where there is
// nothing of that.
func mend(raw []byte) []byte {
	done := raw
	if bytes.Contains(raw, []byte(`\ud`)) || bytes.Contains(raw, []byte(`\uD`)) {
		done = escape.ReplaceAllFunc(raw, func(e []byte) []byte {
			if len(e) == 6 && (e[2] == 'd' || e[2] == 'D') && e[3] > '7' { // a half alone
				return []byte(`\ufffd`)
			}
			return e
		})
	}
	const foreign = "\uFFFD" // what stands where bytes were no UTF-8
	var out []byte
	inString, from := false, 0
	drop := func(i, n int, with string) {
		out = append(append(out, done[from:i]...), with...)
		from = i + n
	}
	for i := 0; i < len(done); i++ {
		switch c := done[i]; {
		case inString && c == '\\' && bytes.HasPrefix(done[i+1:], []byte(foreign)):
			drop(i+1, len(foreign), "")
			i += len(foreign) + 1
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case c < ' ' && inString:
			drop(i, 1, fmt.Sprintf(`\u%04x`, c))
		case c < ' ' && c != '\n' && c != '\r' && c != '\t':
			drop(i, 1, "")
		case !inString && bytes.HasPrefix(done[i:], []byte(foreign)):
			drop(i, len(foreign), "")
			i += len(foreign) - 1
		}
	}
	if from > 0 {
		done = append(out, done[from:]...)
	}
	if bytes.Equal(done, raw) {
		return nil
	}
	return done
}

// closed is a JSON text that ends too early, up to its last member or element
// that is whole, not deeper than three levels, with what is open there closed;
// upTo is how much of src that is.
func closed(src []byte) (text []byte, upTo int) {
	const deep = 3
	var open, openThen []byte
	inString := false
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
			if len(open) <= deep {
				upTo, openThen = i+1, append(openThen[:0], open...)
			}
		case (c == '}' || c == ']') && len(open) > 0 && open[len(open)-1] == c:
			open = open[:len(open)-1]
			if len(open) <= deep {
				upTo, openThen = i+1, append(openThen[:0], open...)
			}
		case c == ',' && len(open) > 0 && len(open) <= deep:
			upTo, openThen = i, append(openThen[:0], open...)
		}
	}
	text = bytes.Clone(src[:upTo])
	for i := len(openThen) - 1; i >= 0; i-- {
		text = append(text, openThen[i])
	}
	return text, upTo
}
