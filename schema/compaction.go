package schema

// The compaction policies.
const (
	PolicyForgemind = "forgemind"
	PolicyQuaid     = "quaid"
	PolicyMemfas    = "memfas"
)

// Compaction names a policy and overrides its thresholds.
type Compaction struct {
	Policy     string      `json:"policy,omitzero"` // forgemind where it is empty
	Thresholds *Thresholds `json:"thresholds,omitzero"`
	// WindowTokens is the context window that a session fills where no State
	// says how large it is, in tokens; 0 is 8,000, as in the Quaid document.
	WindowTokens Int `json:"window_tokens,omitzero"`
}

// Thresholds say when a policy does what; one that is reached counts as passed.
// Zero: the policy has none, or (in config.json) its own holds.
type Thresholds struct {
	// forgemind, in percent of the window
	Light      float64 `json:"light,omitzero"`
	Medium     float64 `json:"medium,omitzero"`
	Aggressive float64 `json:"aggressive,omitzero"`
	Emergency  float64 `json:"emergency,omitzero"` // of quaid too
	// quaid, in messages of the session
	SummaryMessages Int `json:"summary_messages,omitzero"` // each so many
	ClusterMessages Int `json:"cluster_messages,omitzero"`
	ArchiveMessages Int `json:"archive_messages,omitzero"`
	// memfas, in percent of the window
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

// Resolve returns the policy that c chooses and the thresholds that hold for
// it. A nil c, and an unknown policy, choose forgemind.
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

// SessionWindow is the context window that a session fills where no State says how
// large it is, in tokens: that of the Quaid document where c does not say.
func (c *Compaction) SessionWindow() int {
	if c == nil || c.WindowTokens == 0 {
		return 8000
	}
	return int(c.WindowTokens)
}

// Chosen says whether a configuration chooses a policy, or thresholds of one; where
// it does not, those that a State names hold.
func (c *Compaction) Chosen() bool { return c != nil && (c.Policy != "" || c.Thresholds != nil) }

// Window returns what the State says of a policy, in percent:
// compaction_threshold_percent and emergency_threshold_percent.
func (t Thresholds) Window() (compaction, emergency float64) {
	switch {
	case t.HardLimit != 0:
		return t.Compaction, t.HardLimit
	case t.Medium != 0:
		return t.Medium, t.Emergency
	}
	return t.Emergency, t.Emergency
}
