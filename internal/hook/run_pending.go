package hook

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

const (
	mostMemories = 256             // that are kept
	longSilence  = 5 * time.Minute // after which a session is not expected to go on by itself
	longAbsence  = 24 * time.Hour  // after which a transcript that cannot be read is not expected any more
)

// catchUp takes in what all sessions left to be taken in, the latest first, and reports
// whether there was anything. Memories that are too many are forgotten, the oldest first.
func (r *running) catchUp(ctx context.Context, tree *engine.Tree) (any bool) {
	stamps, _, err := tree.Stamps(fs.LocalName(folderOf(tree.Tree)))
	if err != nil || len(r.memories.key) == 0 {
		return false
	}
	stamps = slices.DeleteFunc(stamps, func(s fs.Stamp) bool { return !strings.HasPrefix(path.Base(s.Name), slotPrefix) })
	slices.SortFunc(stamps, func(a, b fs.Stamp) int { return cmp.Compare(b.Written, a.Written) })
	until := time.Now().Add(r.call.Within / 3)
	var old []string
	for i, s := range stamps {
		taken, left := r.catchUpWith(ctx, tree, s.Name, until)
		any = any || taken
		if i >= mostMemories && !left {
			old = append(old, s.Name)
		}
	}
	if len(old) == 0 {
		return any
	}
	_, err = tree.Transaction(ctx, func(tx *fs.Tx) error {
		for _, name := range old {
			tx.Remove(name)
		}
		return nil
	})
	r.fail(err)
	return any
}

// catchUpWith takes in what the session left whose memory stands at name: what it heard and
// did not say, and then what its transcript holds behind what was read. It reports whether
// there was anything, and whether something is left.
func (r *running) catchUpWith(ctx context.Context, tree *engine.Tree, name string, until time.Time) (taken, left bool) {
	if src, err := tree.Read(name); err != nil || !bytes.Contains(src, []byte(`"unsaid"`)) && !bytes.Contains(src, []byte(`"pending"`)) {
		return false, fs.Unread(err) // it may hold something
	}
	m, ok, err := r.memories.read(name)
	if !ok || err != nil {
		return false, err != nil
	}
	own := m.Session == r.payload.session
	if len(m.Unsaid) > 0 {
		if m.Pending == "" && !own && r.since(m.Last.At) < longSilence {
			return false, true // it says that itself
		}
		done := r.sayAll(ctx, tree, m.Unsaid)
		m.forgetUnsaid(done)
		r.fail(r.memories.remember(ctx, m.Session, func(m *memory) { m.forgetUnsaid(done) }))
		if taken, left = len(done) > 0, len(m.Unsaid) > 0; left { // the transcript says it again, and would not be known again
			return taken, true
		}
	}
	within := time.Until(until)
	if m.Pending == "" || within <= 0 {
		return taken, m.Pending != ""
	}
	before := m.progress
	heard, faults := r.takeIn(ctx, tree, &m, within)
	r.fail(faults...)
	quiet := r.since(m.Pending) >= longAbsence
	if m.progress == before {
		if !quiet || m.Head == "" { // it was never there
			return taken, !quiet
		}
		m.Pending = ""
	}
	r.fail(r.memories.remember(ctx, m.Session, func(now *memory) {
		now.follow(heard, "", false)
		if now.Transcript == before.Transcript && now.Offset == before.Offset { // else it was read on meanwhile
			now.progress = m.progress
		}
	}))
	return taken || m.Offset != before.Offset, !quiet
}

// since returns how long ago a time is, which may be ahead where a clock was set back.
func (r *running) since(at string) time.Duration {
	t, err := schema.ParseTime(at)
	if err != nil {
		return longAbsence
	}
	return r.call.Edge.Now().Sub(t).Abs()
}
