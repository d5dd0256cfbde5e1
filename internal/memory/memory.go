package memory

import "github.com/forgemind/forgemind/schema"

// An Entry is one thing to remember.
type Entry struct {
	Type      string // one of Types
	Text      string
	Rationale string
	Time      string // RFC 3339, UTC; "" for none
	Agent     string // owner of the notes, if the type has no file of its own; "" means the facilitator
	ID        string // id of the decision or question; "" for none
}

// A Section is a heading of a note with the list items below it.
type Section struct {
	Title   string   `json:"title"`   // "" for the text before the first heading
	Entries []string `json:"entries"` // texts of the list items
}

// EntryID returns an id for an entry without one in the note called name. It is derived from both,
// so that every reader gets the same id.
func EntryID(name, entry string) string {
	return schema.DerivedID("note-", []byte(name+"\n"+entry))
}

// Read returns the sections of a note in order. It returns an error if src is not markdown.
func Read(src []byte) ([]Section, error) {
	n, err := parse(src)
	if err != nil {
		return nil, err
	}
	sections := []Section{}
	for _, s := range n.sections {
		entries := []string{}
		for _, item := range s.items {
			entries = append(entries, n.text(item))
		}
		if s.level > 0 || len(entries) > 0 {
			sections = append(sections, Section{s.title, entries})
		}
	}
	return sections, nil
}
