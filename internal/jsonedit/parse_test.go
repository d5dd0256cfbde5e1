package jsonedit

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// exampleState returns the example State of the format's specification.
func exampleState(t testing.TB) []byte {
	t.Helper()
	src, err := os.ReadFile("testdata/state.json")
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func mustParse(t testing.TB, src string) *Doc {
	t.Helper()
	d, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestNodes(t *testing.T) {
	d := mustParse(t, "\r\n{ \"a\" : [ 1, {}, \"\\u00e9\" ],\t\"b\":null} ")
	want := []struct {
		pointer, raw string
		kind         Kind
		next, parent int32
		len          int32
	}{
		{"", `{ "a" : [ 1, {}, "\u00e9" ],` + "\t" + `"b":null}`, Object, 6, -1, 2},
		{"/a", `[ 1, {}, "\u00e9" ]`, Array, 5, 0, 3},
		{"/a/0", `1`, Number, 3, 1, 0},
		{"/a/1", `{}`, Object, 4, 1, 0},
		{"/a/2", `"\u00e9"`, String, 5, 1, 0},
		{"/b", `null`, Null, 6, 0, 0},
	}
	if len(d.Nodes) != len(want) {
		t.Fatalf("%d nodes, want %d", len(d.Nodes), len(want))
	}
	for i, w := range want {
		n := d.Nodes[i]
		if string(d.Raw(i)) != w.raw || n.Kind != w.kind || n.Next != w.next || n.Parent != w.parent || n.Len != w.len {
			t.Errorf("node %d: %s %+v, want %+v", i, d.Raw(i), n, w)
		}
		if got := d.Pointer(i); got != w.pointer || d.Find(got) != i {
			t.Errorf("node %d: pointer %q finds %d, want %q", i, got, d.Find(got), w.pointer)
		}
	}
	if key := d.Nodes[5]; string(d.Src[key.KeyStart:key.KeyEnd]) != `"b"` || d.Key(5) != "b" {
		t.Errorf("key %+v %q", key, d.Key(5))
	}
	if got := slices.Collect(d.Children(1)); !slices.Equal(got, []int{2, 3, 4}) {
		t.Errorf("children %v", got)
	}
}

func TestAccess(t *testing.T) {
	d := mustParse(t, `{"s":"a\"\n\ud83d\ude00","":{"~/":true},"a\\n":1,"n":1,"n":2}`)
	if s, ok := d.Str(d.Find("/s")); s != "a\"\n😀" || !ok {
		t.Errorf("Str %q %v", s, ok)
	}
	if _, ok := d.Str(d.Find("/n")); ok {
		t.Error("Str of a number: got true")
	}
	if i := d.Find("//~0~1"); i < 0 || d.Pointer(i) != "//~0~1" || d.Key(i) != "~/" {
		t.Errorf("Find of //~0~1: got %d", i)
	}
	if i := d.Member(0, `a\n`); i < 0 || d.Member(0, `a\\n`) >= 0 || d.Member(0, "a\n") >= 0 {
		t.Error("escapes in names")
	}
	if i := d.Find("/n"); string(d.Raw(i)) != "1" {
		t.Error("Find of a duplicate name: got the second, want the first")
	}
	for _, pointer := range []string{"x", "/x", "/s/0", "/~", "/n/", "/0"} {
		if i := d.Find(pointer); i != -1 {
			t.Errorf("Find(%q) = %d", pointer, i)
		}
	}
	if i := mustParse(t, `[[1],2]`).Find("/0/1"); i != -1 {
		t.Errorf("index out of range: got %d", i)
	}
	list := mustParse(t, `[10,[20],30]`)
	for pointer, want := range map[string]string{"/0": "10", "/1/0": "20", "/2": "30", "/3": "", "/-": "", "/00": "", "/+1": "", "/99999999999999999999": ""} {
		if got := string(list.Raw(list.Find(pointer))); got != want {
			t.Errorf("%s: got %q, want %q", pointer, got, want)
		}
	}
	var none Doc
	if none.Find("") != -1 || none.Raw(0) != nil || none.Key(3) != "" || none.Pointer(-1) != "" || none.Member(0, "a") != -1 {
		t.Error("a method of an empty Doc returns a value")
	}
}

func TestDuplicates(t *testing.T) {
	d := mustParse(t, `{"a":1,"b":{"a":1,"A":2},"\u0061":2,"c":[{"a":1},{"a":1}],"a":3}`)
	var got []string
	for _, i := range d.Duplicates {
		got = append(got, string(d.Raw(i)))
	}
	if !slices.Equal(got, []string{"2", "3"}) {
		t.Errorf("got duplicates %v", got)
	}
	if err := d.Parse([]byte(`{"a":1,"b":{"a":2}}`)); err != nil || len(d.Duplicates) != 0 {
		t.Errorf("a reused Doc has old names: %v %v", d.Duplicates, err)
	}
}

// The time for an object is linear in its members. This test would not end in
// quadratic time.
func TestManyMembers(t *testing.T) {
	const n = 300_000
	var b strings.Builder
	b.WriteString(`{"0":0`)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, `,"%d":0`, i)
	}
	b.WriteString(`,"7":1}`)
	d := mustParse(t, b.String())
	if len(d.Duplicates) != 1 || string(d.Raw(d.Duplicates[0])) != "1" || d.Nodes[0].Len != n+1 {
		t.Errorf("duplicates %v of %d", d.Duplicates, d.Nodes[0].Len)
	}
}

