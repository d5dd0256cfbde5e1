package memory

import "github.com/forgemind/forgemind/schema"

// An Entry is one thing to remember.
type Entry struct {
	Type      string // see Types
	Text      string
	Rationale string
	Time      string // RFC 3339 UTC; "" leaves it out
	Agent     string // whose notes it goes to where the type names no file of its own; "" is the facilitator
	ID        string // of the decision or question; "" where there is none
}

// A Section is one of a note: a heading with what follows it.
type Section struct {
	Title   string   `json:"title"`   // "" for what stands before the first heading
	Entries []string `json:"entries"` // the text of its list items
}

// EntryID is the id of an entry of the note called name, which has none of its own: it
// derives from both, so that whoever reads the note finds it again.
func EntryID(name, entry string) string {
	return schema.DerivedID("note-", []byte(name+"\n"+entry))
}

// Read returns the sections of a note in their order. It fails for what is no
// markdown.
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
