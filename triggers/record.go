package triggers

import (
	"slices"
	"time"
)

// A Record is what must be remembered between two changes. Encoded as JSON,
// equal Records give equal bytes.
type Record struct {
	Triggers []Past `json:"triggers"` // in the order of the configuration
}

// A Past is what is remembered of one trigger.
type Past struct {
	Name string `json:"name"`
	// Condition is a digest of the condition that the rest belongs to. Another
	// condition starts afresh; "" does so with any.
	Condition string   `json:"condition,omitempty"`
	Previous  Previous `json:"previous"`
	// Armed says that the condition did not hold when it was last asked.
	Armed bool `json:"armed"`
	// Floor is the lowest usage in percent since the last firing, nil where
	// usage has nothing to say about the next one.
	Floor *float64 `json:"floor,omitempty"`
	// Own holds the times of the latest firings that forgemind's own writes
	// caused, with no change from outside between.
	Own []time.Time `json:"own,omitempty"`
	Off *Off        `json:"off,omitempty"`
}

// Previous holds the values at a trigger's last firing; before the first, those
// that were seen first.
type Previous struct {
	Layer   int     `json:"layer"`
	Clarity float64 `json:"clarity"` // percent
	Usage   float64 `json:"usage"`   // percent
}

// An Off says since when and why a trigger is switched off.
type Off struct {
	Since time.Time `json:"since"`
	Why   string    `json:"why"`
}

// Past returns what is remembered of the trigger name.
func (r Record) Past(name string) (Past, bool) {
	for _, p := range r.Triggers {
		if p.Name == name {
			return p, true
		}
	}
	return Past{}, false
}

// Enable returns r with the trigger name switched on again; it then starts
// afresh, so that what happened meanwhile does not fire it.
func (r Record) Enable(name string) Record {
	r.Triggers = slices.Clone(r.Triggers)
	for i, p := range r.Triggers {
		if p.Name == name && p.Off != nil {
			r.Triggers[i] = Past{Name: name}
		}
	}
	return r
}

const (
	ownFirings = 5                // so often may own writes fire a trigger
	ownWindow  = 10 * time.Second // within this time
)

// countOwn notes a firing at time at that an own write caused. It switches the
// trigger off, and returns false, where that is one too many.
func (p *Past) countOwn(at time.Time) bool {
	recent := make([]time.Time, 0, ownFirings)
	for _, t := range p.Own {
		if at.Sub(t).Abs() <= ownWindow {
			recent = append(recent, t)
		}
	}
	if len(recent) >= ownFirings {
		*p = Past{Name: p.Name, Off: &Off{
			Since: at,
			Why:   "fired again and again by forgemind's own writes, more than 5 times in 10 s",
		}}
		return false
	}
	p.Own = append(recent, at)
	return true
}
