package triggers

import (
	"maps"
	"slices"
	"strings"
)

// Facts are what happened, by the names that conditions have for it: a float64, or a bool.
type Facts map[string]any

// The names of facts. A condition that uses one is evaluated when something happens of
// which all its facts are known, and never for a change of the State.
const (
	MessageRequestsCondensation = "message_requests_condensation" // somebody asks to have a discussion condensed
	ThreadIdleDays              = "thread_idle_days"              // how long nobody has spoken in a thread
	ProjectChanged              = "project_changed"               // a decision of a project is recorded, or its project.json changes
	UserPrompted                = "user_prompted"                 // a user says something
	SessionMessages             = "session_messages"              // of the active session
	MessagesSinceSummary        = "messages_since_summary"        // of the active session, since its summary was due last
	MessagesSinceCluster        = "messages_since_cluster"        // since similar messages were last to be gathered
	MessagesSinceArchive        = "messages_since_archive"        // since the session was to be archived
	SessionUsagePercent         = "session_usage_percent"         // of the context window, with the session in it
)

// factKinds returns the names of facts with their kinds.
func factKinds() map[string]kind {
	return map[string]kind{
		MessageRequestsCondensation: boolKind, ProjectChanged: boolKind, UserPrompted: boolKind,
		ThreadIdleDays: numberKind, SessionMessages: numberKind, SessionUsagePercent: numberKind,
		MessagesSinceSummary: numberKind, MessagesSinceCluster: numberKind, MessagesSinceArchive: numberKind,
	}
}

// FactNames returns the names of facts, sorted.
func FactNames() []string { return slices.Sorted(maps.Keys(factKinds())) }

// factScope has the values of facts in a condition.
type factScope struct {
	MessageRequestsCondensation bool    `expr:"message_requests_condensation"`
	ThreadIdleDays              float64 `expr:"thread_idle_days"`
	ProjectChanged              bool    `expr:"project_changed"`
	UserPrompted                bool    `expr:"user_prompted"`
	SessionMessages             float64 `expr:"session_messages"`
	MessagesSinceSummary        float64 `expr:"messages_since_summary"`
	MessagesSinceCluster        float64 `expr:"messages_since_cluster"`
	MessagesSinceArchive        float64 `expr:"messages_since_archive"`
	SessionUsagePercent         float64 `expr:"session_usage_percent"`
}

func (f Facts) scope() factScope {
	number := func(name string) float64 { v, _ := f[name].(float64); return v }
	holds := func(name string) bool { v, _ := f[name].(bool); return v }
	return factScope{
		MessageRequestsCondensation: holds(MessageRequestsCondensation), ThreadIdleDays: number(ThreadIdleDays),
		ProjectChanged: holds(ProjectChanged), UserPrompted: holds(UserPrompted), SessionMessages: number(SessionMessages),
		MessagesSinceSummary: number(MessagesSinceSummary), MessagesSinceCluster: number(MessagesSinceCluster),
		MessagesSinceArchive: number(MessagesSinceArchive), SessionUsagePercent: number(SessionUsagePercent),
	}
}

// know reports whether facts have all that are named.
func (f Facts) know(names []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { _, ok := f[name]; return !ok })
}

// factsIn returns the names of the facts that a condition uses, sorted, without compiling it.
func factsIn(condition string) (names []string) {
	for _, name := range FactNames() {
		if strings.Contains(condition, name) && slices.Contains(wordsOf(condition), name) {
			names = append(names, name)
		}
	}
	return names
}

// lasts reports whether the condition uses a fact that stays true for more than one
// message.
func (c *Condition) lasts() bool {
	return slices.ContainsFunc(c.facts, func(name string) bool {
		return strings.HasPrefix(name, "session_") || strings.HasPrefix(name, "messages_since_")
	})
}

// Occur returns the triggers that fire for facts after r, and the new Record. now is asked
// for the values of the State once, if a condition uses one. What stays true fires again,
// with Again set.
func (s *Set) Occur(r Record, facts Facts, now func() Values) Outcome {
	out := Outcome{Record: r}
	change, asked := Change{Facts: facts}, false
	for _, t := range s.triggers {
		if !t.Enabled || len(t.facts) == 0 || !facts.know(t.facts) {
			continue
		}
		if t = t.compiled(); t.condition == nil {
			continue
		}
		p, known := r.Status(t.Name)
		if known && p.Off != nil {
			continue
		}
		if !asked && len(t.condition.names) > len(t.facts) {
			change.Now, asked = now().finite(), true
		}
		previous := previousOf(change.Now)
		holds, err := t.condition.eval(change.scope(previous))
		if err != nil {
			out.Faults = append(out.Faults, Fault{t.Name, err})
			continue
		}
		again := known && p.Condition == t.digest && !p.Armed
		if t.condition.lasts() && holds != again {
			out.Record = out.Record.with(TriggerStatus{Name: t.Name, Condition: t.digest, Armed: !holds})
		}
		if holds {
			out.Firings = append(out.Firings, Firing{
				Trigger: t.Name, Actions: slices.Clone(t.Actions), Previous: previous, Again: again,
				Reason: t.condition.reason(previous, change),
			})
		}
	}
	return out
}
