package session

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/schema"
)

// ErrNoCompaction is the undoing of a compaction where none stands at the head
// of the conversation.
var ErrNoCompaction = errors.New("no compaction stands at the head of the conversation")

// A Changed says why a compaction cannot be taken back. What left the
// conversation is in cold storage all the same.
type Changed struct {
	Compaction, Session string
	Why                 string
}

func (e *Changed) Error() string {
	return fmt.Sprintf("compaction %s cannot be taken back: %s; what left the conversation then is whole in cold-storage/%s/%s.jsonl",
		e.Compaction, e.Why, e.Session, e.Compaction)
}

// Undo takes back the newest compaction, given the chunks that left then: the
// conversation has the bytes that it had before, byte for byte, and what was
// said since follows. restored is how many messages came back. The error is a
// *Changed where what was kept, or the chunks, are not what they were.
func Undo(src []byte, chunks []schema.Chunk) (out []byte, restored int, err error) {
	src = bytes.TrimPrefix(src, []byte(bom))
	head, rest, _ := bytes.Cut(src, []byte("\n"))
	c, ok := LastCompaction(Read(head))
	if !ok {
		return nil, 0, ErrNoCompaction
	}
	changed := func(format string, args ...any) error {
		session := c.Session
		if !schema.ValidID(session) {
			session = "…"
		}
		return &Changed{c.ID, session, fmt.Sprintf(format, args...)}
	}
	chunks = slices.DeleteFunc(slices.Clone(chunks), func(c schema.Chunk) bool { return c.Part > 1 }) // the first has the line
	if c.Lines != len(c.Kept)+len(chunks) {
		return nil, 0, changed("it had %d lines, of which %d were kept and %d are in cold storage", c.Lines, len(c.Kept), len(chunks))
	}
	lines := make([][]byte, c.Lines)
	put := func(at int, raw []byte) bool {
		if at < 0 || at >= len(lines) || lines[at] != nil {
			return false
		}
		lines[at] = append([]byte{}, raw...)
		return true
	}
	for i, at := range c.Kept {
		if len(rest) == 0 {
			return nil, 0, changed("%d of the %d lines that were kept are missing", len(c.Kept)-i, len(c.Kept))
		}
		var raw []byte
		raw, rest, _ = bytes.Cut(rest, []byte("\n"))
		if !put(at, raw) {
			return nil, 0, changed("its summary line says otherwise than when it was made")
		}
	}
	for _, chunk := range chunks {
		if !put(int(chunk.Line), original(chunk)) {
			return nil, 0, changed("chunk %s does not say where it stood", cut(chunk.ChunkID))
		}
	}
	if out = assemble(c, lines); digest(out) != c.SHA256 {
		return nil, 0, changed("a line that was kept, or that is in cold storage, was edited since")
	}
	if c.Unterminated && len(rest) > 0 {
		out = append(out, '\n')
	}
	return append(out, rest...), len(chunks), nil
}

// original is the conversation's line that a chunk keeps, as it stood.
func original(chunk schema.Chunk) []byte {
	if bytes.HasPrefix(chunk.Message, []byte(`"`)) {
		return []byte(str(chunk.Message))
	}
	return chunk.Message
}

// Left is the message that a chunk keeps, as it stood in the conversation;
// false where it keeps none, as all chunks of a long message but the first.
func Left(chunk schema.Chunk) (schema.Message, bool) {
	lines := Read(original(chunk))
	if len(lines) != 1 || lines[0].Err != nil {
		return schema.Message{}, false
	}
	return *lines[0].Message, true
}

// assemble puts the lines of a conversation together as they stood.
func assemble(c Compaction, lines [][]byte) []byte {
	var out []byte
	if c.Marked {
		out = append(out, bom...)
	}
	out = append(out, bytes.Join(lines, []byte("\n"))...)
	if !c.Unterminated && len(lines) > 0 {
		out = append(out, '\n')
	}
	return out
}
