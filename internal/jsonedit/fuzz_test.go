package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// texts are seeds of valid and invalid documents.
var texts = []string{
	`{}`, `[]`, ` null `, `"é\u00e9\ud83d\ude00"`, `-0.5e+10`, `[1,2,3]`, `{"a":{"b":[1,{"c":null}]},"d":"x"}`,
	"{\n  \"a\": 1,\n  \"b\": [\n    true\n  ]\n}\n", "{\r\n\t\"a\" : {},\r\n\r\n\t\"b\": [ ]\r\n}", "[ 1\n, 2\n, 3\n]", "[{\n  \"a\": 1\n}, {\n  \"a\": 2\n}]",
	`{"a":1,"\u0061":2}`, `{"a":[],"b":{"a":1,"a":2}}`, `[1,]`, `{"a":1,}`, `{"a" 1}`, `// x`, `[tru]`, `01`, `1.`, `"\x"`, `"\ud800"`, "\"\t\"",
	"\xEF\xBB\xBF1", "\"\xff\"", "", " ", `[[[[[[]]]]]]`, `[1]x`, `{"":{"":""}}`, `{"a/b~":1}`, "\"0123456789abcdef\\n\"", `1e3000000`,
}

// FuzzParse checks that Parse accepts the texts that the library behind Decode
// accepts, except for the limits, and that the nodes cover the whole text.
func FuzzParse(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
	f.Add(exampleState(f))
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := Parse(src)
		valid := jsontext.Value(src).IsValid(jsontext.AllowDuplicateNames(true))
		if err != nil {
			var wrong *SyntaxError
			if !errors.As(err, &wrong) || wrong.Offset < 0 || wrong.Offset > len(src) {
				t.Fatalf("%v", err)
			}
			if bytes.ContainsFunc([]byte(wrong.Msg), func(r rune) bool { return r < ' ' || r == 0x7f }) || len(wrong.Msg) > 500 {
				t.Errorf("control characters or too long: %q", wrong.Msg)
			}
			if valid && wrong.Kind != TooDeep && wrong.Kind != TooLarge {
				t.Errorf("%q is valid JSON: got error %v", src, err)
			}
			return
		}
		if !valid || !json.Valid(src) {
			t.Fatalf("%q is not JSON: want an error", src)
		}
		if strict := jsontext.Value(src).IsValid(); strict != (len(d.Duplicates) == 0) {
			t.Errorf("%q: duplicates %v", src, d.Duplicates)
		}
		checkTape(t, d)
	})
}

func checkTape(t *testing.T, d *Doc) {
	var rebuild func(i int) string
	rebuild = func(i int) string {
		n := d.Nodes[i]
		if n.Kind < Array {
			if !json.Valid(d.Raw(i)) {
				t.Errorf("node %d: %q", i, d.Raw(i))
			}
			return string(d.Raw(i))
		}
		var parts []string
		for c := range d.Children(i) {
			part := rebuild(c)
			if child := d.Nodes[c]; n.Kind == Object {
				part = string(d.Src[child.KeyStart:child.KeyEnd]) + ":" + part
			}
			if int(d.Nodes[c].Parent) != i {
				t.Errorf("node %d: got parent %d, want %d", c, d.Nodes[c].Parent, i)
			}
			parts = append(parts, part)
		}
		if len(parts) != int(n.Len) {
			t.Errorf("node %d has %d children, and Len %d", i, len(parts), n.Len)
		}
		open := string(d.Src[n.Start])
		return open + strings.Join(parts, ",") + string(d.Src[n.End-1])
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, d.Src); err != nil || rebuild(0) != compact.String() {
		t.Errorf("the nodes give %s, want %s", rebuild(0), compact.String())
	}
	for i := range min(len(d.Nodes), 200) {
		if at := d.Find(d.Pointer(i)); at != i && len(d.Duplicates) == 0 {
			t.Errorf("Find(%q): got %d, want %d", d.Pointer(i), at, i)
		}
		if text, ok := d.Str(i); ok {
			var want string
			if json.Unmarshal(d.Raw(i), &want) != nil || text != want {
				t.Errorf("Str of %s: got %q", d.Raw(i), text)
			}
		}
		if v, ok := d.Int(i); ok {
			if f, _ := d.Float(i); f != float64(v) {
				t.Errorf("%s: Int gives %d, Float gives %v", d.Raw(i), v, f)
			}
		}
	}
}

// FuzzSet checks that Set sets the value and keeps every byte outside it, that
// setting the value again changes nothing, and that setting the old value restores
// the text.
func FuzzSet(f *testing.F) {
	for i, text := range texts {
		for _, pointer := range []string{"", "/a", "/a/b", "/0", "/-", "/1", "/b/0", "/new/er"} {
			f.Add([]byte(text), pointer, []byte(texts[(i*7+len(pointer))%11]))
		}
	}
	f.Add(exampleState(f), "/recent_decisions/-", []byte(`{"id":"x","impact":["y"]}`))
	f.Add(exampleState(f), "/metadata/timestamp", []byte(`"x"`))
	f.Fuzz(func(t *testing.T, src []byte, pointer string, value []byte) {
		before := slices.Clone(src)
		out, err := Set(src, pointer, value)
		if !bytes.Equal(src, before) {
			t.Fatal("Set modified its argument")
		}
		if err != nil {
			var refused *PointerError
			if !errors.As(err, &refused) || refused.Pointer != pointer || out != nil {
				t.Fatalf("%v %q", err, out)
			}
			return
		}
		was, now, want := mustParse(t, string(src)), mustParse(t, string(out)), mustParse(t, string(value))
		if strings.Contains(pointer, "/-/") {
			return // the pointer does not name the new element
		}
		if i := was.Find(pointer); i >= 0 {
			checkReplaced(t, was, now, want, pointer)
		} else if last, element := strings.CutSuffix(pointer, "/-"); !element || now.kind(now.Find(last)) == Object {
			checkAdded(t, was, now, want, pointer)
		} else {
			checkAppended(t, was, now, want, last)
		}
	})
}

