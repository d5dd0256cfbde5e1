package engine

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// A layerChange describes a layer transition.
type layerChange struct {
	entered bool // its checkpoint was made
	arrived bool // the checkpoint was made elsewhere
	left    bool // a snapshot holds the State at the end of the former layer
}

// enterLayer makes a checkpoint if the layer differs from the one last acted on, unless
// the transition arrived with its effects.
func (r *WorkingSet) enterLayer(before *triggers.Values) (c layerChange, err error) {
	now := r.values()
	if now == nil {
		return c, nil
	}
	last, known := r.memory.Layer, r.memory.Known
	if !known && before != nil {
		last, known = before.Layer, true
	}
	r.memory.Layer, r.memory.Known = now.Layer, true
	if !known || last == now.Layer {
		return c, nil
	}
	src, err := r.tx.Read(fs.State)
	if err != nil {
		return c, err
	}
	if c.arrived = r.pulled || state.HasEnteredLayer(r.tx, src); c.arrived {
		return c, nil
	}
	if c.left, err = r.keepFormerLayer(now.Layer); err != nil {
		return c, err
	}
	if err := r.checkpoint(); err != nil {
		return c, err
	}
	// The transition sets the number; the name follows from it. A wrong name would be in
	// every snapshot of the layer.
	c.entered = true
	return c, edit(r.tx, fs.State, state.NameLayer)
}

// keepFormerLayer makes a snapshot of the State at the end of its layer, for a
// backtrack, and reports whether it did. If another program wrote the transition, that
// State is lost.
func (r *WorkingSet) keepFormerLayer(layer int) (bool, error) {
	src, err := r.tree.ReadStored(fs.State)
	switch {
	case err != nil && (isMissing(err) || isAboutContent(err)):
		return false, nil
	case err != nil:
		return false, err
	}
	var former schema.State
	if jsonedit.Decode(src, &former) != nil || former.Project == nil || int(former.Project.CurrentLayer) == layer {
		return false, nil
	}
	if src, err = state.NameLayer(src); err != nil {
		return false, err
	}
	return true, r.keepState(src, state.LeftReason(int(former.Project.CurrentLayer)))
}
