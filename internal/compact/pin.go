package compact

import (
	"bytes"
	"encoding/json"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/schema"
)

// Pinned reports whether a message stays whatever its score: its metadata contain
// `"pinned": true`, or its priority is critical. A summary is never pinned, because the
// next summary replaces it.
func Pinned(m schema.Message) bool {
	if m.Kind == Summary {
		return false
	}
	if plain(m.Priority) == "critical" {
		return true
	}
	if !bytes.Contains(m.Metadata, []byte("pinned")) { // most messages need not be decoded
		return false
	}
	var in struct {
		Pinned any `json:"pinned"`
	}
	return json.Unmarshal(m.Metadata, &in) == nil && in.Pinned == true
}

// rememberMost is the length in bytes of a message up to which a request to remember it
// counts. A longer text is a document that may contain such words.
const rememberMost = 2000

// markedImportant reports whether somebody marked m as important: by `"important": true`
// in its metadata, a priority of high or above, an importance of at least 0.7 that was
// given and not derived, or a user's request to remember it. The context plan keeps such
// messages.
func (m *message) markedImportant() bool {
	if m.kind == Summary || m.kind == ToolOutput {
		return false
	}
	var in struct {
		Important any `json:"important"`
		Reasons   any `json:"importance_reasons"`
	}
	if len(m.Metadata) > 0 && bytes.Contains(m.Metadata, []byte("importan")) && json.Unmarshal(m.Metadata, &in) == nil && in.Important == true {
		return true
	}
	switch plain(m.Priority) {
	case "high", "critical", "urgent", "p0":
		return true
	}
	if m.Importance != nil && *m.Importance >= 0.7 && in.Reasons == nil {
		return true
	}
	return m.user && len(m.Content) <= rememberMost && extract.AsksToRemember(m.Content)
}
