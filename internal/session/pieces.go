package session

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// pieceLength is about how long a chunk of a long message is, in bytes, some 500
// tokens; a message of up to twice that leaves in one chunk.
const pieceLength = 2 << 10

// pieces parts the text of a long message at its passages; together they are the
// text, byte for byte.
func pieces(text string) []string {
	whole := []string{text}
	if len(text) <= 2*pieceLength {
		return whole
	}
	var out []string
	start, end := 0, 0
	for _, passage := range relevance.Passages(text) {
		if end > start && end-start+len(passage) > pieceLength {
			out = append(out, text[start:end])
			start = end
		}
		end += len(passage)
	}
	if end != len(text) || start == 0 {
		return whole
	}
	return append(out, text[start:])
}

// inPieces is the chunk of a message as the chunks that cold storage keeps of it:
// itself, or one for each piece of a long text, of which the first has the
// message. Their tokens are shared out by how long they are.
func inPieces(chunk schema.Chunk) []schema.Chunk {
	texts := pieces(chunk.Content)
	if len(texts) == 1 {
		return []schema.Chunk{chunk}
	}
	chunks := make([]schema.Chunk, len(texts))
	total, length, told, passed := int(chunk.Tokens), len(chunk.Content), 0, 0
	for i, text := range texts {
		c := chunk
		c.Content, c.Part, c.Parts = text, schema.Int(i+1), schema.Int(len(texts))
		passed += len(text)
		c.Tokens = schema.Int(total*passed/length - told)
		told += int(c.Tokens)
		if i > 0 {
			c.Message = nil
			c.ChunkID = schema.DerivedID("chunk-", fmt.Appendf(nil, "%s %d", chunk.ChunkID, i+1))
		}
		chunks[i] = c
	}
	return chunks
}
