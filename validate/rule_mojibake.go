package validate

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

var mojibake = Rule{
	Name:     "mojibake",
	Severity: Warning,
	Summary:  "Text that was encoded twice.",
	Help: `UTF-8 text was read as Windows-1252 or Latin-1 and saved again, so that one
character became two or three wrong ones.

The text is valid UTF-8 and is never refused, but people, agents and full-text
search do not find the word any more.

Wrong:

    "name": "CafÃ©", "note": "donâ€™t"

Right:

    "name": "Café", "note": "don’t"

To mend it, replace what the finding shows by what it says was meant, and look at
the tool that saved the text: it must read and write UTF-8. One finding stands for
the whole document.
`,
	whole: func(d *document) {
		if d.garbled {
			return
		}
		// Any lead byte of UTF-8, decoded as a character and encoded again, becomes C3
		// and one more byte; this includes C2 and C3.
		for at := 0; ; at++ {
			i := bytes.IndexByte(d.src[at:], 0xC3)
			if i < 0 {
				return
			}
			at += i
			if size, meant := twice(d.src[at:]); size > 0 {
				d.garbled = true
				d.report(at, "", fmt.Sprintf("%q looks like text that was encoded twice: %q was meant", d.src[at:at+size], meant),
					"replace it, look for more of it, and let the tool that saved the text read and write UTF-8")
				return
			}
		}
	},
}

// twice decodes one character at the start of src that was encoded twice. It returns
// the number of bytes and the original character; 0 if there is none.
func twice(src []byte) (size int, meant string) {
	lead, n := utf8.DecodeRune(src)
	var want int
	switch {
	case lead == 0xC2 || lead == 0xC3:
		want = 2
	case lead >= 0xE0 && lead <= 0xEF:
		want = 3
	case lead == 0xF0:
		want = 4
	default:
		return 0, ""
	}
	raw := make([]byte, 1, utf8.UTFMax)
	raw[0], size = byte(lead), n
	strange := lead == 0xC2 || lead == 0xF0
	for len(raw) < want {
		r, n := utf8.DecodeRune(src[size:])
		b, ok := continuation(r)
		if !ok {
			return 0, ""
		}
		strange = strange || !closes(r)
		raw = append(raw, b)
		size += n
	}
	// A letter followed by punctuation of its own language, as in É», is no evidence.
	if !strange || !utf8.Valid(raw) {
		return 0, ""
	}
	return size, string(raw)
}

// closes reports whether r may follow a word in ordinary text.
func closes(r rune) bool {
	switch r {
	case '‘', '’', '“', '”', '…', '–', '—', '•', '‹', '›', '«', '»', '\u00a0':
		return true
	}
	return false
}

// continuation returns the continuation byte (80 to BF) that r has in Windows-1252 or
// Latin-1.
func continuation(r rune) (byte, bool) {
	switch {
	case r < 0x80:
		return 0, false
	case r <= 0xBF:
		return byte(r), true
	}
	const from80 = "€\x00‚ƒ„…†‡ˆ‰Š‹Œ\x00Ž\x00\x00‘’“”•–—˜™š›œ\x00žŸ"
	i := byte(0x80)
	for _, c := range from80 {
		if c == r && c != 0 {
			return i, true
		}
		i++
	}
	return 0, false
}
