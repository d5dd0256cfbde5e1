package schema

// ProjectFacts is the record of the project: what the State shows in its section
// project. Its file may have further members, by the names that package views gives them.
type ProjectFacts struct {
	Name         string  `json:"name,omitzero"`
	ID           string  `json:"id,omitzero"`
	CurrentIdea  string  `json:"current_idea,omitzero"`
	CurrentLayer Int     `json:"current_layer"` // 0 to 5; see LayerName
	LayerName    string  `json:"layer_name,omitzero"`
	Clarity      float64 `json:"clarity"` // percent
	Status       string  `json:"status,omitzero"`
	Role         *Role   `json:"/role,omitzero"`
}
