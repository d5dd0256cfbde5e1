package extract

import (
	"regexp"
	"sync"
)

// A pattern is a regular expression that is compiled when it is used first: most
// commands never look at a message, and compiling all of them takes longer than
// such a command does.
type pattern struct {
	once sync.Once
	text string
	expr *regexp.Regexp
}

func like(text string) *pattern { return &pattern{text: text} }

func (p *pattern) compiled() *regexp.Regexp {
	p.once.Do(func() { p.expr = regexp.MustCompile(p.text) })
	return p.expr
}

func (p *pattern) MatchString(s string) bool      { return p.compiled().MatchString(s) }
func (p *pattern) FindIndex(b []byte) []int       { return p.compiled().FindIndex(b) }
func (p *pattern) FindString(s string) string     { return p.compiled().FindString(s) }
func (p *pattern) FindStringIndex(s string) []int { return p.compiled().FindStringIndex(s) }
func (p *pattern) FindStringSubmatch(s string) []string {
	return p.compiled().FindStringSubmatch(s)
}
func (p *pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}
func (p *pattern) ReplaceAllString(s, with string) string {
	return p.compiled().ReplaceAllString(s, with)
}
