package memory

import "github.com/forgemind/forgemind/fs"

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
	Title   string   `json:"title"`
	Entries []string `json:"entries"` // the text of its list items
}

// Types lists the types of entries, in the order of the documents:
// boss_decision, open_question, lesson_learned, preference, …
func Types() []string { panic("not built") }

// Place says which note and which section of it an entry goes to, below home,
// which is one of the two folders. It fails for an unknown type.
func Place(home string, e Entry) (name, section string, err error) { panic("not built") }

// Add returns src with e at the end of its section, which is made where it is
// missing. Where the entry is there already src comes back as it is. What is no
// markdown (not UTF-8, or holds NUL) is refused.
func Add(src []byte, section string, e Entry) ([]byte, error) { panic("not built") }

// Read returns the sections of a note in their order.
func Read(src []byte) ([]Section, error) { panic("not built") }

// Notes lists the names of the notes there are.
func Notes(r fs.Reader) ([]string, error) { panic("not built") }
