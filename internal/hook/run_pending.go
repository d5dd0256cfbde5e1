package hook

import (
	"context"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
)

const (
	mostMemories = 256            // that are kept
	longAbsence  = 24 * time.Hour // after which nothing more is expected in a transcript that was read to its end
)

// catchUp takes in what sessions left to be taken in, the latest first, and reports
// whether somebody said anything there. It takes up to a third of the hook's time.
// Memories that are too many are forgotten, the oldest first.
func (r *running) catchUp(ctx context.Context, tree *engine.Tree) (said bool) {
	stamps, err := r.memories.slots()
	if err != nil || len(r.memories.key) == 0 {
		return false
	}
	most := r.call.Within / 3
	began := time.Now()
	within, cancel := context.WithDeadline(ctx, began.Add(most))
	defer cancel()
	var old []string
	for i, s := range stamps {
		if time.Since(began) > most/2 { // what is begun is to have some time
			break
		}
		m, ok, err := r.memories.read(s.Name)
		if err != nil {
			continue // it may hold something
		}
		if ok && r.sayFor(within, tree, &m) {
			said = true
		}
		keep := ok && len(m.Unsaid) > 0
		if ok && !keep && m.Pending != "" {
			var heard bool
			heard, keep = r.readFor(within, tree, &m, began.Add(most/2))
			said = said || heard
		}
		if i >= mostMemories && !keep {
			old = append(old, s.Name)
		}
	}
	r.forget(ctx, tree, old)
	return said
}

// forget removes memories.
func (r *running) forget(ctx context.Context, tree *engine.Tree, names []string) {
	if len(names) == 0 {
		return
	}
	_, err := tree.Transaction(ctx, func(tx *fs.Tx) error {
		for _, name := range names {
			tx.Remove(name)
		}
		return nil
	})
	r.fail(err)
}

// sayFor says what the session of m left unsaid, and reports whether it said anything. A
// session that goes on does not say it again, for it is known by its id.
func (r *running) sayFor(ctx context.Context, tree *engine.Tree, m *memory) bool {
	if len(m.Unsaid) == 0 {
		return false
	}
	done := r.sayAll(ctx, tree, m.Unsaid)
	m.forgetUnsaid(done)
	_, err := r.memories.change(context.WithoutCancel(ctx), m.Session, func(now *memory) { now.forgetUnsaid(done) })
	r.fail(err)
	return len(done) > 0
}

// readFor takes in what the transcript of m's session holds behind what was read of it. It
// reports whether somebody said anything there, and whether more is expected soon.
func (r *running) readFor(ctx context.Context, tree *engine.Tree, m *memory, until time.Time) (said, more bool) {
	before := m.progress
	t := r.takeIn(ctx, tree, m, until)
	r.fail(t.faults...)
	over := r.since(before.Pending) >= longAbsence
	if t.whole && over {
		m.Pending = ""
	}
	more = !t.whole && !over
	if m.progress == before {
		return false, more
	}
	_, err := r.memories.change(context.WithoutCancel(ctx), m.Session, func(now *memory) {
		expected := now.Pending
		if !now.goOn(t.was, m.progress) {
			return
		}
		if expected != before.Pending { // it went on meanwhile
			now.Pending = expected
		}
		now.follow(t.hearing, "", false)
	})
	r.fail(err)
	return len(t.turns)+len(t.decided) > 0, more
}
