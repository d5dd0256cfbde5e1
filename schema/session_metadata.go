package schema

// SessionMetadata is the metadata.json of a session.
type SessionMetadata struct {
	SessionID    string   `json:"session_id,omitzero"`
	Started      string   `json:"started,omitzero"`
	LastActivity string   `json:"last_activity,omitzero"`
	MessageCount Int      `json:"message_count"`
	Title        string   `json:"title,omitzero"`
	Status       string   `json:"status,omitzero"` // active, archived
	Agents       []string `json:"agents,omitzero"`
	PrimaryFiles []string `json:"primary_files,omitzero"`
	Tags         []string `json:"tags,omitzero"`
	Continues    string   `json:"continues,omitzero"` // the session that this one continues
	Fragment     string   `json:"fragment,omitzero"`  // the file name of the fragment made from it
	Completed    []Done   `json:"completed,omitzero"` // goals and actions that were removed from the hot context
	Removed      []string `json:"removed,omitzero"`   // removed constraints: ids, or the texts of those without id
}

// A Done is a completed goal or action of a session.
type Done struct {
	ID           string `json:"id,omitzero"`
	Goal         string `json:"goal,omitzero"`   // text of a goal
	Action       string `json:"action,omitzero"` // text of an action
	Priority     string `json:"priority,omitzero"`
	Created      string `json:"created,omitzero"`
	Agent        string `json:"agent,omitzero"` // the agent that set it
	ParentGoalID string `json:"parent_goal_id,omitzero"`
	Completed    string `json:"completed,omitzero"` // the time of completion
	CompletedBy  string `json:"completed_by,omitzero"`
}
