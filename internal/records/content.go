package records

import (
	"iter"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/kept"
)

// A content is a file of a folder of records with what it holds.
type content struct {
	name string
	src  []byte
	err  error
}

const (
	// heading begins every index of a folder; another format has another number.
	heading = "forgemind records 1\n"
	// worthKeeping is how many files must have been read for an index to be written:
	// fewer are read sooner than written.
	worthKeeping = 64
)

// contents yields the files of a folder. Of a tree, and of a transaction, it reads only
// what its index does not have, and renews that where it is worth it; what it yields is
// the same.
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

// read returns the content with what r has of it.
func (c content) read(r fs.Reader) content {
	if c.err == nil && strings.HasSuffix(c.name, ".json") {
		c.src, c.err = r.Read(c.name)
	}
	return c
}

// lookUp returns the files of a folder that have stamps, and the names of others. It
// returns false where stamps prove nothing.
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
		tree, known = r.Tree(), r.Knows
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
			believed := tree.Settled(s) // as it stood before it was read
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

// indexName returns where the index of a folder of records stands.
func indexName(dir string) string {
	home, rest, _ := strings.Cut(dir, "/")
	return fs.LocalName(home, "index", "records-"+strings.ReplaceAll(rest, "/", "%2F"))
}
