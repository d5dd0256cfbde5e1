package session

import (
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// Summarise works out the summary of a session, tier 3 of the Quaid document:
// objective, progress, key decisions, critical context. messages are all of the
// session's in order of time. It is extractive, and each line names the message
// or the document it comes from. Of too much to say it keeps what is newest and
// matters most: about 500 to 1,000 tokens.
func Summarise(id string, hot schema.HotContext, about schema.SessionMetadata, messages []schema.Message, standing schema.Standing) templates.SessionSummary {
	panic("not built")
}
