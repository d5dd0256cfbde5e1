package yaml_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/yaml"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		what, src, front, body string
		line                   int
		none                   bool
	}{
		{"plain markdown", "# Title\n", "", "# Title\n", 1, true},
		{"front matter", "---\ntitle: A\n---\n# Title\n", "title: A\n", "# Title\n", 4, false},
		{"ends with dots, with CRLF and blanks", "--- \r\ntitle: A\r\n...\r\nbody", "title: A\r\n", "body", 4, false},
		{"after a byte order mark", "\uFEFF---\na: 1\n---\n", "a: 1\n", "", 4, false},
		{"empty", "---\n---\nbody", "", "body", 3, false},
		{"without an end", "---\ntitle: A\n", "", "---\ntitle: A\n", 1, true},
		{"a rule, not a fence", "----\na\n---\n", "", "----\na\n---\n", 1, true},
		{"ends on the last line", "---\na: 1\n---", "a: 1\n", "", 4, false},
		{"an empty text", "", "", "", 1, true},
	} {
		front, body, line := yaml.Split([]byte(c.src))
		if string(front) != c.front || string(body) != c.body || line != c.line || (front == nil) != c.none {
			t.Errorf("%s: got %q, %q from line %d", c.what, front, body, line)
		}
	}
}

func TestDecode(t *testing.T) {
	var v map[string]any
	if err := yaml.Decode([]byte("title: A\ntraces_to: [REQ-1, REQ-2]\nbase: &b {x: 1}\nsame: *b\n"), 2, &v); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(v); got != "map[base:map[x:1] same:map[x:1] title:A traces_to:[REQ-1 REQ-2]]" {
		t.Error(got)
	}
	if err := yaml.Decode([]byte("# nothing\n\n"), 2, &v); err != nil || v["title"] != "A" {
		t.Errorf("%v, %v", v, err)
	}
}

// bomb returns a YAML text whose aliases double its values with each line.
func bomb(lines int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x]\n")
	for i := 1; i <= lines; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [*a%d, *a%d]\n", i, i, i-1, i-1)
	}
	return b.String()
}

func TestErrorLines(t *testing.T) {
	for _, c := range []struct {
		what, src string
		line      int
	}{
		{"an unclosed bracket", "a: 1\nb: [\n", 12},
		{"a tab for indentation", "a:\n\tb: 1\n", 11},
		{"a duplicate key", "a: 1\nb: 2\na: 3\n", 12},
		{"a list instead of a mapping", "- a\n", 10},
		{"an unknown alias", "a: *nobody\n", 10},
		{"two documents", "a: 1\n---\nb: 2\n", 0},
		{"aliases that expand", bomb(40), 0},
		{"many aliases", "a: &a 1\nb: [" + strings.Repeat("*a, ", 200) + "]\n", 0},
		{"too deep", "a: " + strings.Repeat("[", 1000) + strings.Repeat("]", 1000), 0},
		{"too long", "a: " + strings.Repeat("x", yaml.MaxSize), 10},
	} {
		var v map[string]any
		err := yaml.Decode([]byte(c.src), 10, &v)
		var at *yaml.Error
		if !errors.As(err, &at) {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if c.line > 0 && at.Line != c.line || at.Line < 10 {
			t.Errorf("%s: %v, want line %d", c.what, err, c.line)
		}
		if len(err.Error()) > 300 || strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
			t.Errorf("%s: %q", c.what, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"---\na: 1\n---\n", "---\n" + bomb(3) + "...\n", "---\n? [a]\n: !!binary x\n---", "---\n<<: {a: 1}\n---\n", "---\na: \x1b[2J\n---\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		front, body, line := yaml.Split(src)
		if len(front)+len(body) > len(src) || line < 1 {
			t.Fatal(line)
		}
		var v map[string]any
		if err := yaml.Decode(front, 2, &v); err != nil && strings.ContainsAny(err.Error(), "\x1b\n") {
			t.Fatalf("%q", err)
		}
	})
}
