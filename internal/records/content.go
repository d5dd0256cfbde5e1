package records

import (
	"iter"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/kept"
)

// A content is a file of a folder of records with its contents.
type content struct {
	name string
	src  []byte
	err  error
}

const (
	// heading begins every index of a folder and has the number of the format.
	heading = "forgemind records 1\n"
	// worthKeeping is the least number of files read for which an index is written. Reading fewer
	// is faster than writing.
	worthKeeping = 64
)

// contents yields the files of a folder. For a tree or a transaction it reads only files that
// differ from the index, and updates the index if that is worthwhile. The result does not depend on
// the index.
func contents(r fs.Reader, dir string) iter.Seq[content] {
	return func(yield func(content) bool) {
		known, other, ok := lookUp(r, dir)
		if !ok {
			for name, err := range r.Names(dir) {
				if c := (content{name: name, err: err}); !yield(c.read(r)) {
					return
				}
			}
			return
		}
		for _, c := range known {
			if !yield(c) {
				return
			}
		}
		for _, name := range other {
			if c := (content{name: name}); !yield(c.read(r)) {
				return
			}
		}
	}
}

// read returns the content with the bytes that r has.
func (c content) read(r fs.Reader) content {
	if c.err == nil && strings.HasSuffix(c.name, ".json") {
		c.src, c.err = r.Read(c.name)
	}
	return c
}

// lookUp returns the files of a folder with their stamps, and the names of files without stamps. It
// returns false if stamps cannot be trusted.
func lookUp(r fs.Reader, dir string) (all []content, other []string, ok bool) {
	var tree *fs.Tree
	var stamps []fs.Stamp
	var err error
	known := func(string, []byte) {}
	switch r := r.(type) {
	case *fs.Tree:
		tree = r
		stamps, other, err = r.Stamps(dir)
	case *fs.Tx:
		tree, known = r.Tree(), r.Assume
		stamps, other, err = r.Stamps(dir)
	}
	if tree == nil || err != nil {
		return nil, nil, false
	}
	index := &kept.Index{}
	if len(stamps) >= worthKeeping {
		index = kept.Load(tree, indexName(dir), heading)
	}
	all = make([]content, 0, len(stamps))
	settled, fresh := make([]bool, len(stamps)), 0
	for i, s := range stamps {
		c := content{name: s.Name}
		if body, ok := index.At(s); ok {
			c.src, settled[i] = []byte(body), true
			known(c.name, c.src)
		} else {
			believed := tree.IsSettled(s) // checked before reading
			if c = c.read(r); c.err == nil && believed {
				settled[i] = true
				fresh++
			}
		}
		all = append(all, c)
	}
	if fresh >= worthKeeping {
		var w kept.Writer
		for i, c := range all {
			if settled[i] {
				w.Add(stamps[i], c.src)
			}
		}
		w.Save(tree, indexName(dir), heading, "")
	}
	return all, other, true
}

// indexName returns the name of the index of a folder of records.
func indexName(dir string) string {
	home, rest, _ := strings.Cut(dir, "/")
	return fs.LocalName(home, "index", "records-"+strings.ReplaceAll(rest, "/", "%2F"))
}
