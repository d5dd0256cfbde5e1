package recall

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// errStale reports that a file no longer has the text that was read before.
var errStale = errors.New("it changes while it is searched")

// ask calls question, and again if a file changed meanwhile: with the new content, and at
// last without the stored volume.
func (p *Past) ask(question func() error) error {
	for try := 0; ; try++ {
		err := question()
		if !errors.Is(err, errStale) || try == 3 {
			return err
		}
		if err := p.open(try < 1); err != nil {
			return err
		}
	}
}

// A reader reads texts. Often, consecutive ones are in the same file.
type reader struct {
	*Past
	doc    jsonedit.Doc
	name   string // name of the open file
	source io.ReaderAt
	end    func() error
}

func (p *Past) reader() *reader { return &reader{Past: p, end: func() error { return nil }} }

func (r *reader) close() { r.end() }

// read reads the text of a hit. It returns false if it is no message.
func (r *reader) read(h relevance.Hit, e entry) (found Found, ok bool, err error) {
	v := r.volumes[h.Index]
	of := &v.parts[v.partOf(h.Text)]
	name := of.stamp.Name
	text, err := r.text(of, e)
	if err != nil {
		return found, false, err
	}
	found = Found{Name: name, Session: r.files[r.fileOf(h)].session}
	if isFragment(name) {
		f, _ := ReadFragment(name, text)
		found.Session, found.Fragment = f.Session, &f
		return found, keyOf("", text) == e.key, stale(name, keyOf("", text) == e.key)
	}
	s, ok := speech(&r.doc, text)
	if err := stale(name, ok && s.key == e.key); err != nil {
		return found, false, err
	}
	found.Message = &schema.Message{}
	return found, jsonedit.Decode(text, found.Message) == nil, nil
}

func stale(name string, same bool) error {
	if same {
		return nil
	}
	return fmt.Errorf("%s: %w", name, errStale)
}

// text returns the bytes of an entry.
func (r *reader) text(of *part, e entry) ([]byte, error) {
	from, end := int64(e.offset), int64(e.offset)+int64(e.size)
	if err := stale(of.stamp.Name, end <= of.size); err != nil {
		return nil, err
	}
	if of.src != nil {
		return of.src[from-of.from : end-of.from], nil
	}
	if err := r.open(of.stamp.Name); err != nil {
		return nil, err
	}
	buf := make([]byte, e.size)
	if n, err := r.source.ReadAt(buf, from); n < len(buf) {
		if err == io.EOF {
			return nil, stale(of.stamp.Name, false)
		}
		return nil, err
	}
	return buf, nil
}

// open opens a file for reading.
func (r *reader) open(name string) error {
	if r.name == name {
		return nil
	}
	r.end()
	r.name, r.end = "", func() error { return nil }
	f, err := r.tree.Stream(name)
	if errors.Is(err, iofs.ErrNotExist) {
		return stale(name, false)
	}
	if err != nil {
		return err
	}
	var ok bool
	if r.source, ok = f.(io.ReaderAt); !ok {
		f.Close()
		src, err := r.tree.Read(name)
		r.source = bytes.NewReader(src)
		return err
	}
	r.name, r.end = name, f.Close
	return nil
}
