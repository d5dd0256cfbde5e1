package triggers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// Values are the values of a State that conditions use.
type Values struct {
	Layer     int
	Clarity   float64 // percent
	Usage     float64 // of the window, percent
	SessionID string
	LayerName string
	Status    string
}

// An Event is a command or a message. The zero Event means that only a document
// changed.
type Event struct {
	Command      string // such as "facilitator backtrack"
	Message      string
	Priority     string
	BossDecision bool // Message is a decision of the boss
}

// A Change is a change of the State, an event, or both.
type Change struct {
	Before *Values // the values before, nil if unknown; used for triggers without a TriggerStatus
	Now    Values
	Event  Event
	Also   []Event // what happened besides Event, each asked about by itself
	Facts  Facts   // what happened, see Occur
	At     time.Time
	Own    bool // only forgemind's own writes caused it
	// NoState means that no valid State exists: Before and Now are ignored, and only
	// conditions that use the event are evaluated.
	NoState bool
}

// A Firing is one trigger that fired.
type Firing struct {
	Trigger  string
	Actions  []string
	Previous Previous // the values of previous_* in the condition
	Reason   string   // for people, such as "current_layer 1 -> 2"
	Events   []int    // for which events a condition on events holds: 0 is Change.Event, i is Change.Also[i-1]
	Again    bool     // a fact of the condition has not changed since the last firing
}

// A Fault is a trigger whose condition is invalid or failed.
type Fault struct {
	Trigger string
	Err     error
}

// An Outcome is the result of a Change.
type Outcome struct {
	Firings []Firing // in the order of the configuration
	Faults  []Fault  // conditions that failed with these values, such as a division by zero
	Off     []string // triggers that this Change switched off; Record has the reason
	Record  Record   // for the next Change
}

// A Set is the triggers of a configuration, each compiled once it is needed.
type Set struct {
	triggers []trigger
}

type trigger struct {
	schema.Trigger
	facts     []string                   // that the condition uses
	digest    string                     // of the condition
	compile   func() (*Condition, error) // compiles the condition once
	condition *Condition                 // see compiled; nil if err is not
	err       error
}

// compiled returns t with its condition.
func (t trigger) compiled() trigger {
	t.condition, t.err = t.compile()
	return t
}

// Load returns the Set of a list. If several triggers have one name, the first counts.
func Load(list []schema.Trigger) *Set {
	s := &Set{}
	seen := map[string]bool{}
	for _, t := range list {
		if seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		sum := sha256.Sum256([]byte(t.Condition))
		s.triggers = append(s.triggers, trigger{
			Trigger: t, facts: factsIn(t.Condition), digest: hex.EncodeToString(sum[:8]),
			compile: sync.OnceValues(func() (*Condition, error) { return Compile(t.Condition) }),
		})
	}
	return s
}

// Faults returns the triggers whose condition is invalid; they never fire.
func (s *Set) Faults() []Fault {
	var faults []Fault
	for _, t := range s.triggers {
		if _, err := t.compile(); err != nil {
			faults = append(faults, Fault{t.Name, err})
		}
	}
	return faults
}

// Waiting returns why triggers do not fire, for people, by their names: in a tree without a State those that
// compare its values, and those whose condition held already. Of triggers that are disabled, off or invalid, or
// whose condition is about an event, it says nothing. r is the Record of the last Change.
func (s *Set) Waiting(r Record, state bool) map[string]string {
	why := map[string]string{}
	for _, t := range s.triggers {
		if t = t.compiled(); !t.Enabled || t.condition == nil || t.condition.usesEvent() {
			continue
		}
		switch p, known := r.Status(t.Name); {
		case known && p.Off != nil:
		case !state && len(t.facts) == 0:
			why[t.Name] = "there is no State whose values it compares"
		case !known || p.Condition != t.digest || p.Armed || len(t.facts) > 0 && !t.condition.lasts():
		case p.Floor != nil:
			why[t.Name] = FiresFrom(*p.Floor)
		default:
			why[t.Name] = "its condition has held since it fired or was first seen"
		}
	}
	return why
}

// FiresFrom returns, for people, from which usage on a trigger on usage fires again; floor is the lowest since it
// fired, both in percent.
func FiresFrom(floor float64) string {
	return fmt.Sprintf("its condition has held since it fired; it fires again from %.4g %% of the window on, %d points above the lowest since", floor+Hysteresis, Hysteresis)
}

// Fire returns the triggers that fire for c after r, the Record of the last Change,
// and the new Record. It does not change r.
func (s *Set) Fire(r Record, c Change) Outcome {
	c = c.finite()
	var out Outcome
	for _, t := range s.triggers {
		p, known := r.Status(t.Name)
		if len(t.facts) > 0 { // see Occur
			if known {
				out.Record.Triggers = append(out.Record.Triggers, p)
			}
			continue
		}
		t = t.compiled()
		if !known {
			p = TriggerStatus{Name: t.Name}
		}
		off := p.Off
		firing, err := t.step(&p, c)
		switch {
		case err != nil:
			out.Faults = append(out.Faults, Fault{t.Name, err})
		case firing != nil:
			out.Firings = append(out.Firings, *firing)
		case off == nil && p.Off != nil:
			out.Off = append(out.Off, t.Name)
		}
		out.Record.Triggers = append(out.Record.Triggers, p)
	}
	return out
}

