package schema

// A NoteRecord is a note as it stands in a file of its own: what a session keeps in
// mind, or, with a section, an entry of agents' notes.
type NoteRecord struct {
	ID        string `json:"id"`
	Note      string `json:"note"`
	Agent     string `json:"agent,omitzero"` // who asked for it; of an entry, whose notes it goes to
	Created   string `json:"created,omitzero"`
	Section   string `json:"section,omitzero"`   // the heading in the agent's notes
	Type      string `json:"type,omitzero"`      // of the entry, such as lesson_learned
	Rationale string `json:"rationale,omitzero"` // why
	By        string `json:"by,omitzero"`        // who wrote the entry
}
