package health

import (
	"maps"
	"slices"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A Part is a part of the content of the window.
type Part struct {
	Name   string `json:"name"`
	Tokens int    `json:"tokens"`
}

// Names of Parts, besides those of the State's other_tokens.
const (
	SystemPart       = "system"       // the system prompt, from other_tokens
	ArtifactsPart    = "artifacts"    // loaded artifacts
	HotPart          = "hot_context"  // the hot context of a session
	MessagesPart     = "messages"     // the messages of the live conversation
	SummariesPart    = "summaries"    // the summaries of messages that left the conversation
	UnattributedPart = "unattributed" // the rest
)

// parts returns the Parts of the State's window with the given used tokens: its
// other_tokens, its artifacts and the current conversation.
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

// unexplained adds a Part for the tokens that list does not cover.
func unexplained(list []Part, used int) []Part {
	for _, p := range list {
		used -= p.Tokens
	}
	if used > 0 {
		list = append(list, Part{UnattributedPart, used})
	}
	return list
}
