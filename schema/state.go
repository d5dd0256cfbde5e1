package schema

// Schema is what a State's member `schema` says.
const Schema = "forgemind-context-v1"

// A State is the content of current-context.json and of its snapshots. A
// section that the document lacks is nil.
type State struct {
	Version           string        `json:"version,omitzero"`
	Schema            string        `json:"schema,omitzero"`
	Metadata          *Metadata     `json:"metadata,omitzero"`
	Role              *Role         `json:"role,omitzero"`
	Project           *Project      `json:"project,omitzero"`
	ContextWindow     *Window       `json:"context_window,omitzero"`
	LoadedArtifacts   []Artifact    `json:"loaded_artifacts"`
	RecentDecisions   []Decision    `json:"recent_decisions"`
	PendingActions    []Action      `json:"pending_actions"`
	OpenQuestions     []Question    `json:"open_questions"`
	AvailableCommands []Command     `json:"available_commands"`
	SessionStats      *SessionStats `json:"session_stats,omitzero"`
}

// Metadata says when and by whom the State was written, and in which session.
type Metadata struct {
	Timestamp       string  `json:"timestamp,omitzero"`
	SessionID       string  `json:"session_id,omitzero"`
	SessionStart    string  `json:"session_start,omitzero"`
	DurationMinutes float64 `json:"session_duration_minutes"`
	LastUpdatedBy   string  `json:"last_updated_by,omitzero"`
}

// A Role is the agent that the State belongs to.
type Role struct {
	Agent        string   `json:"agent"`
	AgentID      string   `json:"agent_id"`
	AgentVersion string   `json:"agent_version,omitzero"`
	Mode         string   `json:"mode"`
	Capabilities []string `json:"capabilities,omitzero"`
}

// A Project is where the project stands.
type Project struct {
	Name         string  `json:"name"`
	ID           string  `json:"id,omitzero"`
	CurrentIdea  string  `json:"current_idea,omitzero"`
	CurrentLayer Int     `json:"current_layer"` // 0 to 5; see LayerName
	LayerName    string  `json:"layer_name,omitzero"`
	Clarity      float64 `json:"clarity"` // percent
	Status       string  `json:"status,omitzero"`
	// Progress holds what was reached in each layer; the key is its number.
	Progress map[string]Progress `json:"progress,omitzero"`
}

// Values of the status of a project that forgemind gives; people may give others.
const (
	NotStarted = "Not Started"
	InProgress = "In Progress"
)

// Progress is what was reached in one layer.
type Progress struct {
	Entered     string  `json:"entered,omitzero"`
	Clarity     float64 `json:"clarity"` // percent
	Best        float64 `json:"best"`    // percent
	Invalidated bool    `json:"invalidated"`
}

// A Window is the context window and what fills it.
type Window struct {
	TotalTokens     Int     `json:"total_tokens,omitzero"`
	UsedTokens      Int     `json:"used_tokens"`
	UsagePercent    float64 `json:"usage_percent"` // 100 × used / total
	AvailableTokens Int     `json:"available_tokens"`
	// OtherTokens are those in the window that no artifact holds: messages,
	// the system prompt, tools.
	OtherTokens             map[string]Int `json:"other_tokens,omitzero"`
	Counter                 string         `json:"counter,omitzero"` // what counted the tokens
	CompactionThreshold     float64        `json:"compaction_threshold_percent,omitzero"`
	EmergencyThreshold      float64        `json:"emergency_threshold_percent,omitzero"`
	NeedsCompaction         bool           `json:"needs_compaction"`
	LastCompaction          string         `json:"last_compaction,omitzero"`
	CompressionsThisSession Int            `json:"compressions_this_session"`
}

// SessionStats are the figures of the session, as of the last checkpoint.
type SessionStats struct {
	MessagesExchanged  Int `json:"messages_exchanged"`
	ClarificationsMade Int `json:"clarifications_made"`
	DecisionsRecorded  Int `json:"decisions_recorded"`
	FilesUpdated       Int `json:"files_updated"`
	GitCommits         Int `json:"git_commits"`
	CommandsExecuted   Int `json:"commands_executed"`
	ErrorsEncountered  Int `json:"errors_encountered"`
}
