package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// A safeWriter writes text that may come from strangers. Control characters,
// changes of writing direction and other invisible characters come out as
// \uXXXX, which a terminal shows and JSON means the same by.
type safeWriter struct {
	w      io.Writer
	colour bool

	mu     sync.Mutex // a watcher may speak while a command does
	tail   []byte     // the beginning of a character whose end was not written yet
	failed error      // the first failure of w
}

func newSafeWriter(w io.Writer) *safeWriter { return &safeWriter{w: w} }

// Write implements io.Writer.
func (s *safeWriter) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(b)
}

func (s *safeWriter) write(b []byte) (int, error) {
	n := len(b)
	if len(s.tail) > 0 {
		b = append(s.tail, b...)
		s.tail = nil
	}
	whole := len(b)
	for back := 1; back < utf8.UTFMax && back <= len(b); back++ {
		if c := b[len(b)-back]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-back:]) {
				whole = len(b) - back
			}
			break
		}
	}
	s.tail = slices.Clone(b[whole:])
	return n, s.raw(escape(b[:whole]))
}

func (s *safeWriter) raw(b []byte) error {
	_, err := s.w.Write(b)
	if err != nil && s.failed == nil {
		s.failed = err
	}
	return err
}

// flush writes the beginning of a character that was never finished. Without one it
// writes nothing: who prints nothing does not need an output.
func (s *safeWriter) flush() error {
	if len(s.tail) == 0 {
		return nil
	}
	tail := s.tail
	s.tail = nil
	return s.raw(escape(tail))
}

// Paint writes text in a colour, if colours are wanted here. sgr is the number
// of the colour on terminals: "31" is red.
func (s *safeWriter) Paint(sgr, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.colour {
		s.raw([]byte("\x1b[" + sgr + "m"))
		defer s.raw([]byte("\x1b[0m"))
	}
	s.write([]byte(text))
}

// escape returns b with everything that a terminal might obey, or hide, made
// visible. Line feeds and tabs stay.
func escape(b []byte) []byte {
	out := b
	clean := 0 // out is b[:clean] while nothing was found
	for i := 0; i < len(b); {
		if c := b[i]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 || schema.Hidden(r) {
			if clean == 0 && len(out) == len(b) {
				out = make([]byte, 0, len(b)+16)
			}
			out = append(out, b[clean:i]...)
			out = append(out, visible(r, b[i:i+size])...)
			clean = i + size
		}
		i += size
	}
	if clean == 0 {
		return b
	}
	return append(out, b[clean:]...)
}

func visible(r rune, raw []byte) string {
	if r == utf8.RuneError && len(raw) == 1 {
		return fmt.Sprintf(`\x%02x`, raw[0])
	}
	return sanitize.Rune(r)
}

// inline is s for the middle of a line: no line feeds and tabs either.
func inline(s string) string {
	if !strings.ContainsAny(s, "\n\t\r") {
		return s
	}
	return strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s)
}

// short is s cut to at most n characters, on one line.
func short(s string, n int) string {
	s = inline(strings.ToValidUTF8(s, "\ufffd"))
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// printJSON writes v to standard output as one JSON document.
func (p *program) printJSON(v any) error {
	text, err := jsonedit.Marshal(v)
	if err != nil {
		return err
	}
	_, err = p.out.Write(text)
	return err
}

// printf writes text for standard output.
func (p *program) printf(format string, args ...any) { fmt.Fprintf(p.out, format, args...) }

// note tells people something on standard error.
func (p *program) note(format string, args ...any) { fmt.Fprintf(p.err, format+"\n", args...) }

// isTerminal says whether a stream is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// settleColour turns colours on for the streams that are terminals, unless the
// user asked for none.
func (p *program) settleColour(argv []string) {
	wanted := p.Getenv("NO_COLOR") == "" && p.Getenv("TERM") != "dumb" && !slices.Contains(argv, "--no-color")
	p.out.colour = wanted && isTerminal(p.Stdout)
	p.err.colour = wanted && isTerminal(p.Stderr)
}

// answerOutput takes standard output and standard error away from a command that
// answers an agent, and returns the former. From then on no output that fails, closes
// or blocks changes the exit code; see hook.Deliver.
func (p *program) answerOutput() io.Writer {
	signal.Ignore(syscall.SIGPIPE)
	out := p.out.w
	p.out.w, p.err.w = io.Discard, io.Discard
	return out
}

// verbatim writes text to standard output: byte for byte for a program, fit for
// it for a terminal.
func (p *program) verbatim(text []byte) error {
	if !isTerminal(p.Stdout) {
		return p.out.raw(text)
	}
	if _, err := p.out.Write(text); err != nil || bytes.HasSuffix(text, []byte("\n")) {
		return err
	}
	_, err := io.WriteString(p.out, "\n")
	return err
}
