package fs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"slices"
	"time"
)

// rounds is the number of times that an edit runs on newer bytes before the transaction
// fails.
const rounds = 8

// errChanged is the error if a name changed after the edit read it.
var errChanged = errors.New("changed meanwhile")

// A write is a change of one name that is to be published.
type write struct {
	name string
	kind kind
	over version // the content that is expected there
	data []byte
	mode iofs.FileMode
	view viewKind
}

// An attempts holds the results of earlier rounds of a transaction that were published
// before a save was found that the edit has not seen.
type attempts struct {
	live  map[string]version // the contents that those rounds wrote
	input map[string]version // the contents that the next round reads instead
}

// Transaction runs edit under the lock and publishes its staged changes, all or
// nothing. edit may run several times: it must depend only on what it reads through tx.
// Staging unchanged bytes is not a change. Without any change nothing is written and
// the result is nil. The error is ErrBusy if a lock or a file did not become free, and
// ErrNoTree if the tree has no folder.
func (t *Tree) Transaction(ctx context.Context, edit func(*Tx) error) ([]Change, error) {
	deadline := time.Now().Add(patience)
	if t.DryRun {
		tx := t.begin(&attempts{}, func(name string, _ version) (version, error) {
			return t.settle(ctx, name, deadline)
		})
		changes, _, err := tx.run(edit)
		return changes, err
	}
	for {
		changes, saving, err := t.attempt(ctx, deadline, edit)
		if saving == "" {
			return changes, err
		}
		// An editor is saving: wait without the locks, then begin again.
		if _, err := t.settle(ctx, saving, deadline); err != nil && !errors.Is(err, ErrUnsettled) {
			return nil, err
		}
	}
}

// attempt runs the transaction once under the locks. If saving is set, it names a file
// in the middle of a save; the transaction must wait for it, and nothing was written.
func (t *Tree) attempt(ctx context.Context, deadline time.Time, edit func(*Tx) error) (changes []Change, saving string, err error) {
	h, err := t.takeTurn(ctx, deadline)
	if err != nil {
		return nil, "", err
	}
	defer h.end()
	p := &attempts{live: map[string]version{}, input: map[string]version{}}
	wait := func(name string, v version) (version, error) {
		if len(p.live) > 0 { // the transaction can no longer be canceled
			return t.settle(ctx, name, time.Now().Add(patience))
		}
		if time.Now().Before(deadline) {
			saving = name
		}
		return v, fmt.Errorf("%s: %w", name, ErrUnsettled)
	}
	for round := range rounds {
		tx := t.begin(p, wait)
		changes, writes, err := tx.run(edit)
		if saving != "" {
			return nil, saving, nil
		}
		if err != nil {
			return nil, "", errors.Join(err, h.undo(ctx, p))
		}
		if err := h.keepAside(tx.asides, len(writes) > 0); err != nil {
			return nil, "", errors.Join(err, h.undo(ctx, p))
		}
		writes, views := splitViews(writes, round)
		if h.previous == "" && len(writes) == 0 {
			return h.finish(tx, views, changes), "", nil
		}
		h.overwritten(tx, writes)
		conflicts, err := h.publish(ctx, writes)
		var open *savingError
		var unfinished *unfinishedError
		switch {
		case errors.As(err, &unfinished):
			return nil, "", err
		case errors.As(err, &open):
			saving = open.name
			return nil, saving, nil
		case errors.Is(err, errChanged):
			p.forget(h)
		case err != nil:
			h.litter = true
			return nil, "", errors.Join(err, h.undo(ctx, p))
		case len(conflicts) == 0:
			t.knowAll(writes)
			return append(h.finish(tx, views, changes), h.created...), "", nil
		default:
			p.add(tx, writes, conflicts)
		}
	}
	if len(p.live) == 0 {
		return nil, "", fmt.Errorf("%w: the files changed under each of %d tries", ErrBusy, rounds)
	}
	return nil, "", errors.Join(fmt.Errorf("%w: saves kept coming between for %d tries", ErrBusy, rounds), h.undo(ctx, p))
}

// finish writes the files that need not be durable. It returns changes without those of
// views that it did not write.
func (h *lockedWriter) finish(tx *Tx, views []write, changes []Change) []Change {
	if changes = h.show(views, changes); len(changes) > 0 {
		for name, data := range tx.jots {
			h.tree.WriteLocal(name, data) // a failure is ignored; see WriteLocal
		}
	}
	return changes
}

// begin returns the Tx of one round.
func (t *Tree) begin(p *attempts, wait func(string, version) (version, error)) *Tx {
	return &Tx{tree: t, past: p, wait: wait, seen: map[string]version{}, staged: map[string]stage{}}
}

