package extract

import "github.com/forgemind/forgemind/schema"

// The kinds of entities.
const (
	Files        = "files"
	Functions    = "functions"
	Technologies = "technologies"
	People       = "people"
	Concepts     = "concepts"
)

// Kinds lists the kinds of entities, in the order of the Quaid document.
func Kinds() []string { return []string{Files, Functions, Technologies, People, Concepts} }

// Entities finds what text names, by kind; each name once, in the order of first
// mention. more are names to look for besides, by kind. A kind without a name is
// not in it.
func Entities(text string, more map[string][]string) map[string][]string { panic("not built") }

// Importance is how much a message matters, a ratio from 0 to 1 in hundredths, by
// the ranges and boosts of the Quaid document, and the reasons in order: the
// first is the base. bosses are the agents who count as the user.
func Importance(m schema.Message, bosses, phrases []string) (ratio float64, reasons []string) {
	panic("not built")
}

// A Decided is a decision that a text states.
type Decided struct {
	Decision   string
	Rationale  string  // "" where the text gives none
	Confidence float64 // ratio
	Phrase     string  // what gave it away
}

// Decision finds the first decision that text states; false where it states none.
// phrases are what gives one away, in whatever case.
func Decision(text string, phrases []string) (Decided, bool) { panic("not built") }

// Because parts a decision from its rationale at the word "because" (also
// "since", "as", behind a comma, and "— " where nothing else parts them).
func Because(text string) (decision, rationale string) { panic("not built") }

// A Worked is what a message tells of the work, sentence by sentence, each as it
// stands there without what announces it.
type Worked struct {
	Done     []string // "Implemented token generation"
	Doing    []string // "Currently working on token validation"
	Pending  []string // "token refresh flow", of "Pending: …"
	Next     []string // "Test token refresh flow", of "Next: …", "TODO: …", "Next steps: a, b"
	Edited   []string // paths that it says were written or are worked on, in order
	Function string   // the function that is being worked on; "" where it names none
}

// Work finds what text tells of the work.
func Work(text string) Worked { panic("not built") }
