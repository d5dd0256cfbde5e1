package schema

import "encoding/json"

// A Chunk is a piece of a conversation in cold storage.
type Chunk struct {
	ChunkID          string  `json:"chunk_id"`
	SessionID        string  `json:"session_id,omitzero"`
	Timestamp        string  `json:"timestamp,omitzero"`
	Content          string  `json:"content"`
	Tokens           Int     `json:"tokens"`
	Counter          string  `json:"counter,omitzero"` // what counted the tokens
	DropReason       string  `json:"drop_reason,omitzero"`
	RelevanceScore   float64 `json:"relevance_score"` // ratio
	PromptAtDrop     string  `json:"prompt_at_drop,omitzero"`
	RecoverableUntil string  `json:"recoverable_until,omitzero"`
	// Message is the conversation's line as it stood: the object, or a string
	// that holds the line where writing the object would change its bytes.
	Message json.RawMessage `json:"message,omitzero"`
	Line    Int             `json:"line"` // its number before the compaction, from 0

	MessageID string `json:"message_id,omitzero"`
	// Of a long message each passage is a chunk of its own: Part counts from 1, and
	// the first has Message. 0: the chunk is the message.
	Part  Int `json:"part,omitzero"`
	Parts Int `json:"parts,omitzero"`
	// What RelevanceScore came from; absent where nothing was compared with a prompt.
	Similarity *float64 `json:"similarity,omitzero"` // ratio
	Hours      *float64 `json:"hours,omitzero"`      // age
	Important  bool     `json:"important,omitzero"`
}
