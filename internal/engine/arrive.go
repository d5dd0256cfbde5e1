package engine

import (
	"slices"
	"strconv"

	"github.com/forgemind/forgemind/triggers"
)

// A mark is how far the State itself says that actions have come: the layer it
// is in, and the clarity that was last recorded of that layer. The zero mark
// is that of a State which says nothing of it.
type mark struct {
	Known   bool    `json:"known"`
	Layer   int     `json:"layer"`
	Clarity float64 `json:"clarity"` // percent
}

// mark reads the State's mark.
func (r *round) mark() mark {
	s, ok := r.readState()
	if !ok || s.Project == nil {
		return mark{}
	}
	layer := int(s.Project.CurrentLayer)
	p, ok := s.Project.Progress[strconv.Itoa(layer)]
	if !ok {
		return mark{}
	}
	return mark{Known: true, Layer: layer, Clarity: p.Clarity}
}

// arrival says up to which layer and clarity the State's effects came with it,
// from a colleague or an older commit; nil where the change was made here. What
// this copy did itself left the mark that it remembers.
func (r *round) arrival(before *triggers.Values, entered bool) *triggers.Previous {
	now := r.values()
	if before == nil || now == nil || entered || before.Layer != now.Layer || before.Clarity != now.Clarity {
		return nil
	}
	m := r.mark()
	switch {
	case m == r.memory.Mark && !r.arrived:
		return nil
	case !m.Known: // older than any firing
		m.Clarity = now.Clarity
	}
	return &triggers.Previous{Layer: now.Layer, Clarity: m.Clarity}
}

// cameWith says whether the effects of f came with the State: its condition
// does not hold against what the State says was last acted on.
func (r *round) cameWith(set *triggers.Set, f triggers.Firing, change triggers.Change) bool {
	past, ok := r.memory.Status(f.Trigger)
	if r.came == nil || !ok {
		return false
	}
	past.Previous, past.Armed, past.Floor, past.Own = *r.came, true, nil, nil
	past.Previous.Usage = f.Previous.Usage
	again := set.Fire(triggers.Record{Triggers: []triggers.TriggerStatus{past}}, change)
	return !slices.ContainsFunc(again.Firings, func(g triggers.Firing) bool { return g.Trigger == f.Trigger })
}
