package cold

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"iter"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Fault is a problem with a line or a file of cold storage. List reports only lines that hold no
// chunk and files that cannot be read.
type Fault struct {
	Name string
	Line int // 1-based; 0 for the whole file
	Err  error
	Hint string // what the user can do; "" in the faults of List
}

// List returns every chunk of both folders, sorted by file and line, and a Fault for each line that
// holds none.
func List(r fs.Reader) ([]schema.Chunk, []Fault, error) {
	var chunks []schema.Chunk
	var faults []Fault
	for name, err := range files(r) {
		var src []byte
		if err == nil {
			src, err = r.Read(name)
		}
		if err != nil {
			faults = append(faults, Fault{Name: name, Err: err})
			continue
		}
		for line := range jsonedit.Lines(src) {
			c, err := decode(line.Text)
			if err != nil {
				faults = append(faults, Fault{Name: name, Line: line.Number, Err: err})
				continue
			}
			chunks = append(chunks, c)
		}
	}
	return chunks, faults, nil
}

// files yields the names of the files of both folders that hold chunks.
func files(r fs.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, home := range homes {
			for name, err := range r.Names(home + "/" + fs.ColdDir) {
				if (err != nil || fs.Place(name) == fs.DocChunk) && !yield(name, err) {
					return
				}
			}
		}
	}
}

// Empty reports whether cold storage has no file of chunks, as in a new clone.
func Empty(r fs.Reader) bool {
	for range files(r) {
		return false
	}
	return true
}

// Get returns one chunk. The error is a *GoneError if the trash of the tree has it, and else
// ErrUnknown.
func Get(r fs.Reader, id string) (schema.Chunk, error) {
	if !schema.ValidID(id) {
		return schema.Chunk{}, fmt.Errorf("chunk %.60q: %w", id, ErrUnknown)
	}
	if tree, ok := r.(*fs.Tree); ok {
		return get(tree, id)
	}
	for name, err := range files(r) {
		var src []byte
		if err == nil {
			src, err = r.Read(name)
		}
		if isMissing(err) {
			continue // List reports it
		}
		if err != nil {
			return schema.Chunk{}, err
		}
		for line := range jsonedit.Lines(src) {
			if !mayHold(line.Text, id) {
				continue
			}
			if c, err := decode(line.Text); err == nil && c.ChunkID == id {
				return c, nil
			}
		}
	}
	return schema.Chunk{}, fmt.Errorf("chunk %s: %w", id, ErrUnknown)
}

// mayHold reports whether a line can contain id as a value, plain or with escaped characters. It
// does not decode the line.
func mayHold(line []byte, id string) bool {
	return bytes.Contains(line, []byte(id)) || bytes.Contains(line, []byte(`\u00`))
}

// isMissing reports whether err means that there is no file, or nothing that can be read as one.
func isMissing(err error) bool {
	return errors.Is(err, iofs.ErrNotExist) || errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge)
}
