package schema

// A Config is config.json. A missing section is nil, and a missing member of a section
// has the zero value: the default applies.
type Config struct {
	// Format is 2 in trees that store facts as records; see package records. Older
	// trees have no format: a fact that is only in a view stays there until it is
	// changed.
	Format Int `json:"format,omitzero"`
	// Views is TrackedViews if git tracks the views. Otherwise each working copy has
	// its own views.
	Views string `json:"views,omitzero"`
	// Copies is CopiesOff if ignored files are not copied to a place outside of the
	// tree.
	Copies            string      `json:"copies,omitzero"`
	RefreshTriggers   []Trigger   `json:"refresh_triggers,omitzero"`
	Compaction        *Compaction `json:"compaction,omitzero"`
	Loader            *Loader     `json:"loader,omitzero"`
	Validation        *Validation `json:"validation,omitzero"`
	Agents            *Agents     `json:"agents,omitzero"`
	AvailableCommands []Command   `json:"available_commands,omitzero"`
	// Entities are further names to look for in messages, besides those found by rules:
	// files, functions, technologies, people, concepts.
	Entities map[string][]string `json:"entities,omitzero"`
}

// TrackedViews is the value of Config.Views if git tracks the views beside the records.
const TrackedViews = "tracked"

// CopiesOff is the value of Config.Copies if no copies are made outside of the tree.
const CopiesOff = "off"

// RecordsFormat is the format of trees that store facts as records.
const RecordsFormat = 2

// Records reports whether each fact in a view of the tree must also be a record.
func (c Config) Records() bool { return c.Format >= RecordsFormat }

// LocalViews reports whether git ignores the views of the tree, so that each working
// copy renders its own.
func (c Config) LocalViews() bool { return c.Records() && c.Views != TrackedViews }

// A Trigger runs its Actions when its Condition becomes true.
type Trigger struct {
	Name      string   `json:"name"`
	Enabled   bool     `json:"enabled"` // true if the document has no such member
	Condition string   `json:"condition"`
	Actions   []string `json:"actions"`
}

// UnmarshalJSON reads an object. A trigger is enabled by default.
func (t *Trigger) UnmarshalJSON(src []byte) error {
	*t = Trigger{Enabled: true}
	return unmarshal(src, nil,
		as(&t.Name, "name"), as(&t.Enabled, "enabled"), as(&t.Condition, "condition"), as(&t.Actions, "actions"))
}

// A Loader configures how artifacts are found, kept and unloaded.
type Loader struct {
	// Paths are the places of an artifact's file, tried in order. `<type>` and `<ID>`
	// stand for the type and the id of the artifact.
	Paths            []string `json:"paths,omitzero"`
	CacheMaxBytes    Int      `json:"cache_max_bytes,omitzero"`
	CacheMaxEntries  Int      `json:"cache_max_entries,omitzero"`
	ThresholdMinutes float64  `json:"threshold_minutes,omitzero"` // the time without access after which an artifact is unloaded
}

// Validation sets the severity of findings, and which are accepted.
type Validation struct {
	Severity map[string]string `json:"severity,omitzero"` // rule → error, warning or off
	Rules    []RuleSeverity    `json:"rules,omitzero"`
	Ignore   []IgnoredRule     `json:"ignore,omitzero"`
	Schemas  []TeamSchema      `json:"schemas,omitzero"`
}

// A RuleSeverity is the severity of a rule in the documents whose path matches Path, or
// in all documents. The last one that matches counts.
type RuleSeverity struct {
	Rule     string `json:"rule"`
	Path     string `json:"path,omitzero"` // a pattern for paths, relative to the project directory
	Severity string `json:"severity"`      // error, warning or off
}

// A TeamSchema is a JSON Schema of the repository that judges the documents whose path
// matches Match. Both paths are relative to the project directory.
type TeamSchema struct {
	Match  string `json:"match"`
	Schema string `json:"schema"`
}

// An IgnoredRule accepts the findings of a rule in the documents whose path matches Path.
type IgnoredRule struct {
	Rule   string `json:"rule"`
	Path   string `json:"path"` // a pattern for paths, relative to the project directory
	Reason string `json:"reason"`
}

// Agents configures the roles of agents in conversations.
type Agents struct {
	Boss []string `json:"boss,omitzero"` // agents whose decisions count as decisions of the boss
	// DecisionPhrases mark a decision: a message of a boss that contains one of them,
	// in upper or lower case, is a decision.
	DecisionPhrases []string `json:"decision_phrases,omitzero"`
}

// DefaultBosses returns the agents whose decisions count as decisions of the boss if
// config.json names none.
func DefaultBosses() []string { return []string{"Boss", "user"} }

// DefaultDecisionPhrases returns the phrases that apply if config.json has none.
func DefaultDecisionPhrases() []string {
	return []string{
		"decision:", "decided", "we decide", "i decide", "let's go with", "let us go with", "we go with", "we'll go with",
		"i choose", "we choose", "final answer", "approved", "we will use", "we'll use", "use this instead", "from now on",
		"we chose", "we've chosen", "we have chosen", "agreed on", "settled on", "we're going with", "we are going with", "let's use", "let us use",
		"entscheidung:", "entschieden", "beschlossen", "geeinigt", "wir entscheiden uns für",
		"我们决定", "决定使用", "决定采用", "最终决定", "我们选择", "我们选定",
	}
}

// DefaultPaths returns the places of an artifact's file if config.json has none.
func DefaultPaths() []string { return []string{".dev/current/<type>s/<ID>/current.md"} }
