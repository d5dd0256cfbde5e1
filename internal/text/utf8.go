package text

import "unicode/utf8"

// InvalidUTF8 returns the offset of the first byte of src that is not UTF-8;
// len(src) if there is none.
func InvalidUTF8(src []byte) int {
	at := 0
	for at < len(src) {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}
