package session

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// ErrNoCompaction reports that the conversation does not begin with the summary of a
// compaction.
var ErrNoCompaction = errors.New("the conversation does not begin with the summary of a compaction")

// A ChangedError reports why a compaction cannot be undone. The messages that left are still in
// cold storage.
type ChangedError struct {
	Compaction, Session string
	Why                 string
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("compaction %s cannot be taken back: %s; what left the conversation then is whole in cold-storage/%s/%s.jsonl",
		e.Compaction, e.Why, e.Session, e.Compaction)
}

// An Undone is a conversation after its newest compaction was undone.
type Undone struct {
	Conversation []byte // as before the compaction, followed by newer lines
	Archive      []byte // without the lines that went back to the conversation
	Messages     int    // number of messages from cold storage
}

// Undo undoes the newest compaction of src, given the chunks that left in it. The bytes from before
// the compaction are restored exactly, and newer lines follow. A kept line that slid to the archive
// since is taken from there. The error is ErrNoCompaction, or a *ChangedError if a kept line or a
// chunk was edited or removed.
func Undo(src, archive []byte, chunks []schema.Chunk) (Undone, error) {
	src = bytes.TrimPrefix(src, []byte(bom))
	head, rest, _ := bytes.Cut(src, []byte("\n"))
	c, ok := LastCompaction(Read(head))
	if !ok {
		return Undone{}, ErrNoCompaction
	}
	u := undoing{
		c: c, lines: make([][]byte, c.Lines), rest: splitLines(rest), archive: splitLines(archive),
		chunks: slices.DeleteFunc(slices.Clone(chunks), func(c schema.Chunk) bool { return c.Part > 1 }), // the first piece has the line
	}
	if c.Lines != len(c.Kept)+len(u.chunks) {
		return Undone{}, u.changed("it had %d lines, of which %d were kept and %d are in cold storage", c.Lines, len(c.Kept), len(u.chunks))
	}
	err := u.putKept()
	if err == nil {
		err = u.putChunks()
	}
	if err != nil {
		return Undone{}, err
	}
	out := assemble(c, u.lines)
	if digest(out) != c.SHA256 {
		return Undone{}, u.edited()
	}
	newer := unused(u.rest)
	if c.Unterminated && len(newer) > 0 {
		out = append(out, '\n')
	}
	return Undone{append(out, newer...), unused(u.archive), len(u.chunks)}, nil
}

// An undoing holds the state of one call of Undo.
type undoing struct {
	c             Compaction
	lines         [][]byte // of the conversation before
	rest, archive []heldLine
	chunks        []schema.Chunk
}

// A heldLine is a line of a file with its line ending, until it is taken.
type heldLine struct {
	raw  []byte
	used bool
}

// text returns the line without its newline.
func (l heldLine) text() []byte { return bytes.TrimSuffix(l.raw, []byte("\n")) }

func splitLines(src []byte) (lines []heldLine) {
	for raw := range bytes.Lines(src) {
		lines = append(lines, heldLine{raw: raw})
	}
	return lines
}

// unused joins the lines that were not taken.
func unused(lines []heldLine) (out []byte) {
	for _, l := range lines {
		if !l.used {
			out = append(out, l.raw...)
		}
	}
	return out
}

func (u *undoing) changed(format string, args ...any) error {
	session := u.c.Session
	if !schema.ValidID(session) {
		session = "…"
	}
	return &ChangedError{u.c.ID, session, fmt.Sprintf(format, args...)}
}

// put puts a line at its former place, and reports whether that was free.
func (u *undoing) put(at int, raw []byte) bool {
	if at < 0 || at >= len(u.lines) || u.lines[at] != nil {
		return false
	}
	u.lines[at] = append([]byte{}, raw...)
	return true
}

