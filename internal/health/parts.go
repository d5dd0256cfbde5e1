package health

import (
	"maps"
	"slices"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A Part is something that fills the window.
type Part struct {
	Name   string `json:"name"`
	Tokens int    `json:"tokens"`
}

// Names of Parts, beside those that the State's other_tokens has.
const (
	SystemPart       = "system"       // the system prompt, as other_tokens says
	ArtifactsPart    = "artifacts"    // those that are loaded
	HotPart          = "hot_context"  // of a session
	MessagesPart     = "messages"     // of the live conversation
	SummariesPart    = "summaries"    // what stands there for messages that left
	UnattributedPart = "unattributed" // what nothing accounts for
)

// parts are what fills the State's window of used tokens: what its other_tokens
// say, its artifacts and the conversation as it is now.
func parts(s schema.State, talk session.Tally, used int) []Part {
	other := map[string]schema.Int{}
	if s.ContextWindow != nil {
		other = s.ContextWindow.OtherTokens
	}
	list := []Part{{SystemPart, int(other[SystemPart])}}
	for _, name := range slices.Sorted(maps.Keys(other)) {
		switch name {
		case SystemPart, MessagesPart, UnattributedPart:
		default:
			list = append(list, Part{name, int(other[name])})
		}
	}
	messages := int(other[MessagesPart])
	if talk.Messages > 0 {
		messages = talk.Tokens - talk.Summaries
	}
	list = append(list, Part{ArtifactsPart, loaded(s)}, Part{MessagesPart, messages}, Part{SummariesPart, talk.Summaries})
	return unexplained(list, used)
}

// unexplained adds what list does not account for.
func unexplained(list []Part, used int) []Part {
	for _, p := range list {
		used -= p.Tokens
	}
	if used > 0 {
		list = append(list, Part{UnattributedPart, used})
	}
	return list
}
