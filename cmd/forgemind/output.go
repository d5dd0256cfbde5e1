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

	"github.com/forgemind/forgemind/internal/present"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/text"
)

// A safeWriter writes text that may come from strangers. It writes control characters, direction
// marks and other invisible characters as \uXXXX, which terminals show and JSON decodes to the same
// character.
type safeWriter struct {
	w      io.Writer
	colour bool
	lines  lineWrapper // wraps lines if its width is not 0

	mu     sync.Mutex // a watcher may write at the same time as a command
	tail   []byte     // first bytes of an incomplete character
	failed error      // first error of w
	begun  bool       // something was written
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
	safe := escape(b[:whole])
	if s.lines.width > 0 {
		safe = s.lines.wrap(safe)
	}
	return n, s.raw(safe)
}

// writeUnwrapped is Write for text whose lines must not be wrapped, such as JSON.
func (s *safeWriter) writeUnwrapped(b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	width := s.lines.width
	s.lines.width = 0
	_, err := s.write(b)
	s.lines.width = width
	return err
}

func (s *safeWriter) raw(b []byte) error {
	s.begun = s.begun || len(b) > 0
	_, err := s.w.Write(b)
	if err != nil && s.failed == nil {
		s.failed = err
	}
	return err
}

// flush writes the bytes of an incomplete character. Without any it writes nothing, so that a
// command without output does not need one.
func (s *safeWriter) flush() error {
	if len(s.tail) == 0 {
		return nil
	}
	tail := s.tail
	s.tail = nil
	return s.raw(escape(tail))
}

// Paint writes text in a color if colors are enabled. The argument sgr is the color's number on
// terminals: "31" is red.
func (s *safeWriter) Paint(sgr, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.colour {
		s.raw([]byte("\x1b[" + sgr + "m"))
		defer s.raw([]byte("\x1b[0m"))
	}
	s.write([]byte(text))
}

// escape returns b with control characters and invisible characters escaped, except line feeds and
// tabs.
func escape(b []byte) []byte {
	out := b
	clean := 0 // out is b[:clean] while nothing was found
	for i := 0; i < len(b); {
		if c := b[i]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 || text.Hidden(r) {
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

// inline returns s with line feeds and tabs escaped as well.
func inline(s string) string {
	if !strings.ContainsAny(s, "\n\t\r") {
		return s
	}
	return strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s)
}

// short returns s on one line, cut to at most n characters.
func short(s string, n int) string {
	return text.Limit(inline(strings.ToValidUTF8(s, "\ufffd")), n)
}

// printJSON writes v, an object, to standard output as one JSON document of a kind of outputs.
func (p *program) printJSON(kind string, v any) error {
	text, err := present.JSON(kind, v)
	return p.writeJSON(text, err)
}

// printList is printJSON for a list. Its member has the name of the kind.
func (p *program) printList(kind string, list any) error {
	text, err := present.List(kind, list)
	return p.writeJSON(text, err)
}

// writeJSON writes text, unless there is an error.
func (p *program) writeJSON(text []byte, err error) error {
	if err == nil {
		err = p.out.writeUnwrapped(text)
	}
	return err
}

// printSource writes text for programs, whose lines must not be wrapped.
func (p *program) printSource(text string) error { return p.out.writeUnwrapped([]byte(text)) }

// printf writes text for standard output.
func (p *program) printf(format string, args ...any) { fmt.Fprintf(p.out, format, args...) }

// note prints a message on standard error.
func (p *program) note(format string, args ...any) { fmt.Fprintf(p.err, format+"\n", args...) }

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// settleWidth enables wrapping of lines on streams that are terminals, unless the user wants
// a format for programs. Other streams get whole lines, because many programs read line by
// line.
func (p *program) settleWidth(argv []string) {
	if format := askedFormat(argv); isTerminal(p.Stdout) && (format == "" || format == "text") {
		p.out.lines.width = terminalWidth(p.Stdout)
	}
	if isTerminal(p.Stderr) {
		p.err.lines.width = terminalWidth(p.Stderr)
	}
}

// settleColour turns colors on for streams that are terminals, unless the user disabled them.
func (p *program) settleColour(argv []string) {
	wanted := p.Getenv("NO_COLOR") == "" && p.Getenv("TERM") != "dumb" && !slices.Contains(argv, "--no-color")
	p.out.colour = wanted && isTerminal(p.Stdout)
	p.err.colour = wanted && isTerminal(p.Stderr)
}

// answerOutput detaches standard output and standard error from a command that answers an agent,
// and returns standard output. After that, no output that fails, closes or blocks changes the exit
// code; see hook.Deliver.
func (p *program) answerOutput() io.Writer {
	signal.Ignore(syscall.SIGPIPE)
	out := p.out.w
	p.out.w, p.err.w = io.Discard, io.Discard
	return out
}

// verbatim writes text to standard output: unchanged for a program, and escaped for a terminal.
func (p *program) verbatim(text []byte) error {
	if !isTerminal(p.Stdout) {
		return p.out.raw(text)
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(slices.Clone(text), '\n')
	}
	return p.out.writeUnwrapped(text)
}
