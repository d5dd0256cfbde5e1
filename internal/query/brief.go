package query

import (
	"context"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/tokens"
)

// A BriefQuery selects the subject and the size of a brief.
type BriefQuery struct {
	MaxTokens int    // below 1 it is brief.DefaultTokens
	Counter   string // one of package tokens; "" is the default
	Project   string // only its decisions and constraints: a folder, an id, a name or unique text of it; "" is all
	// Count replaces Counter, for limits in other units than tokens.
	Count func(text string) int
	Ways  brief.Ways // to details without room; brief.Commands by default
	// NoTalk leaves out the last conversation, for a reader who gets it separately.
	NoTalk bool
}

// Brief returns a Selection on one screen, for the start of a session. It writes nothing but
// derived indexes. The brief lists faults of the tree's documents; errors are those of ctx, of
// an unknown counter, and the *session.UnknownError or *session.AmbiguousError of a project.
func Brief(ctx context.Context, tree *fs.Tree, q BriefQuery) (brief.Brief, error) {
	o := brief.Options{MaxTokens: q.MaxTokens, Count: q.Count, Ways: q.Ways, NoTalk: q.NoTalk}
	if o.Count == nil {
		counter, err := tokens.New(q.Counter)
		if err != nil {
			return brief.Brief{}, err
		}
		o.Count = counter.Count
		if counter.Name() == tokens.Default { // other counters do not count line by line
			lines := newLineCounter(tree, counter)
			o.Count = lines.Count
			defer lines.keep()
		}
	}
	s, err := Select(ctx, tree, Need{Project: q.Project})
	if err != nil {
		return brief.Brief{}, err
	}
	return brief.Make(s.Records, o), nil
}
