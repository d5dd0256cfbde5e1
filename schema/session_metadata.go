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
}