// run runs edit, computes the writes, and has them checked.
func (tx *Tx) run(edit func(*Tx) error) ([]Change, []write, error) {
	if err := edit(tx); err != nil {
		return nil, nil, tx.because(err)
	}
	if tx.err != nil {
		return nil, nil, tx.err
	}
	changes, writes, err := tx.plan()
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, c := range changes {
		if !IsLocal(c.Name) && !tx.staged[c.Name].back {
			names = append(names, c.Name)
		}
	}
	if err := tx.because(nil); err != nil && len(changes) > 0 {
		return nil, nil, err
	}
	if tx.tree.Check != nil && len(names) > 0 {
		if err := tx.tree.Check(before{tx}, tx, names); err != nil {
			return nil, nil, err
		}
	}
	return changes, writes, nil
}

// plan returns the changes of the transaction and the writes that they need. The two
// differ if an earlier round has already written something.
func (tx *Tx) plan() (changes []Change, writes []write, err error) {
	for _, name := range tx.order {
		s := tx.staged[name]
		if s.kind == add {
			changes = append(changes, Change{Name: name, Appended: s.data})
			writes = append(writes, write{name: name, kind: add, data: s.data})
			continue
		}
		old, err := tx.old(name)
		if err != nil {
			return nil, nil, err
		}
		want := version{exists: s.kind == replace, data: s.data, mode: old.mode}
		if !same(old, want) {
			changes = append(changes, Change{Name: name, Before: old.bytes(), After: want.bytes()})
		}
		over, published := tx.past.live[name]
		if !published {
			over = old
		}
		before := len(writes)
		writes = appendWrite(writes, name, over, want)
		for i := range writes[before:] {
			writes[before+i].view = s.view
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tx.past.live)) {
		if _, ok := tx.staged[name]; !ok {
			writes = appendWrite(writes, name, tx.past.live[name], tx.past.input[name])
		}
	}
	return changes, writes, nil
}

func appendWrite(writes []write, name string, over, want version) []write {
	if same(over, want) {
		return writes
	}
	w := write{name: name, kind: replace, over: over, data: want.data, mode: want.mode}
	if !want.exists {
		w.kind = remove
	}
	return append(writes, w)
}

// add notes the writes that a round published, and the unseen saves that it displaced,
// which are the input of the next round.
func (p *attempts) add(tx *Tx, writes []write, conflicts map[string]version) {
	for _, w := range writes {
		if w.kind == add {
			continue // not done, in a round with conflicts
		}
		if _, ok := p.input[w.name]; !ok {
			p.input[w.name] = w.over
		}
		p.live[w.name] = version{exists: w.kind == replace, data: w.data, mode: w.mode}
	}
	maps.Copy(p.input, conflicts)
}

// forget drops contents that are no longer on disk because they were saved over again.
func (p *attempts) forget(h *lockedWriter) {
	for name, live := range p.live {
		now, err := h.tree.version(name)
		if err == nil && !same(now, live) {
			h.incident(name, h.aside(name, p.input[name]), "a save was overtaken by another one before it could be merged")
			delete(p.live, name)
			delete(p.input, name)
		}
	}
}

// undo restores the contents that the edit last saw, because the edit failed on a save
// that an earlier round displaced.
func (h *lockedWriter) undo(ctx context.Context, p *attempts) error {
	for range rounds {
		var writes []write
		for _, name := range slices.Sorted(maps.Keys(p.live)) {
			writes = appendWrite(writes, name, p.live[name], p.input[name])
		}
		if len(writes) == 0 && h.previous == "" {
			return nil
		}
		conflicts, err := h.publish(ctx, writes)
		if errors.Is(err, errChanged) {
			p.forget(h)
			continue
		}
		if err != nil {
			for _, w := range writes {
				h.incident(w.name, h.aside(w.name, p.input[w.name]), "a save could not be put back")
			}
			return err
		}
		// The content now is the restored one, except for saves that came since.
		p.live = map[string]version{}
		for name, v := range conflicts {
			p.live[name], p.input[name] = p.input[name], v
		}
	}
	for name := range p.live {
		h.incident(name, h.aside(name, p.input[name]), "a save came in while another one was put back")
	}
	return nil
}

func (t *Tree) knowAll(writes []write) {
	for _, w := range writes {
		if w.kind != add {
			t.know(w.name, version{exists: w.kind == replace, data: w.data})
		}
	}
}

// same reports whether two versions have the same content.
func same(a, b version) bool {
	return a.exists == b.exists && bytes.Equal(a.data, b.data)
}

// bytes returns the content, nil only if the file does not exist.
func (v version) bytes() []byte {
	if v.exists && v.data == nil {
		return []byte{}
	}
	return v.data
}
