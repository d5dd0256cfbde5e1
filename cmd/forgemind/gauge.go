package main

import (
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/term"
)

// A gauge is a bar that shows how full something is, with marks where it
// matters.
type gauge struct {
	percent float64
	marks   []float64 // percent
	cells   int       // how wide it is, the brackets left out
	ascii   bool      // where a terminal may not show more
}

// bar is the gauge's full part and the rest of it, cells characters together:
// "█████████▌" and "·····|····|··".
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

// width is how many characters a line of standard output holds.
func (p *program) width() int {
	const usual = 80
	if file, ok := p.Stdout.(interface{ Fd() uintptr }); ok && isTerminal(p.Stdout) {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return usual
}

// printLines prints the lines of a list; on a terminal none is longer than that
// is wide.
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

// asciiOnly says whether the locale promises no more than ASCII.
func (p *program) asciiOnly() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(p.Getenv(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return runtime.GOOS != "windows"
}

// thousands is n with its digits in groups: "200,000".
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// fill joins words to lines of at most width characters, the first and every
// further one behind indent.
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
