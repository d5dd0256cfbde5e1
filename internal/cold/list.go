package cold

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"iter"
	"path"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Fault is what is wrong with a line of cold storage, or with a file of it:
// for List that it holds no chunk, or cannot be read.
type Fault struct {
	Name string
	Line int // 1-based; 0 where it is the file
	Err  error
	Hint string // what can be done; "" where List says it
}

// List returns every chunk of both folders, by file and line, and the lines
// that hold none.
func List(r fs.Reader) ([]schema.Chunk, []Fault, error) {
	var chunks []schema.Chunk
	var faults []Fault
	for name, err := range files(r) {
		if err != nil {
			faults = append(faults, Fault{Name: name, Err: err})
			continue
		}
		in, wrong := In(r, name)
		chunks, faults = append(chunks, in...), append(faults, wrong...)
	}
	return chunks, faults, nil
}

// In returns the chunks of one file of cold storage, and the lines that hold none. Of a
// name that is no such file it returns none.
func In(r fs.Reader, name string) (chunks []schema.Chunk, faults []Fault) {
	if fs.Place(name) != fs.DocChunk {
		return nil, nil
	}
	src, err := r.Read(name)
	if err != nil {
		return nil, []Fault{{Name: name, Err: err}}
	}
	for line := range jsonedit.Lines(src) {
		c, err := decode(line.Text)
		if err != nil {
			faults = append(faults, Fault{Name: name, Line: line.Number, Err: err})
			continue
		}
		chunks = append(chunks, c)
	}
	return chunks, faults
}

// Texts returns the texts of the files of cold storage, but of those that cannot be read.
func Texts(r fs.Reader) (texts [][]byte) {
	for name, err := range files(r) {
		if err != nil {
			continue
		}
		if src, err := r.Read(name); err == nil {
			texts = append(texts, src)
		}
	}
	return texts
}

// Holders returns how often the chunks of each session name an agent's session, as the message
// that is kept in a chunk does.
func Holders(r fs.Reader, agentSession string) map[string]int {
	quoted := []byte(`"` + agentSession + `"`)
	held := map[string]int{}
	for name, err := range files(r) {
		if err != nil {
			continue
		}
		if src, err := r.Read(name); err == nil {
			held[path.Base(path.Dir(name))] += bytes.Count(src, quoted)
		}
	}
	return held
}

// Naming yields the chunks of a file's text in which id may stand: those of lines that hold it, or
// a character that is written as its number. Of "" it yields all.
func Naming(src []byte, id string) iter.Seq[schema.Chunk] {
	return func(yield func(schema.Chunk) bool) {
		for line := range jsonedit.Lines(src) {
			if !bytes.Contains(line.Text, []byte(id)) && !bytes.Contains(line.Text, []byte(`\u`)) {
				continue
			}
			if c, err := decode(line.Text); err == nil && !yield(c) {
				return
			}
		}
	}
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

// Get returns one chunk. ErrUnknown where cold storage has none of that id: a
// *Gone where a tree's trash has it.
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
		if missing(err) {
			continue // List has the Fault
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

// mayHold says, without decoding it, that a line can have id for a value: as it
// is, or with characters escaped.
func mayHold(line []byte, id string) bool {
	return bytes.Contains(line, []byte(id)) || bytes.Contains(line, []byte(`\u00`))
}

// missing says that nothing stands where err comes from, or nothing that could
// be read there.
func missing(err error) bool {
	return errors.Is(err, iofs.ErrNotExist) || errors.Is(err, fs.ErrIrregular) || errors.Is(err, fs.ErrTooLarge)
}
