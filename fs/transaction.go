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

// rounds is how often an edit is run on newer bytes before the transaction
// gives up.
const rounds = 8

// errChanged says that a name is no longer what the edit saw.
var errChanged = errors.New("changed meanwhile")

// A write is what one name needs to get from what stands there to what is
// wanted.
type write struct {
	name string
	kind kind
	over version // what is expected to stand there
	data []byte
	mode iofs.FileMode
	view viewKind
}

// A past is what the earlier rounds of a transaction have already published,
// when a save came to light that the edit has not seen.
type past struct {
	live  map[string]version // what stands on disk because of them
	input map[string]version // what the next round is to see instead
	saves map[string]bool    // names of which input is a save that was displaced
}

// Transaction runs edit under the lock and publishes what it staged, all or
// nothing. edit may run several times: it must depend on nothing but what it
// reads through tx. What it stages unchanged is no change; without any change
// nothing is written and the result is nil. ErrBusy is a lock, or a file, that
// did not become free; ErrNoTree is a tree without any folder.
func (t *Tree) Transaction(ctx context.Context, edit func(*Tx) error) ([]Change, error) {
	if t.DryRun {
		deadline := time.Now().Add(t.saveTime.patience)
		tx := t.begin(&past{}, func(name string, _ version) (version, error) {
			return t.settle(ctx, name, deadline)
		})
		changes, _, err := tx.run(edit)
		return changes, err
	}
	place, patience := newPlace(), t.saveTime.patience
	for {
		changes, saving, err := t.attempt(ctx, patience, place, edit)
		if saving == "" {
			return changes, err
		}
		// Somebody is saving: wait without the locks, then begin anew.
		start := time.Now()
		if _, err := t.settle(ctx, saving, start.Add(patience)); err != nil && !errors.Is(err, ErrUnsettled) {
			return nil, err
		}
		patience -= max(time.Since(start), lookAgain)
	}
}

// attempt is one turn at the locks. saving names a file that has to settle
// before the transaction can go on; nothing was written then. patience is how long
// saves may still be waited for.
func (t *Tree) attempt(ctx context.Context, patience time.Duration, place string, edit func(*Tx) error) (changes []Change, saving string, err error) {
	h, err := t.takeTurn(ctx, patience, place)
	if err != nil {
		return nil, "", err
	}
	defer h.end()
	p := &past{live: map[string]version{}, input: map[string]version{}, saves: map[string]bool{}}
	published := func() bool { return len(p.live) > 0 || h.previous != "" }
	wait := func(name string, v version) (version, error) {
		if published() { // there is no going back any more
			return t.settle(ctx, name, time.Now().Add(t.saveTime.patience))
		}
		if patience > 0 {
			saving = name
		}
		return v, fmt.Errorf("%s: %w", name, ErrUnsettled)
	}
	for round := range rounds {
		if round > 0 {
			h.move()
		}
		tx := t.begin(p, wait)
		changes, writes, err := tx.run(edit)
		if saving != "" {
			return nil, saving, nil
		}
		if err != nil {
			return nil, "", errors.Join(err, h.undo(ctx, p))
		}
		writes, views := apart(writes, round)
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
		case errors.As(err, &open) && !published():
			saving = open.name
			return nil, saving, nil
		case errors.As(err, &open):
			if _, err := t.settle(ctx, open.name, time.Now().Add(t.saveTime.patience)); err != nil {
				return nil, "", errors.Join(err, h.undo(ctx, p))
			}
		case errors.Is(err, errChanged):
			p.forget(h)
		case err != nil:
			h.litter = true
			return nil, "", errors.Join(err, h.undo(ctx, p))
		case len(conflicts) == 0:
			t.knowAll(writes)
			return append(h.finish(tx, views, changes), h.created...), "", nil
		default:
			p.add(h, writes, conflicts)
		}
	}
	if !published() {
		return nil, "", fmt.Errorf("%w: the files changed under each of %d tries", ErrBusy, rounds)
	}
	return nil, "", errors.Join(fmt.Errorf("%w: saves kept coming between for %d tries", ErrBusy, rounds), h.undo(ctx, p))
}

// finish writes the views and what is only a convenience. It returns changes without those of
// views that it did not write.
func (h *turn) finish(tx *Tx, views []write, changes []Change) []Change {
	if changes = h.show(views, changes); len(changes) > 0 {
		for name, data := range tx.jots {
			h.tree.Jot(name, data) // a convenience, by its promise
		}
	}
	return changes
}

// begin makes the Tx of one round.
func (t *Tree) begin(p *past, wait func(string, version) (version, error)) *Tx {
	return &Tx{tree: t, past: p, wait: wait, seen: map[string]version{}, staged: map[string]stage{}, below: map[string]map[string]bool{}}
}

// run runs edit, works out what is to be written, and has it judged.
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

// plan says what the transaction changes, and what has to be written for it:
// the two differ where an earlier round left something.
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

// add notes what a round published, and the saves that it displaced unseen:
// they are what the next round edits.
func (p *past) add(h *turn, writes []write, conflicts map[string]version) {
	for _, w := range writes {
		if w.kind == add {
			continue // not done, in a round with conflicts
		}
		if _, ok := p.input[w.name]; !ok {
			p.input[w.name] = w.over
		}
		p.live[w.name] = version{exists: w.kind == replace, data: w.data, mode: w.mode}
	}
	for name, save := range conflicts {
		p.overtaken(h, name)
		p.input[name], p.saves[name] = save, true
	}
}

// forget drops what is no longer live: somebody saved over it once more.
func (p *past) forget(h *turn) {
	for name, live := range p.live {
		now, err := h.tree.version(name)
		if err == nil && !same(now, live) {
			p.overtaken(h, name)
			delete(p.live, name)
			delete(p.input, name)
			delete(p.saves, name)
		}
	}
}

// overtaken puts the displaced save of name aside: another save, which may have nothing
// of it, is what the next round edits.
func (p *past) overtaken(h *turn, name string) {
	if p.saves[name] && p.input[name].exists {
		h.incident(name, h.aside(name, p.input[name]), "a save was overtaken by another one before it could be merged")
	}
}

// undo puts back what the edit last saw, for it failed on what an earlier
// round had displaced.
func (h *turn) undo(ctx context.Context, p *past) error {
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
		// What stands now is what was to be put back, but for saves yet unseen.
		p.live = map[string]version{}
		for name, v := range conflicts {
			p.overtaken(h, name)
			p.live[name], p.input[name], p.saves[name] = p.input[name], v, true
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

// same says whether two versions have the same content.
func same(a, b version) bool {
	return a.exists == b.exists && bytes.Equal(a.data, b.data)
}

// bytes are the content, nil only where nothing stands.
func (v version) bytes() []byte {
	if v.exists && v.data == nil {
		return []byte{}
	}
	return v.data
}
