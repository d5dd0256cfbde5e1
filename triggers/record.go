package triggers

import (
	"slices"
	"time"
)

// A Record is the memory of Fire from one Change to the next. Equal Records have equal
// JSON encodings.
type Record struct {
	Triggers []TriggerStatus `json:"triggers"` // in the order of the configuration
}

// A TriggerStatus is the entry of one trigger in a Record.
type TriggerStatus struct {
	Name string `json:"name"`
	// Condition is a digest of the condition that the other fields belong to. If
	// the trigger has another condition, Fire resets them; "" matches none.
	Condition string   `json:"condition,omitempty"`
	Previous  Previous `json:"previous"`
	// Armed means that the condition was false when it was last evaluated.
	Armed bool `json:"armed"`
	// Floor is the lowest usage since the last firing, in percent. It is nil if the
	// next firing does not depend on usage.
	Floor *float64 `json:"floor,omitempty"`
	// Own are the times of the latest firings that forgemind's own writes caused,
	// since the last change from outside.
	Own []time.Time `json:"own,omitempty"`
	Off *Off        `json:"off,omitempty"` // nil unless the trigger is switched off
}

// Previous are the values at a trigger's last firing, or the first values if it has
// not fired yet.
type Previous struct {
	Layer   int     `json:"layer"`
	Clarity float64 `json:"clarity"` // percent
	Usage   float64 `json:"usage"`   // percent
}

// An Off is the time and the reason of a trigger's switch-off.
type Off struct {
	Since time.Time `json:"since"`
	Why   string    `json:"why"`
}

// Status returns the status of the trigger with the given name, or false if r has
// none.
func (r Record) Status(name string) (TriggerStatus, bool) {
	for _, p := range r.Triggers {
		if p.Name == name {
			return p, true
		}
	}
	return TriggerStatus{}, false
}

// Enable returns r with the trigger of the given name switched on again. It resets
// the trigger's status, so that earlier changes do not fire it.
func (r Record) Enable(name string) Record {
	r.Triggers = slices.Clone(r.Triggers)
	for i, p := range r.Triggers {
		if p.Name == name && p.Off != nil {
			r.Triggers[i] = TriggerStatus{Name: name}
		}
	}
	return r
}

// Rearm returns r as if the trigger name had not fired just now. previous is what it
// remembered before.
func (r Record) Rearm(name string, previous Previous) Record {
	r.Triggers = slices.Clone(r.Triggers)
	for i, p := range r.Triggers {
		if p.Name == name && p.Off == nil {
			p.Previous, p.Armed, p.Floor, p.Own = previous, true, nil, nil
			r.Triggers[i] = p
		}
	}
	return r
}

const (
	maxOwnFirings = 5                // of a trigger by own writes
	ownWindow     = 10 * time.Second // in which they are counted
)

// countOwn adds a firing at the time at that an own write caused. If ownWindow has
// too many, it switches the trigger off and returns false.
func (p *TriggerStatus) countOwn(at time.Time) bool {
	recent := make([]time.Time, 0, maxOwnFirings)
	for _, t := range p.Own {
		if at.Sub(t).Abs() <= ownWindow {
			recent = append(recent, t)
		}
	}
	if len(recent) >= maxOwnFirings {
		*p = TriggerStatus{Name: p.Name, Off: &Off{
			Since: at,
			Why:   "forgemind's own writes fired it more than 5 times in 10 s",
		}}
		return false
	}
	p.Own = append(recent, at)
	return true
}

// with returns the Record with a status in the place of that of the same trigger.
func (r Record) with(p TriggerStatus) Record {
	i := slices.IndexFunc(r.Triggers, func(old TriggerStatus) bool { return old.Name == p.Name })
	r.Triggers = slices.Clone(r.Triggers)
	if i < 0 {
		r.Triggers = append(r.Triggers, p)
	} else {
		r.Triggers[i] = p
	}
	return r
}
