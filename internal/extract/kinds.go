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

// Kinds returns the kinds of entities, in the order of the Quaid document.
func Kinds() []string { return []string{Files, Functions, Technologies, People, Concepts} }

// Limits of the names that are found.
const (
	maxNames      = 50  // of a kind in one text, so that a listing does not hide other names
	maxNameLength = 200 // bytes
)

// Entities returns the names in text by kind, without duplicates, in the order of
// first mention, at most 50 of a kind. The result has no kinds without names.
//
// Only files and functions are also found in fenced code. A file is returned without
// a leading "./", a function without its parentheses, a technology or a concept in
// the spelling of the lists.
//
// extra has additional names by kind, of which Entities uses the first 1,000. A name
// without capital letters matches in any case, a name with capitals only exactly.
func Entities(text string, extra map[string][]string) map[string][]string {
	f := finder{custom: newLexicon(extra), builtin: builtin(), names: map[string]*nameList{}}
	previous := line{}
	for l := range lines(text) {
		f.addLine(l, previous)
		previous = l
	}
	f.addLine(line{}, previous)
	found := map[string][]string{}
	for kind, n := range f.names {
		found[kind] = n.list
	}
	return found
}

// A finder collects the names of a text.
type finder struct {
	custom, builtin *lexicon
	names           map[string]*nameList // by kind
}

// A nameList has the names of one kind, without duplicates.
type nameList struct {
	list []string
	seen map[string]bool
}

// all returns the list, or nil if n is nil.
func (n *nameList) all() []string {
	if n == nil {
		return nil
	}
	return n.list
}

func (f *finder) add(kind, name string) {
	if name == "" || len(name) > maxNameLength {
		return
	}
	n := f.names[kind]
	if n == nil {
		n = &nameList{seen: map[string]bool{}}
		f.names[kind] = n
	}
	if len(n.list) < maxNames && !n.seen[name] {
		n.seen[name] = true
		n.list = append(n.list, strings.Clone(name))
	}
}

// addLine adds the names in l, except people, and the people in previous: whether an
// "@" is a decorator depends on the line after it.
func (f *finder) addLine(l, previous line) {
	f.addPeople(previous, l)
	if l.text == "" {
		return
	}
	chunks := splitChunks(l.text)
	for i := range chunks {
		c := &chunks[i]
		if path, ok := c.file(); ok {
			f.add(Files, path)
			c.opaque = true
		} else if name, ok := c.functionName(l); ok {
			f.add(Functions, name)
			c.opaque = true
		}
	}
	f.findFunctions(l, chunks)
	f.findNamedPeople(l)
	f.custom.match(l.text, nil, func(kind, name string) {
		if !l.code || kind == Files || kind == Functions {
			f.add(kind, name)
		}
	})
	if !l.code {
		f.addDependencies(l.text)
		f.builtin.match(l.text, chunks, f.add)
	}
}
