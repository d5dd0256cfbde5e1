package schema

// The compaction policies.
const (
	PolicyForgemind = "forgemind"
	PolicyQuaid     = "quaid"
	PolicyMemfas    = "memfas"
)

// Compaction chooses a policy and overrides its thresholds.
type Compaction struct {
	Policy     string      `json:"policy,omitzero"` // "" means forgemind
	Thresholds *Thresholds `json:"thresholds,omitzero"`
	// WindowTokens is the size of the context window in tokens, used for sessions if no
	// State has one. 0 means 8,000, as in the Quaid document.
	WindowTokens Int `json:"window_tokens,omitzero"`
}

// Thresholds are the values at which a policy acts; a value equal to the threshold
// counts. Zero means that the policy has no such threshold, or in config.json that the
// default of the policy applies.
type Thresholds struct {
	// Thresholds of the policy forgemind, in percent of the window.
	Light      float64 `json:"light,omitzero"`
	Medium     float64 `json:"medium,omitzero"`
	Aggressive float64 `json:"aggressive,omitzero"`
	Emergency  float64 `json:"emergency,omitzero"` // also of the policy quaid
	// Thresholds of the policy quaid, in messages of the session.
	SummaryMessages Int `json:"summary_messages,omitzero"` // a summary after each so many messages
	ClusterMessages Int `json:"cluster_messages,omitzero"`
	ArchiveMessages Int `json:"archive_messages,omitzero"`
	// Thresholds of the policy memfas, in percent of the window.
	Curation   float64 `json:"curation,omitzero"`
	Compaction float64 `json:"compaction,omitzero"`
	HardLimit  float64 `json:"hard_limit,omitzero"`
}

// Policies returns the thresholds of each policy by its name.
func Policies() map[string]Thresholds {
	return map[string]Thresholds{
		PolicyForgemind: {Light: 50, Medium: 70, Aggressive: 80, Emergency: 90},
		PolicyQuaid:     {SummaryMessages: 15, ClusterMessages: 50, ArchiveMessages: 100, Emergency: 80},
		PolicyMemfas:    {Curation: 40, Compaction: 50, HardLimit: 85},
	}
}

// Resolve returns the policy of c and its thresholds. The policy is forgemind if c is
// nil or names an unknown one.
func (c *Compaction) Resolve() (policy string, t Thresholds) {
	policy, set := PolicyForgemind, Thresholds{}
	if c != nil {
		if _, known := Policies()[c.Policy]; known {
			policy = c.Policy
		}
		if c.Thresholds != nil {
			set = *c.Thresholds
		}
	}
	t = Policies()[policy]
	for _, o := range []struct {
		into *float64
		set  float64
	}{
		{&t.Light, set.Light}, {&t.Medium, set.Medium}, {&t.Aggressive, set.Aggressive}, {&t.Emergency, set.Emergency},
		{&t.Curation, set.Curation}, {&t.Compaction, set.Compaction}, {&t.HardLimit, set.HardLimit},
	} {
		if *o.into != 0 && o.set != 0 {
			*o.into = o.set
		}
	}
	for _, o := range []struct{ into, set *Int }{
		{&t.SummaryMessages, &set.SummaryMessages}, {&t.ClusterMessages, &set.ClusterMessages}, {&t.ArchiveMessages, &set.ArchiveMessages},
	} {
		if *o.into != 0 && *o.set != 0 {
			*o.into = *o.set
		}
	}
	return policy, t
}

// SessionWindow returns the size of the context window in tokens, used for sessions if
// no State has one. The default is that of the Quaid document.
func (c *Compaction) SessionWindow() int {
	if c == nil || c.WindowTokens == 0 {
		return 8000
	}
	return int(c.WindowTokens)
}

// Chosen reports whether the configuration sets a policy or thresholds. If not, the
// thresholds of the State apply.
func (c *Compaction) Chosen() bool { return c != nil && (c.Policy != "" || c.Thresholds != nil) }

// Window returns the values of compaction_threshold_percent and
// emergency_threshold_percent of a State for the thresholds t, in percent.
func (t Thresholds) Window() (compaction, emergency float64) {
	switch {
	case t.HardLimit != 0:
		return t.Compaction, t.HardLimit
	case t.Medium != 0:
		return t.Medium, t.Emergency
	}
	return t.Emergency, t.Emergency
}
