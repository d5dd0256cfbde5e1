package schema

// ProjectFacts is the record of the project, which the State shows in its section
// project. The file may have further members with names defined by package views.
type ProjectFacts struct {
	Name         string  `json:"name,omitzero"`
	ID           string  `json:"id,omitzero"`
	CurrentIdea  string  `json:"current_idea,omitzero"`
	CurrentLayer Int     `json:"current_layer"` // 0 to 5; see LayerName
	LayerName    string  `json:"layer_name,omitzero"`
	Clarity      float64 `json:"clarity"` // percent
	Status       string  `json:"status,omitzero"`
}
