package yaml_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/yaml"
)

func TestPairs(t *testing.T) {
	src := "# first\r\nA: 0.50   # half\r\n\"B\": 'it''s'\r\nC:\r\nD: yes\r\nE: true\r\né: [1,\r\n  2]\r\n? F\r\n: ~\r\nA: x\\y\r\n"
	pairs, err := yaml.Pairs([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, p := range pairs {
		fmt.Fprintf(&got, "%d:%d %s=%s %d %q | ", p.Line, p.Column, p.Key, p.Value, p.Kind, src[p.At:max(p.At, p.End)])
	}
	want := `2:1 A=0.50 3 "0.50" | 3:1 B=it's 4 "'it''s'" | 4:1 C= 1 "" | 5:1 D=yes 4 "yes" | 6:1 E=true 2 "true" | 7:1 é= 0 "" | 9:3 F=~ 1 "~" | 11:1 A=x\y 4 "x\\y" | `
	if got.String() != want {
		t.Errorf("got  %s\nwant %s", got.String(), want)
	}
	for _, none := range []string{"", "# nothing\n", "---\n", "\uFEFF# nothing"} {
		if pairs, err := yaml.Pairs([]byte(none)); err != nil || pairs != nil {
			t.Errorf("%q: %v, %v", none, pairs, err)
		}
	}
	for wrong, where := range map[string]string{"A: 1\n- b\n": "line 2", "- a\n": "line 1, column 1: expected a mapping", "\n\njust words\n": "line 3, column 1: expected a mapping", "A: 1\nB: [\n": "line 3"} {
		if _, err := yaml.Pairs([]byte(wrong)); err == nil || !strings.HasPrefix(err.Error(), where) {
			t.Errorf("%q: %v, want %s", wrong, err, where)
		}
	}
}

func TestSet(t *testing.T) {
	for _, c := range []struct{ what, src, key, value, want string }{
		{"a number, with its comment", "A: 0.50      # half\nB: 1\n", "A", "0.6", "A: 0.6      # half\nB: 1\n"},
		{"the same value", "A:   0.50\n", "A", "0.50", "A:   0.50\n"},
		{"CRLF and no final newline", "A: 1\r\nB: 2", "B", "3", "A: 1\r\nB: 3"},
		{"a text keeps its quotes", "A: 'x'\nB: \"y\"\n", "A", "it's", "A: 'it''s'\nB: \"y\"\n"},
		{"double quotes", "A: \"y\" # z\n", "A", "w", "A: \"w\" # z\n"},
		{"a number loses its quotes", "A: \"0.5\" # z\n", "A", "0.6", "A: 0.6 # z\n"},
		{"a number that was in quotes", "A: '1'\n", "A", "1", "A: 1\n"},
		{"a boolean", "A: off\n", "A", "true", "A: true\n"},
		{"an empty value", "A:   # later\nB:\n", "A", "5", "A: 5   # later\nB:\n"},
		{"an empty value at the end of the text", "A:", "A", "5", "A: 5"},
		{"a text that needs quotes", "A: x\n", "A", "a: b # c", "A: \"a: b # c\"\n"},
		{"an empty text", "A: x\n", "A", "", "A: \"\"\n"},
		{"a quoted key after a byte order mark", "\uFEFF\"A\" : 1\n", "A", "2", "\uFEFF\"A\" : 2\n"},
		{"in braces", "{A: 1, B: 2}\n", "A", "3", "{A: 3, B: 2}\n"},
		{"after other line breaks", "é: \"ü\" \rA: 1\n", "A", "3", "é: \"ü\" \rA: 3\n"},
		{"a new line", "A: 1\n", "N", "2", "A: 1\nN: 2\n"},
		{"without a final newline", "A: 1 # one", "N", "2", "A: 1 # one\nN: 2"},
		{"with CRLF", "A: 1\r\n", "N", "2", "A: 1\r\nN: 2\r\n"},
		{"in an empty file", "", "N", "2", "N: 2\n"},
		{"below comments only", "# a\n", "N", "2", "# a\nN: 2\n"},
		{"before the end of the document", "---\nA: 1\n...\n", "N", "2", "---\nA: 1\nN: 2\n...\n"},
		{"indented like the other keys", "  A: 1\n  B: 2\n", "N", "2", "  A: 1\n  B: 2\n  N: 2\n"},
		{"after a given key", "A: 1 # one\n\nB: 2\n", "N", "2", "A: 1 # one\nN: 2\n\nB: 2\n"},
	} {
		var after []string
		if c.what == "after a given key" {
			after = []string{"A", "C"}
		}
		got, err := yaml.Set([]byte(c.src), c.key, c.value, after...)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.what, got, err, c.want)
		}
	}
	for _, c := range []struct{ what, src, want string }{
		{"a list", "A: [1, 2]\n", "line 1, column 1: cannot set A in this form of YAML: edit the file by hand"},
		{"a block", "B: 1\nA: |\n  x\n", "line 2, column 1: cannot set A"},
		{"several lines", "A: one\n  two\n", "line 1, column 1: cannot set A"},
		{"an alias", "B: &b 1\nA: *b\n", "line 2, column 1: cannot set A"},
		{"a duplicate key", "A: 1\nA: 2\n", "line 2, column 1: duplicate key A"},
		{"a new key in braces", "{B: 1}", "line 1, column 1: cannot set A"},
		{"invalid YAML", "B: [\n", "line 2"},
	} {
		if got, err := yaml.Set([]byte(c.src), "A", "5"); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %q, %v, want %q", c.what, got, err, c.want)
		}
	}
}

