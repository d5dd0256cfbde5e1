package schema

import "encoding/json"

// A Chunk is a piece of a conversation in cold storage.
type Chunk struct {
	ChunkID          string  `json:"chunk_id"`
	SessionID        string  `json:"session_id,omitzero"`
	Timestamp        string  `json:"timestamp,omitzero"`
	Content          string  `json:"content"`
	Tokens           Int     `json:"tokens"`
	Counter          string  `json:"counter,omitzero"` // the name of the token counter
	DropReason       string  `json:"drop_reason,omitzero"`
	RelevanceScore   float64 `json:"relevance_score"` // ratio
	PromptAtDrop     string  `json:"prompt_at_drop,omitzero"`
	RecoverableUntil string  `json:"recoverable_until,omitzero"`
	// Message is the line of the conversation: the object, or a string with the line if
	// writing the object would change its bytes.
	Message json.RawMessage `json:"message,omitzero"`
	Line    Int             `json:"line"` // the number of the line before the compaction, from 0

	MessageID string `json:"message_id,omitzero"`
	// A long message has a chunk for each passage: Part counts from 1, and the first
	// chunk has Message. Part is 0 if the chunk is a whole message.
	Part  Int `json:"part,omitzero"`
	Parts Int `json:"parts,omitzero"`
	// The parts of RelevanceScore; absent if nothing was compared with a prompt.
	Similarity *float64 `json:"similarity,omitzero"` // ratio
	Hours      *float64 `json:"hours,omitzero"`      // age
	Important  bool     `json:"important,omitzero"`
}
