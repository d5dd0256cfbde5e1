package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/internal/views"
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
		if known := names(occurring(r.tx, r.config, r.table())); !slices.Contains(known, name) {
			return &UnknownTrigger{Name: name, Known: known}
		}
		r.memory.Record = r.memory.Record.Enable(name)
		change := r.change(nil, []occasion{{}}, false)
		if change == nil {
			change = &triggers.Change{At: r.at, NoState: true}
		}
		forced, record, _ := r.triggers().Force(r.memory.Record, name, *change)
		r.memory.Record = record
		return r.act(firing{Firing: forced})
	})
}

// A Standing is a trigger and where it stands.
type Standing struct {
	schema.Trigger
	LastFired time.Time // UTC; zero: it has not fired in this copy
	Off       *triggers.Off
	Fault     error  // why its condition cannot be judged
	Waits     string // why it does not fire when its condition holds, for people; "" if it does
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
	list := occurring(r, config, triggerTable(config, k))
	set, faults := triggers.Load(list), map[string]error{}
	for _, f := range set.Faults() {
		faults[f.Trigger] = f.Err
	}
	var s schema.State
	_, noState := views.Decode(r, fs.State, &s)
	waits := set.Waiting(memory.Record, !missing(noState))
	policy, other := otherPolicy(s, config)
	var all []Standing
	for _, t := range list {
		switch onUsage := strings.Contains(t.Condition, triggers.SessionUsagePercent); {
		case onUsage && other:
			waits[t.Name] = "the policy " + policy + " looks after the window, which is the State's"
		case onUsage && waits[t.Name] != "" && slices.Contains(t.Actions, compactAction):
			waits[t.Name] = triggers.FiresFrom(memory.TalkFloor)
		}
		s := Standing{Trigger: t, Fault: faults[t.Name], LastFired: memory.Fired[t.Name], Waits: waits[t.Name]}
		if past, ok := memory.Status(t.Name); ok {
			s.Off = past.Off
		}
		all = append(all, s)
	}
	return all, nil
}

// triggerTable returns all triggers that a tree can have: those of the policy, those of config.json, which are
// the documents' six if it lists none, and those of sessions, threads and projects. A trigger of config.json
// stands for the program's own of the same name.
func triggerTable(c schema.Config, k knobs.Set) []schema.Trigger {
	list := triggers.Configured(c)
	own := func(all []schema.Trigger) []schema.Trigger {
		return slices.DeleteFunc(all, func(t schema.Trigger) bool { return slices.Contains(names(list), t.Name) })
	}
	return slices.Concat(own(memfasTriggers(c, k)), list, own(sessionTriggers(c)), own(recoveryTrigger(c)), own(lifecycleTriggers()))
}

// table returns the triggers of the tree.
func (r *round) table() []schema.Trigger { return triggerTable(r.config, r.knobs) }

// triggers returns the compiled triggers of the tree.
func (r *round) triggers() *triggers.Set {
	if r.compiled == nil {
		r.compiled = triggers.Load(r.table())
	}
	return r.compiled
}

// occurring returns the triggers of a table on facts that the tree can have: the program's own on
// sessions, threads and projects are those of trees that have some.
func occurring(r fs.Reader, c schema.Config, table []schema.Trigger) []schema.Trigger {
	sessions := hasSessions(r)
	has := map[string]bool{
		SummaryTrigger: sessions, ClusterTrigger: sessions, ArchiveTrigger: sessions, EmergencyTrigger: sessions,
		CondenseTrigger: anyBelow(r, fs.ThreadsDir, fs.ChannelsDir, fs.CondensationsDir),
		IdleTrigger:     anyBelow(r, fs.ThreadsDir), ProjectTrigger: anyBelow(r, "projects"),
	}
	configured := names(c.RefreshTriggers)
	return slices.DeleteFunc(table, func(t schema.Trigger) bool {
		can, own := has[t.Name]
		return own && !can && !slices.Contains(configured, t.Name)
	})
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
