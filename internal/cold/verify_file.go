package cold

import (
	"fmt"
	"path"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A placedChunk is a chunk with its place.
type placedChunk struct {
	schema.Chunk
	place
	strange bool // its id does not follow from its message
}

// file checks a file of chunks. If none of its chunks keeps a message, another program wrote the
// file, and its chunks are checked one by one only.
func (v *verification) file(name string, src []byte) {
	session, compaction := path.Base(path.Dir(name)), strings.TrimSuffix(path.Base(name), ".jsonl")
	there := map[int]bool{}
	v.left[session+"/"+compaction] = there
	var chunks []placedChunk
	ours := false
	for line := range jsonedit.Lines(src) {
		at := place{name, line.Number}
		c, err := decode(line.Text)
		if err != nil {
			v.fault(at, "the other chunks of the file are not touched by it; what the line should hold, a backup may have", "no chunk: %w", err)
			continue
		}
		v.count.Chunks++
		if before, twice := v.places[c.ChunkID]; twice {
			v.fault(at, "one of the two lines can go", "chunk %s stands at %s:%d already", c.ChunkID, before.name, before.line)
			continue
		}
		v.places[c.ChunkID] = at
		v.members(at, c, session)
		v.recordCompaction(at, original(c))
		chunks = append(chunks, placedChunk{Chunk: c, place: at})
		ours = ours || len(c.Message) > 0
	}
	if ours {
		v.whole(chunks, compaction, there)
	}
}

// members checks the members of a chunk.
func (v *verification) members(at place, c schema.Chunk, session string) {
	if c.SessionID != "" && c.SessionID != session {
		v.fault(at, "the folder that a file of chunks is in is its session", "chunk %s is of session %.60q, and is in the folder of %s", c.ChunkID, c.SessionID, session)
	}
	if c.RecoverableUntil != "" {
		if _, err := schema.ParseTime(c.RecoverableUntil); err != nil {
			v.fault(at, "until that is mended it is kept forever", "chunk %s: recoverable_until: %w", c.ChunkID, err)
		}
	}
	if c.Timestamp != "" {
		if _, err := schema.ParseTime(c.Timestamp); err != nil {
			v.fault(at, "among equals it comes last", "chunk %s: timestamp: %w", c.ChunkID, err)
		}
	}
}

// whole checks the chunks of a compaction against the messages that they keep, and adds their lines
// to there.
func (v *verification) whole(chunks []placedChunk, compaction string, there map[int]bool) {
	messages := map[int][]placedChunk{} // by their lines
	var order []int
	for _, c := range chunks {
		line := int(c.Line)
		if messages[line] == nil {
			order = append(order, line)
		}
		messages[line] = append(messages[line], c)
	}
	var strange []*placedChunk
	for _, line := range order {
		parts := messages[line]
		for i := range parts {
			if parts[i].Part <= 1 && len(parts[i].Message) > 0 {
				there[line] = true
			}
		}
		strange = append(strange, v.identify(parts, compaction)...)
	}
	if len(strange) == len(chunks) && len(chunks) > 1 {
		v.fault(place{chunks[0].name, 0}, "the name of the file is its compaction: it may have been renamed",
			"no chunk's id follows from compaction %s and the message it keeps", compaction)
	} else {
		for _, c := range strange {
			v.fault(c.place, "it says something else than what left; the line as it was, a backup may have",
				"chunk %s was edited: its id does not follow from its compaction, its line and its message", c.ChunkID)
		}
	}
	for _, line := range order {
		v.message(messages[line])
	}
}

// identify marks and returns the chunks of one message whose ids do not follow from it.
func (v *verification) identify(parts []placedChunk, compaction string) (strange []*placedChunk) {
	var raw []byte
	for _, c := range parts {
		if c.Part <= 1 && len(c.Message) > 0 {
			raw = original(c.Chunk)
		}
	}
	if raw == nil {
		return nil
	}
	for i := range parts {
		if c := &parts[i]; c.ChunkID != ID(compaction, int(c.Line), raw, int(c.Part)) {
			c.strange = true
			strange = append(strange, c)
		}
	}
	return strange
}

// message checks the chunks of one message: its passages, or a single chunk.
func (v *verification) message(chunks []placedChunk) {
	first := chunks[0]
	parts := make([]*placedChunk, max(1, min(int(first.Parts), len(chunks)+1)))
	for i := range chunks {
		c := &chunks[i]
		n := int(max(c.Part, 1)) - 1
		switch {
		case c.Parts != first.Parts || c.Part > c.Parts || c.Part == 0 && c.Parts > 0:
			v.fault(c.place, "passages are counted from 1, and all of a message say how many there are", "chunk %s is passage %d of %d", c.ChunkID, c.Part, c.Parts)
			return
		case n < len(parts) && parts[n] != nil:
			v.fault(c.place, "a line of a conversation left once", "chunk %s stands for the same as chunk %s: line %d, passage %d", c.ChunkID, parts[n].ChunkID, c.Line+1, n+1)
			return
		case n < len(parts):
			parts[n] = c
		}
	}
	var said strings.Builder
	for n, c := range parts {
		if c == nil {
			hint := "its first passage keeps the whole message: 'forgemind uncompact' brings it back"
			if n == 0 {
				hint = "the first passage kept the message; a backup may have the line"
			}
			v.fault(first.place, hint, "passage %d of %d of a message is missing, of which chunk %s is passage %d", n+1, first.Parts, first.ChunkID, first.Part)
			return
		}
		said.WriteString(c.Content)
	}
	v.content(parts[0], said.String())
}

// content checks that the message that a chunk keeps has the text said.
func (v *verification) content(c *placedChunk, said string) {
	if c.strange {
		return // reported already
	}
	if len(c.Message) == 0 {
		v.fault(c.place, "without it the compaction cannot be taken back; a backup may have the line", "chunk %s keeps no message", c.ChunkID)
		return
	}
	var m struct {
		Content *string `json:"content"`
	}
	switch err := jsonedit.Decode(original(c.Chunk), &m); {
	case err != nil:
		v.fault(c.place, "", "chunk %s: its message: %w", c.ChunkID, err)
	case m.Content == nil || *m.Content != said:
		what := "chunk %s was edited: it does not say what the message says that it keeps"
		if c.Parts > 0 {
			what = "chunk %s, or a passage that follows it, was edited: together they do not say what the message says"
		}
		v.fault(c.place, "the message is as it left, for the id follows from it: 'forgemind uncompact' brings it back", what, c.ChunkID)
	}
}

// ID returns the id of a chunk. For a passage of a long message, part is its number from 1;
// otherwise it is 0. The argument raw is the line of the conversation.
func ID(compaction string, line int, raw []byte, part int) string {
	id := schema.DerivedID("chunk-", fmt.Appendf(nil, "%s %d %s", compaction, line, raw))
	if part > 1 {
		id = schema.DerivedID("chunk-", fmt.Appendf(nil, "%s %d", id, part))
	}
	return id
}

// original returns the line of the conversation that a chunk keeps, unchanged.
func original(c schema.Chunk) []byte {
	if len(c.Message) > 0 && c.Message[0] == '"' {
		var line string
		if jsonedit.Decode(c.Message, &line) == nil {
			return []byte(line)
		}
	}
	return c.Message
}
