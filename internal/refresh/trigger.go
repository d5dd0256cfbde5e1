package refresh

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// An UnknownTrigger is the name of a trigger that the tree has not.
type UnknownTrigger struct {
	Name  string
	Known []string
}

func (e *UnknownTrigger) Error() string { return fmt.Sprintf("there is no trigger %q", e.Name) }

// Trigger fires one trigger because a person asks for it, whatever its
// condition says, and switches it on again if the loop breaker had it off.
func (t *Tree) Trigger(ctx context.Context, name string) (Outcome, error) {
	return t.do(ctx, func(r *round) error {
		if r.unconfigured != nil {
			return r.unconfigured
		}
		set := triggers.Load(triggerList(r.config))
		r.memory.Record = r.memory.Record.Enable(name)
		change := r.change(nil, triggers.Event{}, false)
		if change == nil {
			change = &triggers.Change{At: r.at, NoState: true}
		}
		firing, record, ok := set.Force(r.memory.Record, name, *change)
		if ok {
			r.memory.Record = record
		} else if firing, ok = r.ofSessions(name); !ok {
			return &UnknownTrigger{Name: name, Known: names(r.allTriggers())}
		}
		fired := r.act(firing, false)
		if err := fired.lost(); err != nil {
			return err
		}
		r.out.Fired = append(r.out.Fired, fired)
		r.memory.fired(name, r.at)
		return nil
	})
}

// A Standing is a trigger and where it stands.
type Standing struct {
	schema.Trigger
	LastFired time.Time // UTC; zero: it has not fired in this copy
	Off       *triggers.Off
	Fault     error // why its condition cannot be judged
}

// Triggers lists the triggers of a tree in the order of its configuration.
func Triggers(r fs.Reader) ([]Standing, error) {
	config, err := readConfig(r)
	if err != nil {
		return nil, err
	}
	memory, err := recollect(r)
	if err != nil {
		return nil, err
	}
	list := triggerList(config)
	set := list
	if hasSessions(r) {
		list = slices.Concat(list, SessionTriggers(config))
	}
	faults := map[string]error{}
	for _, f := range triggers.Load(set).Faults() {
		faults[f.Trigger] = f.Err
	}
	var all []Standing
	for _, t := range list {
		s := Standing{Trigger: t, Fault: faults[t.Name], LastFired: memory.Fired[t.Name]}
		if past, ok := memory.Past(t.Name); ok {
			s.Off = past.Off
		}
		all = append(all, s)
	}
	return all, nil
}

// allTriggers are the configured triggers and, where the tree has sessions, theirs.
func (r *round) allTriggers() []schema.Trigger {
	list := triggerList(r.config)
	if hasSessions(r.tx) {
		list = slices.Concat(list, SessionTriggers(r.config))
	}
	return list
}

// ofSessions is the firing of a trigger that sessions have, by hand.
func (r *round) ofSessions(name string) (triggers.Firing, bool) {
	for _, t := range r.allTriggers() {
		if t.Name == name {
			return triggers.Firing{Trigger: name, Reason: "asked for", Actions: t.Actions}, true
		}
	}
	return triggers.Firing{}, false
}

// hasSessions says whether the tree has sessions.
func hasSessions(r fs.Reader) bool {
	for range r.Names(fs.Sessions) {
		return true
	}
	return false
}

func names(list []schema.Trigger) []string {
	var all []string
	for _, t := range list {
		all = append(all, t.Name)
	}
	return all
}
