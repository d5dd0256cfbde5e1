package session

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
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

// An Undone is a conversation without its newest compaction.
type Undone struct {
	Conversation []byte // as it was before the compaction, then the newer lines
	Archive      []byte // without the lines that the conversation took back
	Messages     int    // how many came back from cold storage
}

// Undo undoes the newest compaction of src, given the chunks that left then.
// The bytes before the compaction are restored exactly; newer lines are kept after
// them. A line that the compaction kept is taken back from archive if it slid there
// since. The error is ErrNoCompaction, or a *Changed if a line that was kept, or a
// chunk, was edited or removed.
func Undo(src, archive []byte, chunks []schema.Chunk) (Undone, error) {
	src = bytes.TrimPrefix(src, []byte(bom))
	head, rest, _ := bytes.Cut(src, []byte("\n"))
	c, ok := LastCompaction(Read(head))
	if !ok {
		return Undone{}, ErrNoCompaction
	}
	u := undoing{
		c: c, lines: make([][]byte, c.Lines), rest: splitLines(rest), archive: splitLines(archive),
		chunks: slices.DeleteFunc(slices.Clone(chunks), func(c schema.Chunk) bool { return c.Part > 1 }), // the first has the line
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

// An undoing is the undoing of a compaction under way.
type undoing struct {
	c             Compaction
	lines         [][]byte // of the conversation before
	rest, archive []heldLine
	chunks        []schema.Chunk
}

// A heldLine is a line of a file, with its line ending, until it is taken out.
type heldLine struct {
	raw  []byte
	used bool
}

// text is the line without its newline.
func (l heldLine) text() []byte { return bytes.TrimSuffix(l.raw, []byte("\n")) }

func splitLines(src []byte) (lines []heldLine) {
	for raw := range bytes.Lines(src) {
		lines = append(lines, heldLine{raw: raw})
	}
	return lines
}

// unused joins the lines that were not taken out.
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
	return &Changed{u.c.ID, session, fmt.Sprintf(format, args...)}
}

// put puts a line where it stood, and reports whether that place was free.
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

// keptPlaces finds the lines that the compaction kept, nil for one that is in
// neither file. An older version noted no digests: they stand behind the summary.
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

// missing says what became of a kept line that is not found: edited, if another
// line stands among those that were kept, or removed.
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
		name = "message " + cut(lines[0].Message.ID)
	}
	if between {
		return u.changed("line %d of the conversation, %s, was edited since", other+2, name)
	}
	return u.changed("a line that was kept was edited since, or removed: in its place is line %d of the conversation, %s", other+2, name)
}

// putChunks puts back the lines that left for cold storage.
func (u *undoing) putChunks() error {
	for _, chunk := range u.chunks {
		if !u.put(int(chunk.Line), original(chunk)) {
			return u.changed("chunk %s does not say where it stood", cut(chunk.ChunkID))
		}
	}
	return nil
}

// edited names the chunk that is not what left, if one is.
func (u *undoing) edited() error {
	for _, chunk := range u.chunks {
		if chunk.ChunkID != chunkID(u.c.ID, int(chunk.Line), original(chunk)) {
			return u.changed("chunk %s in cold storage was edited since", cut(chunk.ChunkID))
		}
	}
	return u.changed("a line that was kept, or that is in cold storage, was edited since")
}

// original is the conversation's line that a chunk keeps, as it stood.
func original(chunk schema.Chunk) []byte {
	if bytes.HasPrefix(chunk.Message, []byte(`"`)) {
		return jsonedit.Unquote(chunk.Message)
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