// Force fires the trigger with the given name without evaluating its condition. It
// returns false if the Set has no such trigger.
func (s *Set) Force(r Record, name string, c Change) (Firing, Record, bool) {
	c = c.finite()
	r.Triggers = slices.Clone(r.Triggers)
	for _, t := range s.triggers {
		if t.Name != name {
			continue
		}
		firing := Firing{Trigger: name, Actions: slices.Clone(t.Actions), Previous: previousOf(c.initial()), Reason: "asked for"}
		for i, p := range r.Triggers {
			if p.Name == name && p.Condition != "" {
				firing.Previous = p.Previous
				if t = t.compiled(); t.condition != nil && p.Condition == t.digest {
					t.recordFiring(&p, c)
					r.Triggers[i] = p
				}
			}
		}
		return firing, r, true
	}
	return Firing{}, r, false
}

// step updates p for c. It returns nil if t does not fire.
func (t trigger) step(p *TriggerStatus, c Change) (*Firing, error) {
	if !t.Enabled || p.Off != nil {
		*p = TriggerStatus{Name: p.Name, Off: p.Off}
		return nil, nil
	}
	if t.condition == nil {
		return nil, nil // see Faults
	}
	if c.NoState && !t.condition.usesEvent() {
		return nil, nil
	}
	if p.Condition != t.digest && !c.NoState {
		*p = t.newStatus(c.initial())
	}
	if !c.Own {
		p.Own = nil
	}
	holds, events, err := t.holds(p, &c)
	if err != nil || !holds || c.Own && !p.countOwn(c.At) {
		return nil, err
	}
	firing := &Firing{
		Trigger:  t.Name,
		Actions:  slices.Clone(t.Actions),
		Previous: p.Previous,
		Reason:   t.condition.reason(p.Previous, c),
		Events:   events,
	}
	t.recordFiring(p, c)
	return firing, nil
}

// holds reports whether the condition holds for c and may fire, and of a condition on events for
// which. The first of them is the Event of c then.
func (t trigger) holds(p *TriggerStatus, c *Change) (holds bool, events []int, err error) {
	if !t.condition.usesEvent() {
		holds, err = t.condition.eval(c.scope(p.Previous))
		return err == nil && p.observe(holds, c.Now.Usage) && holds, nil, err
	}
	with := *c
	for i, event := range append([]Event{c.Event}, c.Also...) {
		if event == (Event{}) {
			continue
		}
		with.Event = event
		ok, err := t.condition.eval(with.scope(p.Previous))
		if err != nil {
			return false, nil, err
		}
		if !ok {
			continue
		}
		if len(events) == 0 {
			c.Event = event
		}
		events = append(events, i)
	}
	return len(events) > 0, events, nil
}

// newStatus returns the status of a trigger that has none yet; v are the first values.
func (t trigger) newStatus(v Values) TriggerStatus {
	p := TriggerStatus{Name: t.Name, Condition: t.digest, Previous: previousOf(v)}
	t.arm(&p, v)
	return p
}

// recordFiring updates p after t fired for c.
func (t trigger) recordFiring(p *TriggerStatus, c Change) {
	if c.NoState {
		return
	}
	p.Previous = previousOf(c.Now)
	t.arm(p, c.Now)
	if t.condition.usesUsage() && !t.condition.usesEvent() {
		p.Floor = &c.Now.Usage
	}
}

// arm sets p.Armed unless the condition is true for v without any change.
func (t trigger) arm(p *TriggerStatus, v Values) {
	if t.condition.usesEvent() {
		return
	}
	still := Change{Now: v}
	holds, err := t.condition.eval(still.scope(previousOf(v)))
	p.Armed = err != nil || !holds
	if !p.Armed && t.condition.usesUsage() {
		p.Floor = &v.Usage
	}
}

// Hysteresis is the rise of usage, in percentage points, from its lowest value since
// a firing, that the next firing needs.
const Hysteresis = 5

// observe updates p with the condition's value and usage (percent), and reports whether
// the trigger may fire.
func (p *TriggerStatus) observe(holds bool, usage float64) bool {
	risen := true
	if p.Floor != nil {
		low := math.Min(*p.Floor, usage)
		p.Floor = &low
		risen = usage-low >= Hysteresis-1e-9
	}
	if holds {
		return risen && (p.Armed || p.Floor != nil)
	}
	p.Armed = true
	if risen {
		p.Floor = nil
	}
	return false
}

// initial returns the first values of a trigger without a status.
func (c Change) initial() Values {
	if c.Before != nil {
		return *c.Before
	}
	return c.Now
}

// scope returns the values of a condition's names for c.
func (c Change) scope(previous Previous) scope {
	return scope{
		CurrentLayer:    float64(c.Now.Layer),
		PreviousLayer:   float64(previous.Layer),
		CurrentClarity:  c.Now.Clarity,
		PreviousClarity: previous.Clarity,
		CurrentUsage:    c.Now.Usage,
		PreviousUsage:   previous.Usage,
		Command:         c.Event.Command,
		Message:         c.Event.Message,
		Priority:        c.Event.Priority,
		SessionID:       c.Now.SessionID,
		LayerName:       c.Now.LayerName,
		Status:          c.Now.Status,
		IsBossDecision:  func(string) bool { return c.Event.BossDecision },
		factScope:       c.Facts.scope(),
	}
}

// finite returns c with 0 in place of infinities and NaN, which JSON cannot encode.
func (c Change) finite() Change {
	c.Now = c.Now.finite()
	if c.Before != nil {
		before := c.Before.finite()
		c.Before = &before
	}
	return c
}

func (v Values) finite() Values {
	for _, f := range []*float64{&v.Clarity, &v.Usage} {
		if math.IsNaN(*f) || math.IsInf(*f, 0) {
			*f = 0
		}
	}
	return v
}

func previousOf(v Values) Previous {
	return Previous{Layer: v.Layer, Clarity: v.Clarity, Usage: v.Usage}
}
