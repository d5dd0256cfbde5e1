package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/text"
)

// testProgram returns a program in an empty directory with an empty environment.
func testProgram(t *testing.T) *program {
	t.Helper()
	dir := t.TempDir()
	return &program{
		Stdin: strings.NewReader(""), Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer),
		Getenv: func(string) string { return "" },
		Getwd:  func() (string, error) { return dir, nil },
		Now:    func() time.Time { return time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC) },
		Rand:   zeros{},
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// started returns p with the streams that run would set.
func started(p *program) *program {
	p.out, p.err = newSafeWriter(p.Stdout), newSafeWriter(p.Stderr)
	return p
}

func TestReportGivesTheExitCodeOfTheError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err    error
		code   int
		stderr string
	}{
		{nil, 0, ""},
		{errFindings, 1, ""},
		{&unmetError{"the service is not installed"}, 1, "forgemind: error: the service is not installed\n"},
		{&usageError{"layer: N missing", "usage: forgemind layer N"}, 2, "forgemind: error: layer: N missing\nforgemind: hint: usage: forgemind layer N\n"},
		{errors.New("disk full"), 3, "forgemind: error: disk full\n"},
		{withHint(errors.New("no such thing"), "look %s", "there"), 3, "forgemind: error: no such thing\nforgemind: hint: look there\n"},
		{errors.Join(errors.New("a: unreadable"), errors.New("b: unreadable")), 3, "forgemind: error: a: unreadable\nforgemind: error: b: unreadable\n"},
		{errors.New("name \x1b[2J\u202e"), 3, "forgemind: error: name \\u001b[2J\\u202e\n"},
	} {
		p := started(testProgram(t))
		if code := p.report(c.err); code != c.code {
			t.Errorf("%v: exit code %d, want %d", c.err, code, c.code)
		}
		if got := p.Stderr.(*bytes.Buffer).String(); got != c.stderr {
			t.Errorf("%v: got %q, want %q", c.err, got, c.stderr)
		}
	}
}

func TestAPanicReachesNobody(t *testing.T) {
	t.Parallel()
	p := testProgram(t)
	p.Now = func() time.Time { panic("the clock \x1b[31mstopped") }
	code := p.run(context.Background(), []string{"forgemind", "init"})
	stderr := p.Stderr.(*bytes.Buffer).String()
	if code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
	for _, want := range []string{`forgemind: error: a bug in forgemind: the clock \u001b[31mstopped`, "engine/load.go:", "forgemind: hint: please report it"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("%q is missing in:\n%s", want, stderr)
		}
	}
	if strings.Contains(stderr, "goroutine ") {
		t.Errorf("a stack was printed:\n%s", stderr)
	}
}

// TestFullDisk: output that could not be written is a failure, not success.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	p := testProgram(t)
	p.Stdout = full{}
	if code := p.run(context.Background(), []string{"forgemind", "version"}); code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestEveryCommandIsFinished: no command leaves the library's own ways open,
// and each can be looked up in the help.
func TestEveryCommandIsFinished(t *testing.T) {
	t.Parallel()
	var check func(commands []*cli.Command)
	check = func(commands []*cli.Command) {
		seen := map[string]bool{}
		for _, c := range commands {
			switch {
			case seen[c.Name]:
				t.Errorf("%s: appears twice in the table", c.Name)
			case c.OnUsageError == nil || !c.HideHelpCommand:
				t.Errorf("%s: not finished", c.Name)
			case c.Usage == "" || c.Action == nil:
				t.Errorf("%s: it says or does nothing", c.Name)
			case strings.HasSuffix(c.Usage, "."):
				t.Errorf("%s: the usage is no sentence: no full stop", c.Name)
			}
			seen[c.Name] = true
			check(c.Subcommands)
		}
	}
	check(started(testProgram(t)).app().Commands)
}

func TestSafeWriter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"plain\ttext\n", "plain\ttext\n"},
		{"naïve 日本語 🙂 👩‍💻", "naïve 日本語 🙂 👩‍💻"},
		{"\x1b[31mred\x1b[0m", `\u001b[31mred\u001b[0m`},
		{"a\rb\x00\x7f\u0085\u009b", `a\u000db\u0000\u007f\u0085\u009b`},
		{"\u202eevil\u2066\u200f", `\u202eevil\u2066\u200f`},
		{"tag \U000e0041", `tag \udb40\udc41`},
		{"\u2028\ufeff", `\u2028\ufeff`},
		{"bad \xff\xc3", `bad \xff\xc3`},
		{"\x9b31m", `\x9b31m`},
	} {
		if got := string(escape([]byte(c.in))); got != c.want {
			t.Errorf("%q: got %q, want %q", c.in, got, c.want)
		}
		var split bytes.Buffer // however the text is cut, the same comes out
		w := newSafeWriter(&split)
		for i := range len(c.in) {
			io.WriteString(w, c.in[i:i+1])
		}
		w.flush()
		if split.String() != c.want {
			t.Errorf("%q, byte by byte: got %q, want %q", c.in, split.String(), c.want)
		}
	}
}

func FuzzEscape(f *testing.F) {
	f.Add([]byte("a\x1b[2J\u202e\xff\n"))
	f.Add([]byte("\U000e0041\u200d"))
	f.Fuzz(func(t *testing.T, b []byte) {
		out := escape(b)
		for _, r := range string(out) {
			if text.Hidden(r) {
				t.Fatalf("%q: %q came through: %q", b, r, out)
			}
		}
		if again := escape(out); !bytes.Equal(again, out) {
			t.Fatalf("%q: twice is not once: %q, %q", b, out, again)
		}
	})
}

func TestShort(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 2, "ä…"}, {"a\nb", 9, `a\nb`}, {"", 3, ""},
	} {
		if got := short(c.in, c.n); got != c.want {
			t.Errorf("short(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	choices := []string{"validate", "explain", "token-mismatch", "layer"}
	for word, want := range map[string]string{
		"valdate": "validate", "vlaidate": "validate", "token_mismatch": "token-mismatch", "token": "",
		"layr": "layer", "xyz": "", "": "", strings.Repeat("x", 200): "",
	} {
		if got := text.Nearest(word, choices); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
