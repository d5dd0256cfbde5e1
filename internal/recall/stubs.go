package recall

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// A Fragment is one file of long-term memory.
type Fragment struct {
	Name       string   `json:"name"` // where it stands
	ID         string   `json:"id"`
	Title      string   `json:"title"`
	Type       string   `json:"type"` // concept, implementation, decision, reference, pattern, troubleshooting, api-doc
	Tags       []string `json:"tags"`
	Entities   []string `json:"entities,omitempty"`
	Importance float64  `json:"importance"` // ratio
	Created    string   `json:"created"`
	Session    string   `json:"session,omitempty"` // that it was made of
	Body       string   `json:"body"`
}

// A Fault is a file of fragments, or a line of a conversation, that cannot be
// read.
type Fault struct {
	Name string
	Line int // from 1; 0 where it is the file
	Err  error
}

// Types lists the types of fragments.
func Types() []string {
	return []string{"concept", "implementation", "decision", "reference", "pattern", "troubleshooting", "api-doc"}
}

// ReadFragment reads the text of a fragment that stands at name.
func ReadFragment(name string, src []byte) (Fragment, error) { panic("not built") }

// Markdown is the text of a fragment, front matter first.
func (f Fragment) Markdown() ([]byte, error) { panic("not built") }

// FragmentName is the name of a new fragment below home, which is one of the two
// folders: <date>-<slug>.md, with a number behind where that is taken.
func FragmentName(r fs.Reader, home, title string, at time.Time) (string, error) { panic("not built") }

// Fragments lists the fragments of both folders, the newest first.
func Fragments(r fs.Reader) ([]Fragment, []Fault, error) { panic("not built") }

// A Query is what is searched for.
type Query struct {
	Words  string
	Type   string // of fragments; "" is any
	Tag    string
	Entity string
	Limit  int             // 0: all
	Not    map[string]bool // ids of messages to leave out
}

// A Found is a message or a fragment that a Query found.
type Found struct {
	Session  string // the message's; or the one that the fragment was made of
	Name     string // of the file
	At       int    // the message's place in its session: archive and window in order of time, from 0
	Message  *schema.Message
	Fragment *Fragment
	Score    float64 // higher is better
}

// Search returns what answers a query best, the best first; equal ones in the
// order of time. Without words it is what the rest of the query admits, the
// newest first. It uses an index below `.local/index/`, which it makes where it
// is missing or stale; where none can be written it searches without one.
func Search(tree *fs.Tree, q Query) ([]Found, error) { panic("not built") }

// Around returns the messages of a session next to the one at place at: those of
// the n places before and after it that are there, in order.
func Around(tree *fs.Tree, session string, at, n int) ([]Found, error) { panic("not built") }
