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
		set := triggers.Load(triggerList(r.config, r.knobs))
		r.memory.Record = r.memory.Record.Enable(name)
		change := r.change(nil, []occasion{{}}, false)
		if change == nil {
			change = &triggers.Change{At: r.at, NoState: true}
		}
		forced, record, ok := set.Force(r.memory.Record, name, *change)
		if ok {
			r.memory.Record = record
		} else if forced, ok = r.ofEvents(name); !ok {
			return &UnknownTrigger{Name: name, Known: names(r.allTriggers())}
		}
		fired := r.act(firing{Firing: forced})
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

// allTriggers are the configured triggers, and those that no condition fires.
func (r *round) allTriggers() []schema.Trigger {
	return slices.Concat(triggerList(r.config, r.knobs), eventTriggers(r.tx, r.config))
}

// eventTriggers returns the program's own triggers on facts that a tree can have: of
// sessions, threads and projects, where it has any, and of the policy memfas.
func eventTriggers(r fs.Reader, c schema.Config) []schema.Trigger {
	has := map[string]bool{
		SummaryTrigger: hasSessions(r), CondenseTrigger: anyBelow(r, fs.ThreadsDir, fs.ChannelsDir, fs.CondensationsDir),
		IdleTrigger: anyBelow(r, fs.ThreadsDir), ProjectTrigger: anyBelow(r, "projects"), RecoveryTrigger: true,
	}
	for _, name := range []string{ClusterTrigger, ArchiveTrigger, EmergencyTrigger} {
		has[name] = has[SummaryTrigger]
	}
	return slices.DeleteFunc(factTriggers(c), func(t schema.Trigger) bool {
		return !has[t.Name] || slices.ContainsFunc(c.RefreshTriggers, func(own schema.Trigger) bool { return own.Name == t.Name })
	})
}

// ofEvents is the firing of one of eventTriggers, by hand.
func (r *round) ofEvents(name string) (triggers.Firing, bool) {
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
