package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// ErrFirstLayer is a backtrack from where there is no way back.
var ErrFirstLayer = errors.New("layer 0 has no layer before it")

// ErrUnfit is a State that is there and cannot be acted on.
var ErrUnfit = errors.New("it does not pass its schema, or does not say what the command needs")

// A Backtracked is where a backtrack led.
type Backtracked struct {
	From, To int    // layers
	Snapshot string // what the State was restored from; "" where the layer had none
}

// Backtrack goes back to the previous layer. What the State takes from the
// newest snapshot of that layer is the work of the trigger's actions; where
// there is none, the layer changes and nothing else.
func (t *Tree) Backtrack(ctx context.Context) (Backtracked, Outcome, error) {
	var went Backtracked
	out, err := t.do(ctx, func(r *round) error {
		now, err := r.present()
		if err != nil {
			return err
		}
		if now.Layer == 0 {
			return ErrFirstLayer
		}
		went = Backtracked{From: now.Layer, To: now.Layer - 1}
		name, src, err := r.newest(went.To)
		if err != nil {
			return err
		}
		went.Snapshot, r.restore = name, src
		r.event = Event{Event: triggers.Event{Command: schema.BacktrackCommand}}
		if name == "" {
			r.out.Notes = append(r.out.Notes, fmt.Sprintf("layer %d has no snapshot: only the layer and its name change", went.To))
		}
		return r.setProject(map[string]any{records.Layer: went.To})
	})
	return went, out, err
}

// present is values, or why there are none.
func (r *round) present() (*triggers.Values, error) {
	if now := r.values(); now != nil {
		return now, nil
	}
	return nil, r.noState()
}

// noState says why there is no State that could be acted on.
func (r *round) noState() error {
	switch _, err := r.tx.Read(fs.State); {
	case missing(err):
		return state.ErrNoState
	case err != nil:
		return err
	}
	return wrapName(fs.State, ErrUnfit)
}

// newest reads the newest snapshot of a layer; "" where there is none.
func (r *round) newest(layer int) (name string, src []byte, err error) {
	name, src, ok, err := state.Newest(r.tx, layer, func(p state.Past) {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s is passed over: %v", p.Name, p.Err))
	})
	if err != nil || !ok {
		return "", nil, err
	}
	return name, src, nil
}

// invalidateForward marks what was reached in later layers as in doubt. A backtrack does so by
// itself; a trigger of other things does it by this.
func invalidateForward(r *round, _ *firing) error {
	if r.event.Command == schema.BacktrackCommand {
		return nil
	}
	return r.setProject(asSet(r.shownProject().Invalidated()))
}

// fromSnapshot makes an action of what is taken from the snapshot that is gone back to. Fired by
// hand, that is the newest of the present layer.
func fromSnapshot(take func(r *round, snapshot []byte) error) action {
	return func(r *round, _ *firing) error {
		snapshot := r.restore
		if now := r.values(); snapshot == nil && now != nil && r.event.Command != schema.BacktrackCommand {
			var err error
			if _, snapshot, err = r.newest(now.Layer); err != nil {
				return err
			}
		}
		if snapshot == nil {
			return nil
		}
		return take(r, snapshot)
	}
}

// restoreArtifacts loads and unloads artifacts as they were in a snapshot.
func restoreArtifacts(r *round, snapshot []byte) error {
	return r.editState(func(src []byte) ([]byte, error) { return state.RestoreArtifacts(src, snapshot) })
}

// restoreLayer takes over what a snapshot says of the artifacts that were worked on and of the
// project's status.
func restoreLayer(r *round, snapshot []byte) error {
	return r.setProject(asSet(r.shownProject().Restored(views.ProjectOf(snapshot))))
}

// resetClarity takes over a snapshot's clarity where that was lower.
func resetClarity(r *round, snapshot []byte) error {
	now, then := r.shownProject(), views.ProjectOf(snapshot)
	is, known := now.Number("clarity")
	was, lower := then.Number("clarity")
	if !known || !lower || was >= is {
		return nil
	}
	return r.setProject(map[string]any{"clarity": then["clarity"]})
}

// asSet returns members as the change of a record takes them.
func asSet(m records.Members) map[string]any {
	set := map[string]any{}
	for name, value := range m {
		set[name] = value
	}
	return set
}
