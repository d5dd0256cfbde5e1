package main

import (
	"fmt"
	"strings"
)

// A manPage is a page in the language of man(7).
type manPage struct{ strings.Builder }

// newPage returns a page that begins with its title and its name.
func newPage(name, does string) *manPage {
	page := &manPage{}
	page.macro("TH", strings.ToUpper(name), "1", "", "forgemind "+moduleVersion(), "User Commands")
	page.macro("nh") // no hyphens in commands and flags
	page.macro("SH", "NAME")
	fmt.Fprintf(page, "%s \\- %s\n", roffEscape(name), roffEscape(strings.ToLower(does[:1])+does[1:]))
	return page
}

// macro writes a line that calls a macro.
func (page *manPage) macro(name string, args ...string) {
	page.WriteString("." + name)
	for _, arg := range args {
		page.WriteString(` "` + roffEscape(arg) + `"`)
	}
	page.WriteByte('\n')
}

// text writes a line of text.
func (page *manPage) text(line string) {
	line = roffEscape(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, " ") {
		line = `\&` + line // a dot would begin a macro, a blank a new line
	}
	page.WriteString(line + "\n")
}

// item writes a term and, indented below it, what it means.
func (page *manPage) item(term, means string) {
	page.macro("TP")
	page.WriteString(`\fB`)
	page.WriteString(roffEscape(term) + "\\fR\n")
	page.text(means)
}

// roffEscape returns s with every character that roff would obey, or set as another one,
// in the form that sets it as it is.
func roffEscape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune(`\-'"`+"`^~", r):
			b.WriteString(map[rune]string{
				'\\': `\e`, '-': `\-`, '\'': `\(aq`, '"': `\(dq`, '`': `\(ga`, '^': `\(ha`, '~': `\(ti`,
			}[r])
		case r == '\n':
			b.WriteByte(' ')
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
