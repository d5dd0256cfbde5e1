package jsonedit

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// These functions test eight bytes at once. The lowest bit set in bytesBelow(w, n) and
// bytesEqual(w, c) belongs to the first byte that is less than n, or equal to c.
// Higher bits may be wrong.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

func bytesBelow(w, n uint64) uint64 { return (w - ones*n) &^ w & highs }
func bytesEqual(w, c uint64) uint64 { return bytesBelow(w^ones*c, 1) }

func skipSpaces(src []byte, pos int) int {
	for pos < len(src) {
		switch src[pos] {
		case '\n', ' ': // usually a run of spaces follows
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

// stringEnd returns the end of the string whose opening quote is at pos, -1 if it is
// invalid. plain reports whether the string has no escape.
func stringEnd(src []byte, pos int) (end int, plain bool) {
	plain = true
	pos++
	for {
		for pos+8 <= len(src) {
			w := binary.LittleEndian.Uint64(src[pos:])
			stop := bytesBelow(w, ' ') | bytesEqual(w, '"') | bytesEqual(w, '\\')
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

// escape returns the character and the length of the escape sequence at the start of
// src, length 0 if it is invalid. Both halves of a surrogate pair are one sequence.
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

// hex4 returns the value of the four hexadecimal digits at the start of src, or -1.
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

// Unquote returns the text of quoted, which must be a valid JSON string with its
// quotes. If it has no escape, the result is a slice of quoted.
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
