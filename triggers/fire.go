package triggers

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// Values are what conditions see of a State.
type Values struct {
	Layer     int
	Clarity   float64 // percent
	Usage     float64 // of the window, percent
	SessionID string
	LayerName string
	Status    string
}

// An Event is what happened besides a change of the State. The zero Event is
// none: a document changed, and that is all.
type Event struct {
	Command      string // such as "facilitator backtrack"
	Message      string
	Priority     string
	BossDecision bool // Message is a decision of the boss
}

// A Change is one round: what was, what is, and what happened.
type Change struct {
	Before *Values // the values before, nil if unknown; for triggers without a past
	Now    Values
	Event  Event
	At     time.Time
	Own    bool // forgemind's own writes made it, nothing from outside
	// NoState says that there is no State that could be judged: Now and Before
	// mean nothing, and only conditions on the event are asked.
	NoState bool
}

// A Firing is one trigger that fired.
type Firing struct {
	Trigger  string
	Actions  []string
	Previous Previous // what previous_* was in the condition
	Reason   string   // for people: "current_layer 1 -> 2"
}

// A Fault is a trigger that cannot be judged.
type Fault struct {
	Trigger string
	Err     error
}

// An Outcome is what a Change leads to.
type Outcome struct {
	Firings []Firing // in the order of the configuration
	Faults  []Fault  // conditions that failed on these values, such as a division by zero
	Off     []string // triggers that were switched off just now; the Record says why
	Record  Record   // to be kept for the next Change
}

// A Set is the triggers of a configuration, made ready.
type Set struct {
	triggers []trigger
}

type trigger struct {
	schema.Trigger
	condition *Condition // nil where err says why
	err       error
	digest    string
}

// MaxTriggers is how many triggers of a configuration are looked at: each costs
// time and memory.
const MaxTriggers = 500

// Load makes triggers ready, at most the first MaxTriggers of list. Of several
// with one name the first counts.
func Load(list []schema.Trigger) *Set {
	s := &Set{}
	seen := map[string]bool{}
	for _, t := range list[:min(len(list), MaxTriggers)] {
		if seen[t.Name] {
			continue
		}
		seen[t.Name] = true
		condition, err := Compile(t.Condition)
		sum := sha256.Sum256([]byte(t.Condition))
		s.triggers = append(s.triggers, trigger{t, condition, err, hex.EncodeToString(sum[:8])})
	}
	return s
}

// Faults returns the triggers whose condition is not admitted; they never fire.
func (s *Set) Faults() []Fault {
	var faults []Fault
	for _, t := range s.triggers {
		if t.err != nil {
			faults = append(faults, Fault{t.Name, t.err})
		}
	}
	return faults
}

// Fire says which triggers fire for c, given what was remembered, and what is
// to be remembered now. It changes nothing that it is given.
func (s *Set) Fire(r Record, c Change) Outcome {
	c = c.finite()
	var out Outcome
	for _, t := range s.triggers {
		p, known := r.Past(t.Name)
		if !known {
			p = Past{Name: t.Name}
		}
		off := p.Off
		fired, err := t.step(&p, c)
		switch {
		case err != nil:
			out.Faults = append(out.Faults, Fault{t.Name, err})
		case fired != nil:
			out.Firings = append(out.Firings, *fired)
		case off == nil && p.Off != nil:
			out.Off = append(out.Off, t.Name)
		}
		out.Record.Triggers = append(out.Record.Triggers, p)
	}
	return out
}

// Force fires the trigger name because a person asked for it, whatever its
// condition says. False: there is none of that name.
func (s *Set) Force(r Record, name string, c Change) (Firing, Record, bool) {
	c = c.finite()
	r.Triggers = slices.Clone(r.Triggers)
	for _, t := range s.triggers {
		if t.Name != name {
			continue
		}
		firing := Firing{Trigger: name, Actions: slices.Clone(t.Actions), Previous: numbers(c.from()), Reason: "asked for"}
		for i, p := range r.Triggers {
			if p.Name == name && p.Condition != "" {
				firing.Previous = p.Previous
				if t.condition != nil && p.Condition == t.digest {
					t.fired(&p, c)
					r.Triggers[i] = p
				}
			}
		}
		return firing, r, true
	}
	return Firing{}, r, false
}

// step brings p up to c and says whether t fires.
func (t trigger) step(p *Past, c Change) (*Firing, error) {
	if !t.Enabled || p.Off != nil {
		*p = Past{Name: p.Name, Off: p.Off}
		return nil, nil
	}
	if t.condition == nil {
		return nil, nil // Faults has told
	}
	if c.NoState && !t.condition.onEvent() {
		return nil, nil
	}
	if p.Condition != t.digest && !c.NoState {
		*p = t.begin(c.from())
	}
	if !c.Own {
		p.Own = nil
	}
	if t.condition.onEvent() && c.Event == (Event{}) {
		return nil, nil
	}
	holds, err := t.condition.eval(c.scope(p.Previous))
	if err != nil {
		return nil, err
	}
	if !t.condition.onEvent() && !p.edge(holds, c.Now.Usage) {
		return nil, nil
	}
	if !holds || c.Own && !p.countOwn(c.At) {
		return nil, nil
	}
	firing := &Firing{
		Trigger:  t.Name,
		Actions:  slices.Clone(t.Actions),
		Previous: p.Previous,
		Reason:   t.condition.reason(p.Previous, c),
	}
	t.fired(p, c)
	return firing, nil
}

// begin is the past of a trigger that had none: v was seen first.
func (t trigger) begin(v Values) Past {
	p := Past{Name: t.Name, Condition: t.digest, Previous: numbers(v)}
	t.settle(&p, v)
	return p
}

// fired notes that t fired at the values of c.
func (t trigger) fired(p *Past, c Change) {
	if c.NoState {
		return
	}
	p.Previous = numbers(c.Now)
	t.settle(p, c.Now)
	if t.condition.onUsage() && !t.condition.onEvent() {
		p.Floor = &c.Now.Usage
	}
}

// settle arms p unless its condition holds at v with nothing changed.
func (t trigger) settle(p *Past, v Values) {
	if t.condition.onEvent() {
		return
	}
	still := Change{Now: v}
	holds, err := t.condition.eval(still.scope(numbers(v)))
	p.Armed = err != nil || !holds
	if !p.Armed && t.condition.onUsage() {
		p.Floor = &v.Usage
	}
}

// hysteresis is how far usage must come up, in points, from the lowest since a
// firing before the next.
const hysteresis = 5

// edge notes whether the condition holds, and says whether it may fire.
func (p *Past) edge(holds bool, usage float64) bool {
	risen := true
	if p.Floor != nil {
		low := math.Min(*p.Floor, usage)
		p.Floor = &low
		risen = usage-low >= hysteresis-1e-9
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

// from returns the values that a trigger without a past begins with.
func (c Change) from() Values {
	if c.Before != nil {
		return *c.Before
	}
	return c.Now
}

// scope is what a condition sees of c.
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
	}
}

// finite returns c without infinities, which JSON cannot remember.
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

func numbers(v Values) Previous {
	return Previous{Layer: v.Layer, Clarity: v.Clarity, Usage: v.Usage}
}
