package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

// publish reports what was written, and does the work that follows outside of the lock:
// summaries are rewritten, and copies are made.
func (t *Tree) publish(ctx context.Context, changes []fs.Change, done result) Outcome {
	out := done.out
	if t.edge.Summarise != nil && !t.DryRun {
		t.rewriteSummaries(ctx, &out, done)
	}
	changed := map[string]bool{}
	for _, c := range changes {
		if !fs.IsLocal(c.Name) {
			out.Changes = append(out.Changes, c)
			changed[c.Name] = true
		}
	}
	for _, f := range out.Fired { // what did not change was not written
		for i := range f.Actions {
			f.Actions[i].Wrote = slices.DeleteFunc(f.Actions[i].Wrote, func(name string) bool { return !changed[name] })
		}
	}
	t.copyOut(ctx, &out, done.copies)
	return out
}

// rewriteSummaries runs the user's summarizer on the new summaries. Of a long import,
// only the newest session's summary is rewritten.
func (t *Tree) rewriteSummaries(ctx context.Context, out *Outcome, done result) {
	tell := func(id string, err error) {
		if err != nil {
			out.Notes = append(out.Notes, fmt.Sprintf("the summary of %s was not rewritten: %v", id, err))
		}
	}
	if n := len(done.summarised); n > 0 {
		tell(done.summarised[n-1], t.rewriteOverview(ctx, done.summarised[n-1]))
	}
	if done.retold != nil {
		tell(done.retold.id, t.rewriteSummary(ctx, *done.retold))
	}
}
