package jsonedit

import (
	"bytes"
	"slices"
	"testing"
)

func TestLines(t *testing.T) {
	src := "\xEF\xBB\xBF{\"a\":1}\r\n\n \t\r\n{broken\n\x00\x00\n[2]"
	var got []Line
	for line := range Lines([]byte(src)) {
		got = append(got, line)
	}
	want := []Line{{1, 3, []byte(`{"a":1}`)}, {4, 17, []byte(`{broken`)}, {5, 25, []byte("\x00\x00")}, {6, 28, []byte(`[2]`)}}
	if !slices.EqualFunc(got, want, func(a, b Line) bool {
		return a.Number == b.Number && a.Offset == b.Offset && bytes.Equal(a.Text, b.Text)
	}) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	for range Lines([]byte("1\n2\n")) {
		break
	}
}

func TestTail(t *testing.T) {
	for _, c := range []struct {
		name, src, kept string
		state           TailState
	}{
		{"an empty file", "", "", Whole},
		{"a byte order mark alone", bom, bom, Whole},
		{"a whole file", "{\"a\":1}\n", "{\"a\":1}\n", Whole},
		{"CRLF", "1\r\n", "1\r\n", Whole},
		{"no last line ending", "1\n{\"a\":1}", "1\n{\"a\":1}", Unterminated},
		{"one line after a byte order mark", bom + "{}", bom + "{}", Unterminated},
		{"a crash in the middle of a record", "1\n{\"a\":", "1\n", Torn},
		{"in the first record", "{\"a\":", "", Torn},
		{"NUL bytes in place of a record", "1\n\x00\x00\x00", "1\n", Torn},
		{"NUL bytes after a record", "1\n{}\x00", "1\n", Torn},
		{"blank space", "1\n  ", "1\n", Torn},
	} {
		kept, state := Tail([]byte(c.src))
		if c.src[:kept] != c.kept || state != c.state {
			t.Errorf("%s: got %q, %d; want %q, %d", c.name, c.src[:kept], state, c.kept, c.state)
		}
	}
}

// For every file: after its tail is repaired as Tail says, an appended record has its
// own line, and the complete lines before it are unchanged.
func FuzzTail(f *testing.F) {
	for _, src := range []string{"", bom, "1\n", "1\n2", "1\n{", "1\r\n\x00", "1\r", "{\"a\":1}\n\n", "\n", bom + "2"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		kept, state := Tail(src)
		text := append([]byte{}, src[:kept]...)
		if state == Unterminated {
			text = append(text, '\n')
		}
		before := slices.Collect(Lines(src))
		if state == Torn && len(before) > 0 && before[len(before)-1].Offset >= kept {
			before = before[:len(before)-1]
		}
		const record = `{"new":true}`
		text = append(text, record+"\n"...)
		after := slices.Collect(Lines(text))
		if len(after) != len(before)+1 || string(after[len(before)].Text) != record {
			t.Fatalf("%q: the new record is not on its own line: %q", src, text)
		}
		for i, line := range before {
			if !bytes.Equal(line.Text, after[i].Text) || !bytes.Equal(line.Text, src[line.Offset:line.Offset+len(line.Text)]) {
				t.Errorf("line %d changed: %q", i, after[i].Text)
			}
		}
		if _, again := Tail(text); again != Whole {
			t.Errorf("%q: the tail is not Whole after the append", text)
		}
	})
}
