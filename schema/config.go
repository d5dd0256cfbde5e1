package schema

import (
	"slices"
	"strings"
)

// A Config is config.json. A section that the document lacks is nil, and what
// it lacks inside a section is the zero value: the default holds.
type Config struct {
	// Format is 2 in trees whose facts are records; see package records. Older trees
	// have none: what stands only in a view stays there until it is changed.
	Format Int `json:"format,omitzero"`
	// Views is TrackedViews where git tracks the views; else each working copy has its
	// own.
	Views             string       `json:"views,omitzero"`
	RefreshTriggers   []Trigger    `json:"refresh_triggers,omitzero"`
	Compaction        *Compaction  `json:"compaction,omitzero"`
	Loader            *Loader      `json:"loader,omitzero"`
	Validation        *Validation  `json:"validation,omitzero"`
	Agents            *Agents      `json:"agents,omitzero"`
	Discussions       *Discussions `json:"discussions,omitzero"`
	AvailableCommands []Command    `json:"available_commands,omitzero"`
	// Entities are names to look for in messages besides those that rules find:
	// files, functions, technologies, people, concepts.
	Entities map[string][]string `json:"entities,omitzero"`
}

// TrackedViews is the setting of a tree whose views git tracks beside the records.
const TrackedViews = "tracked"

// RecordsFormat is the format of trees whose facts are records.
const RecordsFormat = 2

// Records reports whether whatever stands in a view of the tree is to be a record.
func (c Config) Records() bool { return c.Format >= RecordsFormat }

// A Trigger fires its Actions when its Condition comes to hold.
type Trigger struct {
	Name      string   `json:"name"`
	Enabled   bool     `json:"enabled"` // true where the document does not say
	Condition string   `json:"condition"`
	Actions   []string `json:"actions"`
}

// UnmarshalJSON reads an object; a trigger is enabled unless it says otherwise.
func (t *Trigger) UnmarshalJSON(src []byte) error {
	*t = Trigger{Enabled: true}
	return unmarshal(src, nil,
		as(&t.Name, "name"), as(&t.Enabled, "enabled"), as(&t.Condition, "condition"), as(&t.Actions, "actions"))
}

// A Loader says how artifacts are found, kept and let go.
type Loader struct {
	// Paths are where an artifact's file may be, tried in order; `<type>` and
	// `<ID>` stand for the artifact's own.
	Paths            []string `json:"paths,omitzero"`
	CacheMaxBytes    Int      `json:"cache_max_bytes,omitzero"`
	CacheMaxEntries  Int      `json:"cache_max_entries,omitzero"`
	ThresholdMinutes float64  `json:"threshold_minutes,omitzero"` // unloaded when not accessed for so long
}

// Validation sets how much findings weigh.
type Validation struct {
	Severity map[string]string `json:"severity,omitzero"` // rule → error, warning or off
}

// Agents says who is who in conversations.
type Agents struct {
	Boss []string `json:"boss,omitzero"` // agents whose decisions are the boss's
	// DecisionPhrases make a decision of a boss's message that contains one,
	// in whatever case.
	DecisionPhrases []string `json:"decision_phrases,omitzero"`
}

// Discussions says whom to believe in threads and channels.
type Discussions struct {
	// Trusted names, by channel, the speakers whose decisions count in the files that chat bridges
	// write. "*" stands for every channel, or for everybody.
	Trusted map[string][]string `json:"trusted,omitzero"`
}

// DefaultBosses are the agents whose decisions are the boss's where config.json
// names none.
func DefaultBosses() []string { return []string{"Boss", "user"} }

// Bosses returns the agents whose decisions are the boss's; never none.
func (c Config) Bosses() []string {
	if c.Agents != nil && len(c.Agents.Boss) > 0 {
		return c.Agents.Boss
	}
	return DefaultBosses()
}

// IsBoss reports whether an agent is one of Bosses, in whatever case.
func (c Config) IsBoss(agent string) bool {
	return slices.ContainsFunc(c.Bosses(), func(boss string) bool { return strings.EqualFold(boss, agent) })
}

// DecisionPhrases returns what gives away that a message decides something.
func (c Config) DecisionPhrases() []string {
	if c.Agents != nil && c.Agents.DecisionPhrases != nil {
		return c.Agents.DecisionPhrases
	}
	return DefaultDecisionPhrases()
}

// DefaultDecisionPhrases hold where config.json has none.
func DefaultDecisionPhrases() []string {
	return []string{
		"decision:", "decided", "we decide", "i decide", "let's go with", "let us go with", "we go with", "we'll go with",
		"i choose", "we choose", "final answer", "approved", "we will use", "we'll use", "use this instead", "from now on",
	}
}

// DefaultPaths are where an artifact's file is looked for where config.json
// does not say.
func DefaultPaths() []string { return []string{".dev/current/<type>s/<ID>/current.md"} }
