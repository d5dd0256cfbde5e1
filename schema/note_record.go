package schema

// A NoteRecord is a note in a file of its own: a note of a session, or, with a section,
// an entry of an agent's notes.
type NoteRecord struct {
	ID        string `json:"id"`
	Note      string `json:"note"`
	Agent     string `json:"agent,omitzero"` // the agent that asked for it; for an entry, the agent whose notes contain it
	Created   string `json:"created,omitzero"`
	Section   string `json:"section,omitzero"`   // the heading in the agent's notes
	Type      string `json:"type,omitzero"`      // of the entry, such as lesson_learned
	Rationale string `json:"rationale,omitzero"` // the reason
	By        string `json:"by,omitzero"`        // the author of the entry
	Decision  string `json:"decision,omitzero"`  // the id of the decision that the entry shows
	Document  string `json:"document,omitzero"`  // of a section that people wrote: the file in memory/ that contains it
}