// putKept puts back the lines that the compaction kept.
func (u *undoing) putKept() error {
	places := u.keptPlaces()
	for _, line := range places {
		if line != nil {
			line.used = true
		}
	}
	if missing := slices.Index(places, nil); missing >= 0 {
		return u.missing(places, missing)
	}
	for i, at := range u.c.Kept {
		if !u.put(at, places[i].text()) {
			return u.changed("its summary line says otherwise than when it was made")
		}
	}
	return nil
}

// keptPlaces returns the lines that the compaction kept, with nil for a line in neither file. Older
// versions stored no digests; their kept lines follow the summary.
func (u *undoing) keptPlaces() []*heldLine {
	places := make([]*heldLine, len(u.c.Kept))
	if len(u.c.Digests) != len(u.c.Kept) {
		for i := range min(len(places), len(u.rest)) {
			places[i] = &u.rest[i]
		}
		return places
	}
	found := map[string][]*heldLine{}
	for _, lines := range [][]heldLine{u.rest, u.archive} {
		for i := range lines {
			id := lineDigest(lines[i].text())
			found[id] = append(found[id], &lines[i])
		}
	}
	for i, id := range u.c.Digests {
		if of := found[id]; len(of) > 0 {
			places[i], found[id] = of[0], of[1:]
		}
	}
	return places
}

// missing returns the error for a kept line that is not found. It was edited if there is another
// line among the kept ones, and else removed.
func (u *undoing) missing(places []*heldLine, first int) error {
	other := slices.IndexFunc(u.rest, func(l heldLine) bool { return !l.used })
	between := other >= 0 && slices.ContainsFunc(u.rest[other:], func(l heldLine) bool { return l.used })
	behind := other >= 0 && !slices.ContainsFunc(places[first:], func(l *heldLine) bool { return l != nil })
	if !between && !behind {
		gone := 0
		for _, line := range places {
			if line == nil {
				gone++
			}
		}
		return u.changed("%d of the %d lines that were kept are missing", gone, len(places))
	}
	name := "which holds no message"
	if lines := Read(u.rest[other].text()); len(lines) == 1 && lines[0].Err == nil {
		name = "message " + text.Quote(lines[0].Message.ID, maxQuoted)
	}
	if between {
		return u.changed("line %d of the conversation, %s, was edited since", other+2, name)
	}
	return u.changed("a line that was kept was edited since, or removed: in its place is line %d of the conversation, %s", other+2, name)
}

// putChunks puts back the lines that are in cold storage.
func (u *undoing) putChunks() error {
	for _, chunk := range u.chunks {
		if !u.put(int(chunk.Line), original(chunk)) {
			return u.changed("chunk %s does not say where it stood", text.Quote(chunk.ChunkID, maxQuoted))
		}
	}
	return nil
}

// edited returns an error that names a chunk that differs from what left, if there is one.
func (u *undoing) edited() error {
	for _, chunk := range u.chunks {
		if chunk.ChunkID != chunkID(u.c.ID, int(chunk.Line), original(chunk)) {
			return u.changed("chunk %s in cold storage was edited since", text.Quote(chunk.ChunkID, maxQuoted))
		}
	}
	return u.changed("a line that was kept, or that is in cold storage, was edited since")
}

// original returns the line of the conversation that a chunk keeps, unchanged.
func original(chunk schema.Chunk) []byte {
	if bytes.HasPrefix(chunk.Message, []byte(`"`)) {
		if doc, err := jsonedit.Parse(chunk.Message); err == nil {
			line, _ := doc.Str(0)
			return []byte(line)
		}
		return nil
	}
	return chunk.Message
}

// MessageOfChunk returns the message that a chunk keeps. It reports false if it keeps none, as all but the
// first chunk of a long message.
func MessageOfChunk(chunk schema.Chunk) (schema.Message, bool) {
	lines := Read(original(chunk))
	if len(lines) != 1 || lines[0].Err != nil {
		return schema.Message{}, false
	}
	return *lines[0].Message, true
}

// assemble returns the conversation with these lines.
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
