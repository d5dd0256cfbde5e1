package engine

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/templates"
)

// A retelling is a compaction whose summary the user's summarizer may retell.
type retelling struct {
	id           string
	conversation string // name of the file that the summary stands at the head of
	file         string // and of the one that keeps summaries; "" for none
	text         string // what the summarizer is given
	room         int    // tokens that an overview may cost in the conversation
}

// toRetell is what a summarizer is given of a compaction: the summary made by rules
// and what left.
func (r *round) toRetell(done Compacted, o compact.Options, conversation string, lines []session.Line) *retelling {
	if r.tree.edge.Summarise == nil {
		return nil
	}
	left := map[int]bool{}
	for _, s := range done.Steps {
		left[s.Index] = s.Verdict != compact.Kept
	}
	var said []byte
	n := 0
	for _, line := range lines {
		if line.Err != nil {
			continue
		}
		if left[n] {
			said = append(append(said, line.Raw...), '\n')
		}
		n++
	}
	room := r.knobs.SummaryTargetTokens
	if o.Budget > 0 {
		room = min(room, o.Budget-done.TokensAfter)
	}
	return &retelling{done.ID, conversation, done.Summary, session.Transcript([]byte(done.Plan.Summary), said), room}
}

// retell has the summary of a compaction retold by the user's summarizer, outside
// of any lock. The summary as it stands is good without it. An overview that costs
// more than there is room for goes to the file of summaries alone.
func (t *Tree) retell(ctx context.Context, x retelling) error {
	text, label, err := t.edge.Summarise(ctx, x.text)
	if err != nil || text == "" {
		return err
	}
	overview := fmt.Sprintf("%s\n\n_By %s._", text, label)
	if x.file != "" {
		err := t.Update(ctx, x.file, func(old []byte) ([]byte, error) {
			return templates.AddSection(old, "Session summary", "Overview of compaction "+x.id, overview), nil
		})
		if err != nil {
			return err
		}
	}
	cost := t.counter.Count(overview + "\n\n")
	if cost > x.room {
		return nil
	}
	return t.Update(ctx, x.conversation, func(old []byte) ([]byte, error) {
		return session.Retold(old, x.id, overview, cost)
	})
}
