package session

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// pieceLength is the approximate length of a chunk of a long message, in bytes, about 500 tokens. A
// message of up to twice that length becomes one chunk.
const pieceLength = 2 << 10

// pieces splits the text of a long message into passages. Joined they are the text.
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

// inPieces returns the chunks for a message: one, or for a long message one for each piece, of
// which the first has the whole message. The tokens are divided in proportion to the lengths.
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
