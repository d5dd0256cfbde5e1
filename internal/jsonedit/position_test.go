package jsonedit

import "testing"

func TestPosition(t *testing.T) {
	src := []byte("a\r\né😀x\rb\n\n\xff\xfez")
	for _, c := range []struct{ offset, line, column, column16 int }{
		{0, 1, 1, 1}, {1, 1, 2, 2}, {2, 1, 3, 3},
		{3, 2, 1, 1}, {4, 2, 1, 1}, {5, 2, 2, 2}, {8, 2, 2, 2}, {9, 2, 3, 4}, {10, 2, 4, 5}, {11, 2, 5, 6}, {12, 2, 6, 7},
		{13, 3, 1, 1}, {14, 4, 1, 1}, {15, 4, 2, 2}, {16, 4, 3, 3}, {17, 4, 4, 4},
		{99, 4, 4, 4}, {-5, 1, 1, 1},
	} {
		line, column, column16 := Position(src, c.offset)
		if line != c.line || column != c.column || column16 != c.column16 {
			t.Errorf("offset %d: %d:%d (%d), want %+v", c.offset, line, column, column16, c)
		}
	}
}

// slowPosition is Position, character by character from the beginning.
func slowPosition(src []byte, offset int) (line, column, column16 int) {
	line, column, column16 = 1, 1, 1
	for at, r := range string(src) {
		size := len(string(r))
		if r == '\uFFFD' && (at+3 > len(src) || string(src[at:at+3]) != "\uFFFD") {
			size = 1
		}
		if at+size > offset {
			break
		}
		switch {
		case r == '\n':
			line, column, column16 = line+1, 1, 1
			continue
		case r > 0xFFFF:
			column16++
		}
		column++
		column16++
	}
	return line, column, column16
}

func FuzzPosition(f *testing.F) {
	f.Add([]byte("a\r\né😀\n\xf0\x9f\nx"), 7)
	f.Add([]byte("\n\n"), 1)
	f.Fuzz(func(t *testing.T, src []byte, offset int) {
		if offset < 0 || offset > len(src) {
			offset = len(src)
		}
		l, c, u := Position(src, offset)
		wl, wc, wu := slowPosition(src, offset)
		if l != wl || c != wc || u != wu {
			t.Errorf("%q at %d: %d:%d (%d), want %d:%d (%d)", src, offset, l, c, u, wl, wc, wu)
		}
	})
}
