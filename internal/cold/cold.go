package cold

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// ErrUnknown is the id of a chunk, or of a compaction, that cold storage has
// not.
var ErrUnknown = errors.New("not in cold storage")

// ErrOther is a compaction whose file is there already, with other chunks.
var ErrOther = errors.New("it holds other chunks already; nothing in cold storage is overwritten")

// homes are the folders that cold storage stands in.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// Name is the file of a compaction's chunks below home, which is one of the two
// folders.
func Name(home, session, compaction string) string {
	return path.Join(home, fs.ColdDir, session, compaction+".jsonl")
}

// nameOf is Name for ids that may be no ids.
func nameOf(home, session, compaction string) (string, error) {
	for _, id := range [...]string{session, compaction} {
		if !schema.ValidID(id) {
			return "", fmt.Errorf("%.60q: no id", id)
		}
	}
	return Name(home, session, compaction), nil
}

// Put stages the chunks of one compaction. A file of that compaction must not
// exist with other bytes (ErrOther): nothing is ever overwritten. No chunks need
// no file; the name is "" then.
func Put(tx *fs.Tx, home, session, compaction string, chunks []schema.Chunk) (name string, err error) {
	if name, err = nameOf(home, session, compaction); err != nil {
		return "", err
	}
	if len(chunks) == 0 {
		return "", nil
	}
	text, err := encode(chunks)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	switch old, err := tx.Read(name); {
	case errors.Is(err, iofs.ErrNotExist):
		tx.Write(name, text)
	case err != nil:
		return "", err
	case !bytes.Equal(old, text):
		return "", fmt.Errorf("%s: %w", name, ErrOther)
	}
	return name, nil
}

// encode writes chunks a line each. What would not come back as it is, is an
// error: what is put here is about to be cut elsewhere.
func encode(chunks []schema.Chunk) ([]byte, error) {
	var text []byte
	seen := make(map[string]bool, len(chunks))
	for i := range chunks {
		c := &chunks[i]
		if !schema.ValidID(c.ChunkID) || seen[c.ChunkID] {
			return nil, fmt.Errorf("chunk %.60q: no id, or one that stands there twice", c.ChunkID)
		}
		seen[c.ChunkID] = true
		line, err := jsonedit.Value(c)
		if err != nil {
			return nil, fmt.Errorf("chunk %s: %w", c.ChunkID, err)
		}
		if back, err := decode(line); err != nil || back.Content != c.Content || !bytes.Equal(back.Message, c.Message) {
			return nil, fmt.Errorf("chunk %s: its message would not come back byte for byte", c.ChunkID)
		}
		text = append(append(text, line...), '\n')
	}
	return text, nil
}

// decode reads one line.
func decode(line []byte) (c schema.Chunk, err error) {
	if err := jsonedit.Decode(line, &c); err != nil {
		return schema.Chunk{}, err
	}
	if !schema.ValidID(c.ChunkID) {
		return schema.Chunk{}, fmt.Errorf("chunk_id %.60q: no id", c.ChunkID)
	}
	return c, nil
}

// Of returns the chunks of one compaction that keep a line of the conversation,
// in the order they were put: of a long message that is its first passage.
// ErrUnknown where there is no such file; a damaged line is an error, for the compaction is not whole without it.
func Of(r fs.Reader, session, compaction string) ([]schema.Chunk, error) {
	for _, home := range homes {
		name, err := nameOf(home, session, compaction)
		if err != nil {
			return nil, err
		}
		src, err := r.Read(name)
		if errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var chunks []schema.Chunk
		for line := range jsonedit.Lines(src) {
			c, err := decode(line.Text)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, line.Number, err)
			}
			if c.Part <= 1 {
				chunks = append(chunks, c)
			}
		}
		return chunks, nil
	}
	if wasReset(r, session, compaction) {
		return nil, fmt.Errorf("compaction %s of session %s: %w: a reset moved it to the trash", compaction, session, ErrUnknown)
	}
	return nil, fmt.Errorf("compaction %s of session %s: %w", compaction, session, ErrUnknown)
}
