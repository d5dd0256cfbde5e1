package cold

import (
	"errors"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// ErrUnknown is the id of a chunk, or of a compaction, that cold storage has
// not.
var ErrUnknown = errors.New("not in cold storage")

// A Fault is a line of cold storage that holds no chunk.
type Fault struct {
	Name string
	Line int // 1-based
	Err  error
}

// A Found is a chunk that a query found.
type Found struct {
	schema.Chunk
	Score float64 `json:"score"` // higher is better
}

// Name is the file of a compaction's chunks below home, which is one of the two
// folders.
func Name(home, session, compaction string) string {
	return home + "/" + fs.ColdDir + "/" + session + "/" + compaction + ".jsonl"
}

// Put stages the chunks of one compaction. A file of that compaction must not
// exist with other bytes: nothing is ever overwritten.
func Put(tx *fs.Tx, home, session, compaction string, chunks []schema.Chunk) (name string, err error) {
	name = Name(home, session, compaction)
	var text []byte
	for _, c := range chunks {
		line, err := jsonedit.Value(c)
		if err != nil {
			return "", err
		}
		text = append(append(text, line...), '\n')
	}
	tx.Write(name, text)
	return name, nil
}

// Of returns the chunks of one compaction, in the order they were put.
// ErrUnknown where there is no such file.
func Of(r fs.Reader, session, compaction string) (all []schema.Chunk, err error) {
	src, err := r.Read(Name(fs.Forgemind, session, compaction))
	if err != nil {
		return nil, err
	}
	for line := range jsonedit.Lines(src) {
		var c schema.Chunk
		if err := jsonedit.Decode(line.Text, &c); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// List returns every chunk of both folders, by file and line, and the lines
// that hold none.
func List(r fs.Reader) (all []schema.Chunk, faults []Fault, err error) {
	for name := range r.Names(fs.Forgemind + "/" + fs.ColdDir) {
		src, _ := r.Read(name)
		for line := range jsonedit.Lines(src) {
			var c schema.Chunk
			if err := jsonedit.Decode(line.Text, &c); err != nil {
				return nil, nil, err
			}
			all = append(all, c)
		}
	}
	return all, nil, nil
}

// Get returns one chunk. ErrUnknown where cold storage has none of that id.
func Get(r fs.Reader, id string) (schema.Chunk, error) { panic("not built") }

// Recover returns the chunks that answer query best, the best first, at most
// limit (all where it is 0). Equal scores come in the order of time.
func Recover(tree *fs.Tree, query string, limit int) ([]Found, error) { panic("not built") }
