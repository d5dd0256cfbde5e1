package compact

import (
	"bytes"
	"encoding/json"

	"github.com/forgemind/forgemind/schema"
)

// Pinned says whether a message stays whatever it scores: its metadata say
// `"pinned": true`, or its priority is critical. A summary is none, for the next
// one takes its place.
func Pinned(m schema.Message) bool {
	if m.Kind == Summary {
		return false
	}
	if plain(m.Priority) == "critical" {
		return true
	}
	if !bytes.Contains(m.Metadata, []byte("pinned")) { // spares nearly all messages the reading
		return false
	}
	var in struct {
		Pinned any `json:"pinned"`
	}
	return json.Unmarshal(m.Metadata, &in) == nil && in.Pinned == true
}
