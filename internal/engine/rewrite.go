package engine

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/templates"
)

// A summaryRewrite is a compaction whose summary the user's summarizer may rewrite.
type summaryRewrite struct {
	id           string
	conversation string // name of the file that begins with the summary
	file         string // name of the file that keeps summaries; "" for none
	text         string // input of the summarizer
	room         int    // the most tokens of an overview in the conversation
}

// newSummaryRewrite returns the input of a summarizer for a compaction: the summary
// made by rules and the messages that left.
func (r *WorkingSet) newSummaryRewrite(done Compacted, o compact.Options, conversation string, lines []session.Line) *summaryRewrite {
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
	return &summaryRewrite{done.ID, conversation, done.Summary, session.Transcript([]byte(done.Plan.Summary), said), room}
}

// rewriteSummary runs the user's summarizer on the summary of a compaction, outside of
// any lock. The summary is complete without it. An overview with more tokens than
// x.room goes to the file of summaries alone.
func (t *Tree) rewriteSummary(ctx context.Context, x summaryRewrite) error {
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
		return session.AddOverview(old, x.id, overview, cost)
	})
}
