package engine

import (
	"bytes"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// enterLayer makes a checkpoint where the layer is another than the one last
// acted on, unless the transition came with its effects.
func (r *round) enterLayer(before *triggers.Values) (bool, error) {
	now := r.values()
	if now == nil {
		return false, nil
	}
	last, known := r.memory.Layer, r.memory.Known
	if !known && before != nil {
		last, known = before.Layer, true
	}
	r.memory.Layer, r.memory.Known = now.Layer, true
	if !known || last == now.Layer {
		return false, nil
	}
	src, err := r.tx.Read(fs.State)
	if err != nil {
		return false, err
	}
	if r.arrived = r.enteredElsewhere() || state.Entered(r.tx, src); r.arrived {
		return false, nil
	}
	if err := r.keepFormer(now.Layer); err != nil {
		return false, err
	}
	if err := r.checkpoint(); err != nil {
		return false, err
	}
	r.entered = true
	return true, nil
}

// leaveLayer keeps the State of a layer that was left where no trigger may be asked.
func (r *round) leaveLayer() error {
	now := r.values()
	if now == nil || !r.memory.Known || r.memory.Layer == now.Layer || r.enteredElsewhere() {
		return nil
	}
	return r.keepFormer(now.Layer)
}

// keepFormer keeps the State as it was when its layer was left, for whoever
// goes back to it: as it stands on disk or, where somebody wrote the transition there, as it
// was rendered before.
func (r *round) keepFormer(layer int) error {
	stored, err := r.tree.ReadStored(fs.State)
	if err != nil && !missing(err) && !unfit(err) {
		return err
	}
	for _, src := range [][]byte{stored, r.bases[fs.State]} {
		former, ok := views.ProjectOf(src).Number(records.Layer)
		if !ok || int(former) == layer || !views.Readable(fs.State, src) {
			continue
		}
		if src, err = state.NameLayer(src); err != nil {
			return err
		}
		return r.keep(src, state.LeftReason(int(former)))
	}
	return nil
}

// inHead reports whether git holds a file as src.
func (r *round) inHead(name string, src []byte) bool {
	held, err := r.committed([]string{name})
	return err == nil && src != nil && bytes.Equal(held[name], src)
}

// enteredElsewhere reports whether the project came into its layer with the effects of that: by a
// change that git holds, or whose snapshot is there. A project that no change moved began in its
// layer.
func (r *round) enteredElsewhere() bool {
	facts, err := r.readFacts()
	if _, sets := with(r.edited, r.sets)[records.Layer]; sets || err != nil {
		return false
	}
	project := facts.Project()
	change, moved := project.SetBy(records.Layer)
	if !moved {
		return project.Derives()
	}
	if src, err := r.tx.Read(change.Name); err == nil && r.inHead(change.Name, src) {
		return true
	}
	layer, ok := project.Members.Number(records.Layer)
	at, err := schema.ParseTime(change.At)
	return ok && err == nil && state.EnteredSince(r.tx, int(layer), at)
}
