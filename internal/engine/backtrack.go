package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/triggers"
)

// BacktrackCommand is the command that fires the trigger backtrack_initiated.
const BacktrackCommand = "facilitator backtrack"

// ErrFirstLayer reports a backtrack from the first layer.
var ErrFirstLayer = errors.New("layer 0 has no layer before it")

// ErrUnfit reports a State that exists but cannot be used.
var ErrUnfit = errors.New("it is invalid, or lacks values that the command needs")

// A Backtracked is the result of a backtrack.
type Backtracked struct {
	From, To int    // layers
	Snapshot string // name of the snapshot that was used; "" if the layer has none
}

// Backtrack returns to the previous layer. The trigger's actions copy values from the
// newest snapshot of that layer into the State. If there is no snapshot, only the layer
// changes.
func (t *Tree) Backtrack(ctx context.Context) (Backtracked, Outcome, error) {
	var went Backtracked
	out, err := t.do(ctx, func(r *WorkingSet) error {
		now, err := r.stateValues()
		if err != nil {
			return err
		}
		if now.Layer == 0 {
			return ErrFirstLayer
		}
		went = Backtracked{From: now.Layer, To: now.Layer - 1}
		name, src, err := r.newestSnapshot(went.To)
		if err != nil {
			return err
		}
		went.Snapshot = name
		r.event = Event{Event: triggers.Event{Command: BacktrackCommand}, snapshot: src}
		if name == "" {
			r.out.Notes = append(r.out.Notes, fmt.Sprintf("layer %d has no snapshot: only the layer and its name change", went.To))
		}
		return edit(r.tx, fs.State, func(src []byte) ([]byte, error) { return state.SetLayer(src, went.To) })
	})
	return went, out, err
}

// stateValues returns the values of the State, or an error that says why there are
// none.
func (r *WorkingSet) stateValues() (*triggers.Values, error) {
	if now := r.values(); now != nil {
		return now, nil
	}
	return nil, r.missingState()
}

// missingState returns the reason why there is no usable State.
func (r *WorkingSet) missingState() error {
	switch _, err := r.tx.Read(fs.State); {
	case isMissing(err):
		return state.ErrNoState
	case err != nil:
		return err
	}
	return wrapName(fs.State, ErrUnfit)
}

// newestSnapshot reads the newest snapshot of a layer; its name is "" if there is none.
func (r *WorkingSet) newestSnapshot(layer int) (name string, src []byte, err error) {
	name, src, ok, err := state.Newest(r.tx, layer, func(p state.SnapshotFile) {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s is passed over: %v", p.Name, p.Err))
	})
	if err != nil || !ok {
		return "", nil, err
	}
	return name, src, nil
}

// fromSnapshot returns an action that changes the State by a snapshot: that of the
// backtrack, or the newest of the present layer if a person fires the trigger.
func fromSnapshot(take func(src, snapshot []byte) ([]byte, error)) func(*WorkingSet, cause) error {
	return func(r *WorkingSet, _ cause) error {
		snapshot := r.event.snapshot
		if now := r.values(); snapshot == nil && now != nil && r.event.Command != BacktrackCommand {
			var err error
			if _, snapshot, err = r.newestSnapshot(now.Layer); err != nil {
				return err
			}
		}
		if snapshot == nil {
			return nil
		}
		return r.editState(func(src []byte) ([]byte, error) { return take(src, snapshot) })
	}
}
