package engine

import (
	"slices"
	"strconv"

	"github.com/forgemind/forgemind/triggers"
)

// A stateMark is the layer and the clarity up to which the actions of a State have run,
// as the State itself records them. The zero stateMark is that of a State without
// these.
type stateMark struct {
	Known   bool    `json:"known"`
	Layer   int     `json:"layer"`
	Clarity float64 `json:"clarity"` // percent
}

// mark reads the State's mark.
func (r *WorkingSet) mark() stateMark {
	s, ok := r.readState()
	if !ok || s.Project == nil {
		return stateMark{}
	}
	layer := int(s.Project.CurrentLayer)
	p, ok := s.Project.Progress[strconv.Itoa(layer)]
	if !ok {
		return stateMark{}
	}
	return stateMark{Known: true, Layer: layer, Clarity: p.Clarity}
}

// marksThatCame returns the layer and the clarity whose effects arrived with the State,
// from a colleague or an older commit; nil if the change was made here. The memory has
// the mark that this copy left itself.
func (r *WorkingSet) marksThatCame(before *triggers.Values, layer layerChange) *triggers.Previous {
	now := r.values()
	if before == nil || now == nil || layer.entered || before.Layer != now.Layer || before.Clarity != now.Clarity {
		return nil
	}
	m := r.mark()
	switch {
	case m == r.memory.Mark && !layer.arrived:
		return nil
	case !m.Known: // a mark older than the first firing
		m.Clarity = now.Clarity
	}
	return &triggers.Previous{Layer: now.Layer, Clarity: m.Clarity}
}

// effectsCame reports whether the effects of f arrived with the State: relative to
// came, the values that the State says were acted on, f does not fire.
func (r *WorkingSet) effectsCame(came *triggers.Previous, set *triggers.Set, f triggers.Firing, change triggers.Change) bool {
	past, ok := r.memory.Status(f.Trigger)
	if came == nil || !ok {
		return false
	}
	past.Previous, past.Armed, past.Floor, past.Own = *came, true, nil, nil
	past.Previous.Usage = f.Previous.Usage
	again := set.Fire(triggers.Record{Triggers: []triggers.TriggerStatus{past}}, change)
	return !slices.ContainsFunc(again.Firings, func(g triggers.Firing) bool { return g.Trigger == f.Trigger })
}
