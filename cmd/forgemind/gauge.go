package main

import (
	"runtime"
	"strings"

	"golang.org/x/term"

	"github.com/forgemind/forgemind/internal/text"
)

// A gauge is a bar that shows a percentage, with marks.
type gauge struct {
	percent float64
	marks   []float64 // percent
	cells   int       // width without the brackets
	ascii   bool      // use ASCII only
}

// bar returns the filled part of the gauge and the rest, together cells characters: "█████████▌"
// and "·····|····|··".
func (g gauge) bar() (full, rest string) {
	const eighths = 8
	parts := []rune("▏▎▍▌▋▊▉█")
	block, empty, mark := "█", '·', '|'
	filled := int(min(max(g.percent, 0), 100) / 100 * float64(g.cells*eighths))
	if g.ascii {
		block, empty = "=", '.'
		filled -= filled % eighths
	}
	full = strings.Repeat(block, filled/eighths)
	if part := filled % eighths; part > 0 {
		full += string(parts[part-1])
	}
	begin := (filled + eighths - 1) / eighths
	cells := []rune(strings.Repeat(string(empty), g.cells))
	for _, percent := range g.marks {
		if at := int(percent / 100 * float64(g.cells)); at >= 0 && at < g.cells {
			cells[at] = mark
		}
	}
	return full, string(cells[begin:])
}

// width returns the width of standard output in characters.
func (p *program) width() int { return terminalWidth(p.Stdout) }

// terminalWidth returns the width of a stream in characters. It returns 80 if the stream is no
// terminal or has no known width.
func terminalWidth(stream any) int {
	const usual = 80
	if file, ok := stream.(interface{ Fd() uintptr }); ok && isTerminal(stream) {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return usual
}

// printLines prints the lines of a list, cut to the width of a terminal.
func (p *program) printLines(text string) {
	if !isTerminal(p.Stdout) {
		p.printf("%s", text)
		return
	}
	width := p.width()
	for line := range strings.Lines(text) {
		p.printf("%s\n", short(strings.TrimSuffix(line, "\n"), width))
	}
}

// asciiOnly reports whether the locale supports only ASCII.
func (p *program) asciiOnly() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(p.Getenv(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return runtime.GOOS != "windows"
}

// thousands returns n with its digits in groups: "200,000".
func thousands(n int) string { return text.Thousands(n) }

// fill joins words to lines of at most width characters. Each line begins with indent.
func fill(words []string, separator, indent string, width int) string {
	var text strings.Builder
	used := 0
	for i, w := range words {
		n := len([]rune(separator)) + len([]rune(w))
		switch {
		case i == 0:
			text.WriteString(indent)
			used = len(indent)
		case used+n > width:
			text.WriteString("\n" + indent)
			used = len(indent)
		default:
			text.WriteString(separator)
		}
		text.WriteString(w)
		used += n
	}
	return text.String()
}
