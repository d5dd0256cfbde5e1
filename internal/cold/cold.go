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

// ErrUnknown means that cold storage does not have the chunk or the compaction.
var ErrUnknown = errors.New("not in cold storage")

// ErrOther means that the file of a compaction exists with other chunks.
var ErrOther = errors.New("it holds other chunks already; nothing in cold storage is overwritten")

// homes lists the folders of a tree that can hold cold storage.
var homes = [...]string{fs.Forgemind, fs.Quaid}

// Name returns the name of the file that holds a compaction's chunks. The folder home is
// fs.Forgemind or fs.Quaid. Name does not check the ids.
func Name(home, session, compaction string) string {
	return path.Join(home, fs.ColdDir, session, compaction+".jsonl")
}

// nameOf is like Name. It returns an error if an id is not valid.
func nameOf(home, session, compaction string) (string, error) {
	for _, id := range [...]string{session, compaction} {
		if !schema.ValidID(id) {
			return "", fmt.Errorf("%.60q: no id", id)
		}
	}
	return Name(home, session, compaction), nil
}

// Put stages the file with the chunks of one compaction and returns its name. The error is ErrOther
// if the file exists with other bytes: Put overwrites nothing. Without chunks Put writes no file
// and the name is "".
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

// encode returns the chunks as JSON, one on each line. It returns an error if a chunk would not be
// read back as it is, because the caller is about to remove it from the conversation.
func encode(chunks []schema.Chunk) ([]byte, error) {
	var text []byte
	seen := make(map[string]bool, len(chunks))
	for i := range chunks {
		c := &chunks[i]
		if !schema.ValidID(c.ChunkID) || seen[c.ChunkID] {
			return nil, fmt.Errorf("chunk %.60q: no id, or one that is there twice", c.ChunkID)
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

// decode decodes one line of a file of chunks.
func decode(line []byte) (c schema.Chunk, err error) {
	if err := jsonedit.Decode(line, &c); err != nil {
		return schema.Chunk{}, err
	}
	if !schema.ValidID(c.ChunkID) {
		return schema.Chunk{}, fmt.Errorf("chunk_id %.60q: no id", c.ChunkID)
	}
	return c, nil
}

// CompactionChunks returns the chunks of one compaction that hold a line of the conversation, in the order in
// which they were put. A long message is represented by its first passage. The error is ErrUnknown
// if there is no such file. A damaged line is an error, because without it the compaction is
// incomplete.
func CompactionChunks(r fs.Reader, session, compaction string) ([]schema.Chunk, error) {
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