func TestDepth(t *testing.T) {
	nest := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := Parse(nest(MaxDepth)); err != nil {
		t.Error(err)
	}
	for _, n := range []int{MaxDepth + 1, 10_000, 1_000_000} {
		_, err := Parse(nest(n))
		var wrong *SyntaxError
		if !errors.As(err, &wrong) || wrong.Kind != TooDeep || wrong.Offset != MaxDepth {
			t.Errorf("%d levels: %v", n, err)
		}
	}
	if _, err := Parse([]byte(`[` + strings.Repeat(`{"a":[]},`, 1000) + `0]`)); err != nil {
		t.Errorf("many siblings: %v", err)
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct {
		src    string
		kind   Fault
		offset int
		msg    string
	}{
		{"", Empty, 0, "expected a value, found an empty text"},
		{" \n", Empty, 0, "expected a value, found an empty text"},
		{"\xEF\xBB\xBF{}", Encoding, 0, "the text begins with a byte order mark (EF BB BF): save it as UTF-8 without BOM"},
		{"\xFF\xFE{\x00", Encoding, 0, "the text is UTF-16: save it as UTF-8"},
		{`["é` + "\xff" + `"]`, Encoding, 4, "the byte 0xFF is not UTF-8"},
		{`"\ud800"`, Encoding, 1, `\ud800 is half of a surrogate pair, and the other half is missing`},
		{`"\udc00\ud800"`, Encoding, 1, `\udc00 is half of a surrogate pair, and the other half is missing`},
		{`"\ud800\u0041"`, Encoding, 1, `\ud800 is half of a surrogate pair, and the other half is missing`},

		{`{"a":1 "b":2}`, Syntax, 7, `expected ',' or '}' after the member "a", found '"'`},
		{`{"a":{"b":[1]} "c":2}`, Syntax, 15, `expected ',' or '}' after the member "a", found '"'`},
		{`[1,[2] 3]`, Syntax, 7, `expected ',' or ']' after element 2, found '3'`},
		{"{\n\"a\":[1,\n2", Syntax, 11, `expected ',' or ']' after element 2, found the end of the text; the array that begins on line 2 is not closed`},
		{"{\n\"a\":[1}", Syntax, 8, `expected ',' or ']' after element 1, found '}'; the array that begins on line 2 is not closed`},
		{`{"a":1,}`, Syntax, 7, `expected a member name in double quotes after ',', found '}': JSON allows no ',' after the last member`},
		{`[1,]`, Syntax, 3, `expected a value after ',', found ']': JSON allows no ',' after the last element`},
		{`[,1]`, Syntax, 1, `expected a value or ']' after '[', found ','`},
		{`[`, Syntax, 1, `expected a value or ']' after '[', found the end of the text; the array that begins on line 1 is not closed`},
		{`{`, Syntax, 1, `expected a member name in double quotes or '}' after '{', found the end of the text; the object that begins on line 1 is not closed`},
		{`{a:1}`, Syntax, 1, `expected a member name in double quotes or '}' after '{', found "a"`},
		{`{'a':1}`, Syntax, 1, `expected a member name in double quotes or '}' after '{', found '\'': write strings in double quotes`},
		{`{"a" 1}`, Syntax, 5, `expected ':' after the member name "a", found '1'`},
		{`{"a":}`, Syntax, 5, `expected a value for the member "a", found '}'; the object that begins on line 1 is not closed`},
		{`{"a":“x”}`, Syntax, 5, `expected a value for the member "a", found '“': write strings in straight double quotes (")`},
		{`{} {}`, Syntax, 3, `expected the end of the text after its value, found '{'`},
		{`]`, Syntax, 0, `expected a value, found ']'`},
		{`[1, // one`, Syntax, 4, `expected a value after ',', found '/': JSON has no comments`},
		{`{"a":1 /* one */}`, Syntax, 7, `expected ',' or '}' after the member "a", found '/': JSON has no comments`},
		{"[\x00]", Syntax, 1, `expected a value or ']' after '[', found '\x00'`},
		{"[\u202e]", Syntax, 1, `expected a value or ']' after '[', found '\u202e'`},

		{`{"a":True}`, Syntax, 5, `expected a value for the member "a", found "True": JSON writes true`},
		{`[truely]`, Syntax, 1, `expected a value, found "truely"`},
		{`nul`, Syntax, 0, `expected a value, found "nul"`},
		{`[None]`, Syntax, 1, `expected a value or ']' after '[', found "None": JSON writes null`},
		{`NaN`, Syntax, 0, `expected a value, found "NaN": JSON has no such number`},
		{strings.Repeat("x", 1000), Syntax, 0, `expected a value, found "` + strings.Repeat("x", 40) + `…"`},

		{`[01]`, Syntax, 1, `a number must not begin with 0: found "01"`},
		{`[-]`, Syntax, 2, `expected a digit in the number "-", found ']'`},
		{`1.`, Syntax, 2, `expected a digit in the number "1.", found the end of the text`},
		{`[1.e5]`, Syntax, 3, `expected a digit in the number "1.", found "e5"`},
		{`[1e+]`, Syntax, 4, `expected a digit in the number "1e+", found ']'`},
		{`[+1]`, Syntax, 1, `expected a value or ']' after '[', found "+1": a number begins with a digit or '-'`},
		{`[.5]`, Syntax, 1, `expected a value or ']' after '[', found ".5": a number begins with a digit or '-'`},
		{`[0x10]`, Syntax, 1, `expected a value, found "0x10"`},
		{`[-Infinity]`, Syntax, 2, `expected a digit in the number "-", found "Infinity"`},

		{`["a`, Syntax, 1, `expected '"' to close the string that begins on line 1, found the end of the text`},
		{"[\"abc\n\"]", Syntax, 5, `expected '"' to close the string that begins with "abc", found the end of the line (a line break in a string is written \n)`},
		{"[\"a\tb\"]", Syntax, 3, `a tab in a string is written \t`},
		{"[\"a\x1bb\"]", Syntax, 3, `a control character in a string is escaped: write \u001b`},
		{`{"C:\dir":1}`, Syntax, 4, `expected one of "\/bfnrtu after the backslash, found 'd' (a backslash itself is written \\)`},
		{`["\u12g4"]`, Syntax, 2, `expected four hexadecimal digits after \u, found "12g4"`},
		{`["\`, Syntax, 2, `expected an escape sequence, found the end of the text`},
		{`["0123456\`, Syntax, 9, `expected an escape sequence, found the end of the text`},
	} {
		t.Run(quoteShort([]byte(c.src)), func(t *testing.T) {
			d := Doc{Nodes: []Node{{}}, Duplicates: []int{1}}
			err := d.Parse([]byte(c.src))
			var wrong *SyntaxError
			if !errors.As(err, &wrong) {
				t.Fatalf("got %v", err)
			}
			if wrong.Kind != c.kind || wrong.Offset != c.offset || wrong.Msg != c.msg {
				t.Errorf("got  %d at %d: %s\nwant %d at %d: %s", wrong.Kind, wrong.Offset, wrong.Msg, c.kind, c.offset, c.msg)
			}
			if len(d.Nodes) != 0 || len(d.Duplicates) != 0 || d.Find("") != -1 {
				t.Error("an invalid text leaves nodes")
			}
		})
	}
}

// stringEnd checks eight bytes at once; it must find a wrong byte at every position.
func TestStringBytes(t *testing.T) {
	for _, wrong := range []string{"\x00", "\x1f", "\n", `\x`, `\u12z`, "\x80", "\""} {
		for at := range 40 {
			text := strings.Repeat("a", at) + wrong + strings.Repeat("b", 39-at)
			if _, err := Parse([]byte(`["` + text + `"]`)); err == nil {
				t.Errorf("%q: want an error", text)
			}
		}
	}
	for at := range 40 {
		text := strings.Repeat("é", at) + `\u00e9\"\\` + "\x7f" + strings.Repeat("~", 39-at)
		want := strings.Repeat("é", at+1) + `"\` + "\x7f" + strings.Repeat("~", 39-at)
		if got, _ := mustParse(t, strings.Repeat(" ", at)+`"`+text+`"`).Str(0); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// MaxValues limits the memory of Parse and Decode for a text of a few megabytes.
func TestMaxValues(t *testing.T) {
	text := func(n int) []byte { return []byte("[" + strings.Repeat("{},", n-2) + "0]") }
	if d, err := Parse(text(MaxValues)); err != nil || len(d.Nodes) != MaxValues {
		t.Errorf("%d nodes: %v", len(d.Nodes), err)
	}
	many := text(MaxValues + 1)
	var wrong *SyntaxError
	if _, err := Parse(many); !errors.As(err, &wrong) || wrong.Kind != TooLarge || wrong.Offset != len(many)-2 || wrong.Msg != "the text holds more than 500000 values" {
		t.Errorf("got %v", err)
	}
	var list []any
	if err := Decode(text(MaxValues), &list); err != nil || len(list) != MaxValues-1 {
		t.Errorf("%d elements: %v", len(list), err)
	}
	list, wrong = nil, nil
	if err := Decode(many, &list); !errors.As(err, &wrong) || wrong.Kind != TooLarge || list != nil {
		t.Errorf("%d elements: %v", len(list), err)
	}
}

// A reused Doc parses without an allocation.
func TestParseReusesMemory(t *testing.T) {
	src := exampleState(t)
	var d Doc
	if n := testing.AllocsPerRun(10, func() {
		if err := d.Parse(src); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkParse(b *testing.B) {
	src := exampleState(b)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	var d Doc
	for b.Loop() {
		if err := d.Parse(src); err != nil {
			b.Fatal(err)
		}
	}
}
