package jsonedit

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// Eight bytes are looked at in one step. In below(w, n) and equal(w, c) the
// lowest bit set belongs to the first byte that is below n, or is c; bits
// above it may be wrong.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

func below(w, n uint64) uint64 { return (w - ones*n) &^ w & highs }
func equal(w, c uint64) uint64 { return below(w^ones*c, 1) }

func skipSpaces(src []byte, pos int) int {
	for pos < len(src) {
		switch src[pos] {
		case '\n', ' ': // what follows is most often a run of spaces
			for pos++; pos+8 <= len(src); pos += 8 {
				w := binary.LittleEndian.Uint64(src[pos:]) ^ ones*' '
				if w != 0 {
					pos += bits.TrailingZeros64(w) / 8
					break
				}
			}
		case '\t', '\r':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// stringEnd is the position behind the string whose opening quote stands at
// pos, and whether the string has no escape; -1 if it is broken.
func stringEnd(src []byte, pos int) (end int, plain bool) {
	plain = true
	pos++
	for {
		for pos+8 <= len(src) {
			w := binary.LittleEndian.Uint64(src[pos:])
			stop := below(w, ' ') | equal(w, '"') | equal(w, '\\')
			if stop != 0 {
				pos += bits.TrailingZeros64(stop) / 8
				break
			}
			pos += 8
		}
		for pos < len(src) && src[pos] != '"' && src[pos] != '\\' && src[pos] >= ' ' {
			pos++
		}
		if pos >= len(src) || src[pos] < ' ' {
			return -1, plain
		}
		if src[pos] == '"' {
			return pos + 1, plain
		}
		plain = false
		_, size := escape(src[pos:])
		if size == 0 {
			return -1, plain
		}
		pos += size
	}
}

// escape reads the escape sequence at the start of src, both halves of a
// surrogate pair together: its character and its length, 0 if it is broken.
func escape(src []byte) (rune, int) {
	if len(src) < 2 {
		return 0, 0
	}
	switch c := src[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r := hex4(src[2:])
		if !utf16.IsSurrogate(r) && r >= 0 {
			return r, 6
		}
		if len(src) >= 12 && src[6] == '\\' && src[7] == 'u' {
			if r = utf16.DecodeRune(r, hex4(src[8:])); r != utf8.RuneError {
				return r, 12
			}
		}
	}
	return 0, 0
}

// hex4 is the value of the four hexadecimal digits at the start of src, or -1.
func hex4(src []byte) rune {
	if len(src) < 4 {
		return -1
	}
	var r rune
	for _, c := range src[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// Unquote is the text of a valid JSON string given with its quotes. Where
// there is no escape it is a part of quoted itself and allocates nothing.
func Unquote(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	at := bytes.IndexByte(inner, '\\')
	if at < 0 {
		return inner
	}
	text := make([]byte, 0, len(inner))
	for at >= 0 {
		text = append(text, inner[:at]...)
		r, size := escape(inner[at:])
		text = utf8.AppendRune(text, r)
		inner = inner[at+max(size, 1):]
		at = bytes.IndexByte(inner, '\\')
	}
	return append(text, inner...)
}
