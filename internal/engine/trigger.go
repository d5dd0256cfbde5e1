package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// An UnknownTriggerError reports that the tree has no trigger of a name.
type UnknownTriggerError struct {
	Name  string
	Known []string
}

func (e *UnknownTriggerError) Error() string { return fmt.Sprintf("there is no trigger %q", e.Name) }

// Trigger fires one trigger at the request of a person, without its condition, and
// switches it on again if the loop breaker had switched it off.
func (t *Tree) Trigger(ctx context.Context, name string) (Outcome, error) {
	return t.do(ctx, func(r *WorkingSet) error {
		if r.unconfigured != nil {
			return r.unconfigured
		}
		set := triggers.Load(triggerList(r.config, r.knobs))
		r.memory.Record = r.memory.Record.Enable(name)
		change := r.change(nil, triggers.Event{}, false)
		if change == nil {
			change = &triggers.Change{At: r.at, NoState: true}
		}
		firing, record, ok := set.Force(r.memory.Record, name, *change)
		if ok {
			r.memory.Record = record
		} else if firing, ok = r.eventFiring(name); !ok {
			return &UnknownTriggerError{Name: name, Known: names(r.allTriggers())}
		}
		return r.perform(cause{Firing: firing}, false)
	})
}

// A Standing is a trigger and its status.
type Standing struct {
	schema.Trigger
	LastFired time.Time // UTC; zero if it has not fired in this copy
	Off       *triggers.Off
	Fault     error // why its condition cannot be evaluated
}

// Triggers lists the triggers of a tree in the order of its configuration.
func Triggers(r fs.Reader) ([]Standing, error) {
	config, err := readConfig(r)
	if err != nil {
		return nil, err
	}
	memory, err := readMemory(r)
	if err != nil {
		return nil, err
	}
	k, err := knobs.Read(r)
	if err != nil {
		return nil, err
	}
	set := triggerList(config, k)
	list := slices.Concat(set, eventTriggers(r, config))
	faults := map[string]error{}
	for _, f := range triggers.Load(set).Faults() {
		faults[f.Trigger] = f.Err
	}
	var all []Standing
	for _, t := range list {
		s := Standing{Trigger: t, Fault: faults[t.Name], LastFired: memory.Fired[t.Name]}
		if past, ok := memory.Status(t.Name); ok {
			s.Off = past.Off
		}
		all = append(all, s)
	}
	return all, nil
}

// allTriggers returns the triggers on the State and the triggers on facts.
func (r *WorkingSet) allTriggers() []schema.Trigger {
	return slices.Concat(triggerList(r.config, r.knobs), eventTriggers(r.tx, r.config))
}

// eventTriggers returns the built-in triggers on facts that apply to a tree: those of
// sessions, threads and projects, if it has any, and those of the policy memfas.
func eventTriggers(r fs.Reader, c schema.Config) []schema.Trigger {
	has := map[string]bool{
		SummaryTrigger: hasSessions(r), CondenseTrigger: anyIn(r, "threads", "channels"),
		IdleTrigger: anyIn(r, "threads"), ProjectTrigger: anyIn(r, "projects"), RecoveryTrigger: true,
	}
	for _, name := range []string{ClusterTrigger, ArchiveTrigger, EmergencyTrigger} {
		has[name] = has[SummaryTrigger]
	}
	return slices.DeleteFunc(factTriggers(c), func(t schema.Trigger) bool {
		return !has[t.Name] || slices.ContainsFunc(c.RefreshTriggers, func(own schema.Trigger) bool { return own.Name == t.Name })
	})
}

// eventFiring returns the firing of one of eventTriggers at the request of a person.
func (r *WorkingSet) eventFiring(name string) (triggers.Firing, bool) {
	for _, t := range r.allTriggers() {
		if t.Name == name {
			return triggers.Firing{Trigger: name, Reason: "asked for", Actions: t.Actions}, true
		}
	}
	return triggers.Firing{}, false
}

// hasSessions reports whether the tree has sessions.
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
