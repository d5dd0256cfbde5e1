package schema

// A ProjectRecord is the project.json of a project that has a CONTEXT.md.
type ProjectRecord struct {
	ID          string   `json:"id,omitzero"`
	Name        string   `json:"name"`
	Channels    []string `json:"channels"`
	Phase       string   `json:"phase,omitzero"`
	Active      string   `json:"active,omitzero"`
	Blocked     string   `json:"blocked,omitzero"`
	Constraints []string `json:"constraints,omitzero"`
	Created     string   `json:"created,omitzero"`
}
