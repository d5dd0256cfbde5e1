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
	Continues    string   `json:"continues,omitzero"` // the session that this one carries on
	Fragment     string   `json:"fragment,omitzero"`  // name of the fragment that was made of it
	Completed    []Done   `json:"completed,omitzero"` // the goals and actions that left its hot context
	Removed      []string `json:"removed,omitzero"`   // the constraints that were removed: ids, or texts of those without one
}

// A Done is a goal or an action of a session that is complete.
type Done struct {
	ID           string `json:"id,omitzero"`
	Goal         string `json:"goal,omitzero"`   // of a goal
	Action       string `json:"action,omitzero"` // of an action
	Priority     string `json:"priority,omitzero"`
	Created      string `json:"created,omitzero"`
	Agent        string `json:"agent,omitzero"` // who set it
	ParentGoalID string `json:"parent_goal_id,omitzero"`
	Completed    string `json:"completed,omitzero"` // when
	CompletedBy  string `json:"completed_by,omitzero"`
}
