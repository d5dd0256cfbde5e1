package schema

// An Artifact is a file that is, or could be, in the context window.
type Artifact struct {
	Type         string  `json:"type,omitzero"`
	ID           string  `json:"id"`
	Name         string  `json:"name,omitzero"`
	Path         string  `json:"path,omitzero"` // relative to the project directory
	Loaded       bool    `json:"loaded"`
	LoadLayer    Int     `json:"load_layer,omitzero"` // 1 always, 2 for the task, 3 when needed
	SizeKB       float64 `json:"size_kb,omitzero"`
	Tokens       Int     `json:"tokens,omitzero"`
	Counter      string  `json:"counter,omitzero"` // what counted the tokens
	LoadTime     string  `json:"load_time,omitzero"`
	LastAccessed string  `json:"last_accessed,omitzero"`
	LastModified string  `json:"last_modified,omitzero"`
	AccessCount  Int     `json:"access_count,omitzero"`
	Summary      string  `json:"summary,omitzero"`
	Clarity      float64 `json:"clarity,omitzero"` // percent
	Available    bool    `json:"available,omitzero"`
	Outdated     bool    `json:"outdated,omitzero"` // it names decisions that are superseded
}

// Changed reports whether the artifact's file changed since it was loaded.
func (a Artifact) Changed() bool {
	loaded, err := ParseTime(a.LoadTime)
	modified, none := ParseTime(a.LastModified)
	return a.Loaded && err == nil && none == nil && modified.After(loaded)
}
