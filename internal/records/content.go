package records

import (
	"iter"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/kept"
)

// A content is a file of a folder with what it holds.
type content[T any] struct {
	name  string
	value T
	err   error
}

// A source is a file as it stands.
type source = content[[]byte]

// A codec says what the files of a folder are read as, and how an index keeps that, so that a list
// need not read them all.
type codec[T any] struct {
	heading string // begins every index; another format has another number
	prefix  string // of the name of an index
	worth   int    // how many files must have been read for an index to be written: fewer are read sooner than written

	read   func(name string, src []byte) (T, error)
	encode func(body []byte, value T) []byte // appends
	decode func(body string) (T, bool)
}

// texts keeps the files as they are.
var texts = codec[[]byte]{
	heading: "forgemind records 2\n", prefix: "records-", worth: 64,
	read:   func(_ string, src []byte) ([]byte, error) { return src, nil },
	encode: func(body, src []byte) []byte { return append(body, src...) },
	decode: func(body string) ([]byte, bool) { return []byte(body), true },
}

// A reading is one pass over the files of a folder.
type reading[T any] struct {
	codec[T]
	reader fs.Reader
	dir    string
	tree   *fs.Tree   // nil where stamps prove nothing
	stamps []fs.Stamp // of its files
	bodies []string   // what the index has of them; "" for nothing
	other  []string   // files without a stamp
	writer *kept.Writer
	fresh  int // files in writer that the index did not have
}

// open begins a reading of the folder dir of r.
func (c codec[T]) open(r fs.Reader, dir string) *reading[T] {
	f := &reading[T]{codec: c, reader: r, dir: dir}
	var tree *fs.Tree
	var err error
	switch r := r.(type) {
	case *fs.Tree:
		tree = r
		f.stamps, f.other, err = r.Stamps(dir)
	case *fs.Tx:
		tree = r.Tree()
		f.stamps, f.other, err = r.Stamps(dir)
	}
	if tree != nil && err == nil {
		f.tree = tree
		f.lookUp()
	}
	return f
}

// contents yields the files of the folder. Of a tree, and of a transaction, it reads only
// what the index does not have, and renews that where it is worth it; what it yields is
// the same.
func (f *reading[T]) contents() iter.Seq[content[T]] {
	if f.tree != nil {
		return f.stamped
	}
	return func(yield func(content[T]) bool) {
		for name, err := range f.reader.Names(f.dir) {
			if !yield(f.read(name, err)) {
				return
			}
		}
	}
}

// lookUp looks into the index. Where it lacks so many files that another one may be worth it,
// contents are collected for that.
func (f *reading[T]) lookUp() {
	f.bodies = make([]string, len(f.stamps))
	if len(f.stamps) < f.worth {
		return
	}
	index := kept.Load(f.tree, f.indexName(), f.heading)
	lacks := 0
	for i, s := range f.stamps {
		body, ok := index.At(s)
		if ok {
			f.bodies[i] = body
		} else {
			lacks++
		}
	}
	if lacks >= f.worth {
		f.writer = new(kept.Writer)
	}
}

// stamped yields the files in the order of their names, and writes an index if that is worth it.
func (f *reading[T]) stamped(yield func(content[T]) bool) {
	other := f.other
	for i, s := range f.stamps {
		for ; len(other) > 0 && other[0] < s.Name; other = other[1:] {
			if !yield(f.read(other[0], nil)) {
				return
			}
		}
		if !yield(f.at(i)) {
			return
		}
	}
	for _, name := range other {
		if !yield(f.read(name, nil)) {
			return
		}
	}
	if f.fresh >= f.worth {
		f.writer.Save(f.tree, f.indexName(), f.heading)
	}
}

// at returns the content of the file that has stamp i.
func (f *reading[T]) at(i int) content[T] {
	s := f.stamps[i]
	if body := f.bodies[i]; body != "" {
		if value, ok := f.decode(body); ok {
			f.keep(s, body)
			return content[T]{name: s.Name, value: value}
		}
	}
	believed := f.tree.Settled(s) // as it stood before it was read
	c := f.read(s.Name, nil)
	if c.err == nil && believed && f.writer != nil {
		f.writer.Add(s, f.encode(nil, c.value))
		f.fresh++
	}
	return c
}

// keep notes what the index has of a file for the transaction, which did not read it, and for
// the next index.
func (f *reading[T]) keep(s fs.Stamp, body string) {
	if tx, ok := f.reader.(*fs.Tx); ok {
		tx.Knows(s.Name, []byte(body))
	}
	if f.writer != nil {
		f.writer.Add(s, []byte(body))
	}
}

// read returns the content of a file that has to be read, or err.
func (f *reading[T]) read(name string, err error) content[T] {
	c := content[T]{name: name, err: err}
	if err != nil || !strings.HasSuffix(name, ".json") {
		return c
	}
	var src []byte
	if src, c.err = f.reader.Read(name); c.err == nil {
		c.value, c.err = f.codec.read(name, src)
	}
	return c
}

// indexName returns where the index of the folder stands.
func (f *reading[T]) indexName() string {
	home, rest, _ := strings.Cut(f.dir, "/")
	return fs.LocalName(home, "index", f.prefix+strings.ReplaceAll(rest, "/", "%2F"))
}