// After Set the text has the new value, and the bytes before and after the value, or
// around the new line, are unchanged.
func FuzzSet(f *testing.F) {
	for _, src := range []string{
		"A: 0.50 # half\r\nB: 'x'\r\n", "A:\nB: |\n  x\n", "{A: 1, B: \"a\\\"b\"}", "\uFEFF  A: 1\n  B: 2", "# a\n", "---\nA: 1\n...\n# end\n",
		"A: x\u2028B: y\u0085C: z\rD: w", "? A\n: 1\n", "A: !!str 5\nB: &b x\nC: *b\n", "A: 1\nA: 2\n", "\"\\u0041\": 1\n",
	} {
		for _, value := range []string{"0.6", "true", "~/x: y", "", " a ", "it's", "\u0085", "null", "- x", "a\nb"} {
			f.Add([]byte(src), "A", value)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, key, value string) {
		before, err := yaml.Pairs(src)
		if err != nil {
			return
		}
		for _, p := range before {
			if p.Line < 1 || p.At > len(src) || p.End != 0 && (p.End < p.At || p.End > len(src)) {
				t.Fatalf("%+v", p)
			}
		}
		out, err := yaml.Set(src, key, value, "B")
		if err != nil {
			if strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Fatalf("%q", err)
			}
			return
		}
		now, err := yaml.Pairs(out)
		if err != nil {
			t.Fatalf("%q became %q: %v", src, out, err)
		}
		got := ""
		for _, p := range now {
			if p.Key == key {
				got = p.Value
			}
		}
		if got != value {
			t.Fatalf("%q became %q, in which the value is %q", src, out, got)
		}
		for _, p := range before {
			if p.Key == key {
				if !bytes.HasPrefix(out, src[:p.At]) || !bytes.HasSuffix(out, src[p.End:]) {
					t.Fatalf("%q became %q", src, out)
				}
				return
			}
		}
		same := 0
		for same < len(src) && same < len(out) && src[same] == out[same] {
			same++
		}
		if !bytes.HasSuffix(out, src[same:]) || len(out) <= len(src) {
			t.Fatalf("%q became %q", src, out)
		}
	})
}
