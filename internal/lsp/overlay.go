package lsp

import (
	"bytes"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// An overlay is a tree in which the texts of open documents take the place of files.
type overlay struct {
	*fs.Tree
	root string // as in document
	open map[string]*document
}

// overlay opens the tree at root for reading, with the open documents.
func (s *server) overlay(root string) (overlay, error) {
	tree, err := fs.Open(root)
	if err != nil {
		return overlay{}, err
	}
	tree.DryRun, tree.Date = true, s.Now
	return overlay{tree, root, s.overlays(root)}, nil
}

// Read implements fs.Reader.
func (o overlay) Read(name string) ([]byte, error) {
	if d, ok := o.open[name]; ok {
		return d.src, nil
	}
	return o.Tree.Read(name)
}

// ReadStored returns the text of a document without Tree.View.
func (o overlay) ReadStored(name string) ([]byte, error) {
	if d, ok := o.open[name]; ok {
		return d.src, nil
	}
	return o.Tree.ReadStored(name)
}

// ReadAppend is Read that appends to buf.
func (o overlay) ReadAppend(buf []byte, name string) ([]byte, error) {
	if d, ok := o.open[name]; ok {
		return append(buf, d.src...), nil
	}
	return o.Tree.ReadAppend(buf, name)
}

// Stream opens a document for reading.
func (o overlay) Stream(name string) (io.ReadCloser, error) {
	if d, ok := o.open[name]; ok {
		return io.NopCloser(bytes.NewReader(d.src)), nil
	}
	return o.Tree.Stream(name)
}

// Names implements fs.Reader. It yields open documents that were never saved, too.
func (o overlay) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		unsaved := slices.Sorted(maps.Keys(o.open))
		unsaved = slices.DeleteFunc(unsaved, func(name string) bool {
			return dir != "." && name != dir && !strings.HasPrefix(name, dir+"/")
		})
		for name, err := range o.Tree.Names(dir) {
			for len(unsaved) > 0 && unsaved[0] < name {
				if !yield(unsaved[0], nil) {
					return
				}
				unsaved = unsaved[1:]
			}
			if len(unsaved) > 0 && unsaved[0] == name {
				unsaved = unsaved[1:]
			}
			if !yield(name, err) {
				return
			}
		}
		for _, name := range unsaved {
			if !yield(name, nil) {
				return
			}
		}
	}
}