func checkReplaced(t *testing.T, was, now, want *Doc, pointer string) {
	i, j := was.Find(pointer), now.Find(pointer)
	if j < 0 || !equalValues(now, j, want, 0) {
		t.Fatalf("%q at %q is not %q", now.Src, pointer, want.Src)
	}
	n, m := was.Nodes[i], now.Nodes[j]
	if !bytes.Equal(was.Src[:n.Start], now.Src[:m.Start]) || !bytes.Equal(was.Src[n.End:], now.Src[m.End:]) {
		t.Errorf("bytes outside the value changed:\n%q\n%q", was.Src, now.Src)
	}
	if equalValues(was, i, want, 0) && !bytes.Equal(was.Src, now.Src) {
		t.Errorf("an equal value changed the text:\n%q\n%q", was.Src, now.Src)
	}
	checkAgain(t, now, want, pointer)
	back, err := Set(now.Src, pointer, was.Raw(i))
	if err != nil && len(was.Duplicates) == 0 {
		t.Fatal(err)
	}
	if n.Kind < Array && want.Nodes[0].Kind < Array && err == nil && !equalValues(was, i, want, 0) && !bytes.Equal(back, was.Src) {
		t.Errorf("setting the old value does not restore the text:\n%q\n%q", was.Src, back)
	}
}

// checkAgain checks that setting an equal value returns the text itself.
func checkAgain(t *testing.T, now, want *Doc, pointer string) {
	again, err := Set(now.Src, pointer, want.Src)
	if err != nil || &again[0] != &now.Src[0] {
		t.Errorf("setting %q again: %v\n%q\n%q", want.Src, err, now.Src, again)
	}
}

func checkAdded(t *testing.T, was, now, want *Doc, pointer string) {
	j := now.Find(pointer)
	if j < 0 || !equalValues(now, j, want, 0) {
		t.Fatalf("%q at %q is not %q", now.Src, pointer, want.Src)
	}
	checkAgain(t, now, want, pointer)
	for was.Find(pointer[:strings.LastIndexByte(pointer, '/')]) < 0 {
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
	checkUndone(t, was, now, pointer)
}

func checkAppended(t *testing.T, was, now, want *Doc, list string) {
	j := now.Find(list)
	if now.kind(j) != Array {
		t.Fatalf("%q at %q is not an array", now.Src, list)
	}
	last := now.child(j, int(now.Nodes[j].Len)-1)
	if !equalValues(now, last, want, 0) {
		t.Fatalf("%q: the last element of %q is not %q", now.Src, list, want.Src)
	}
	if was.Find(list) >= 0 {
		checkUndone(t, was, now, now.Pointer(last))
	}
}

// checkUndone checks that Delete of the added value restores every byte of the text,
// except white space in a container that was empty.
func checkUndone(t *testing.T, was, now *Doc, pointer string) {
	back, err := Delete(now.Src, pointer)
	if err != nil {
		t.Fatal(err)
	}
	i := was.Find(pointer[:strings.LastIndexByte(pointer, '/')])
	want := was.Src
	if n := was.Nodes[i]; n.Len == 0 {
		want = splice(was.Src, int(n.Start)+1, int(n.End)-1, nil)
	}
	if !bytes.Equal(back, want) {
		t.Errorf("Delete of %q does not restore the text:\n%q\n%q\n%q", pointer, was.Src, now.Src, back)
	}
}

// FuzzInsert checks that Delete restores the text after Insert at any index.
func FuzzInsert(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text), 0, []byte(`{"x":[1]}`))
		f.Add([]byte(text), 1, []byte(`7`))
	}
	f.Add(exampleState(f), 20, []byte(`"x"`))
	f.Fuzz(func(t *testing.T, src []byte, place int, value []byte) {
		d, err := Parse(src)
		want, bad := Parse(value)
		if err != nil || bad != nil || len(d.Duplicates)+len(want.Duplicates) > 0 || place < 0 {
			return
		}
		for i := range min(len(d.Nodes), 100) {
			n := d.Nodes[i]
			if n.Kind != Array || n.Len == 0 {
				continue
			}
			pointer := d.Pointer(i) + "/" + strconv.Itoa(place%int(n.Len+1))
			out, err := Insert(src, pointer, value)
			if err != nil {
				var wrong *SyntaxError
				if !errors.As(err, &wrong) || wrong.Kind != TooDeep {
					t.Fatal(err)
				}
				return
			}
			now := mustParse(t, string(out))
			if j := now.Find(pointer); j < 0 || !equalValues(now, j, want, 0) {
				t.Fatalf("%q at %q is not %q", out, pointer, value)
			}
			back, err := Delete(out, pointer)
			if err != nil || !bytes.Equal(back, src) {
				t.Errorf("Delete of %q does not restore the text: %v\n%q\n%q\n%q", pointer, err, src, out, back)
			}
		}
	})
}
