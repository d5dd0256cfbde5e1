package extract

import "strings"

// The kinds of entities.
const (
	Files        = "files"
	Functions    = "functions"
	Technologies = "technologies"
	People       = "people"
	Concepts     = "concepts"
)

// Kinds lists the kinds of entities, in the order of the Quaid document.
func Kinds() []string { return []string{Files, Functions, Technologies, People, Concepts} }

// What one text can name at most, so that a listing does not crowd out what
// matters, and how long a name is at most, in bytes.
const (
	mostNames   = 50
	longestName = 200
)

// Entities finds what text names, by kind; each name once, in the order of first
// mention, at most 50 of a kind. A kind without a name is not in it.
//
// Files and functions are found in fenced code too, all else is not. A file is
// named without the "./" it may begin with, a function without its parentheses,
// a technology or a concept as the lists spell it.
//
// more are names to look for besides, by kind, the first 1,000 of each. One
// without capitals is found in whatever case, one with capitals as it is
// written.
func Entities(text string, more map[string][]string) map[string][]string {
	f := finder{own: newLexicon(more), builtin: builtin(), names: map[string]*names{}}
	previous := line{}
	for l := range lines(text) {
		f.line(l, previous)
		previous = l
	}
	f.line(line{}, previous)
	found := map[string][]string{}
	for kind, n := range f.names {
		found[kind] = n.list
	}
	return found
}

// A finder collects the names of a text.
type finder struct {
	own, builtin *lexicon
	names        map[string]*names // by kind
}

// names are those of one kind, each once.
type names struct {
	list []string
	seen map[string]bool
}

// all is the list; none for no names.
func (n *names) all() []string {
	if n == nil {
		return nil
	}
	return n.list
}

func (f *finder) add(kind, name string) {
	if name == "" || len(name) > longestName {
		return
	}
	n := f.names[kind]
	if n == nil {
		n = &names{seen: map[string]bool{}}
		f.names[kind] = n
	}
	if len(n.list) < mostNames && !n.seen[name] {
		n.seen[name] = true
		n.list = append(n.list, strings.Clone(name))
	}
}

// line finds what l names, but for the people in it: next says what to make of
// those of the line before.
func (f *finder) line(l, previous line) {
	f.people(previous, l)
	if l.text == "" {
		return
	}
	chunks := chunksOf(l.text)
	for i := range chunks {
		c := &chunks[i]
		if path, ok := c.file(); ok {
			f.add(Files, path)
			c.opaque = true
		} else if name, ok := c.called(l); ok {
			f.add(Functions, name)
			c.opaque = true
		}
	}
	f.told(l, chunks)
	f.own.match(l.text, nil, func(kind, name string) {
		if !l.code || kind == Files || kind == Functions {
			f.add(kind, name)
		}
	})
	if !l.code {
		f.dependencies(l.text)
		f.builtin.match(l.text, chunks, f.add)
	}
}
