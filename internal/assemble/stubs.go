package assemble

import (
	"fmt"

	"github.com/forgemind/forgemind/schema"
)

// An Input is what there is to put together.
type Input struct {
	Session  string
	Hot      schema.HotContext
	Held     func(decision string) bool // whether a decision of the hot context is not superseded; nil: all hold
	Summary  string                     // summary.md as it stands
	Recent   []schema.Message           // the window, in order
	Recalled []Recalled                 // the best first
}

// A Recalled is a message of another time, or a fragment.
type Recalled struct {
	ID      string
	From    string // session or file
	Date    string // RFC 3339
	Speaker string // agent; or title
	Text    string
	At      int // its place in From, for the order of what stands together
	Score   float64
}

// Options are the budget.
type Options struct {
	MaxTokens int
	Counter   string
	Count     func(text string) int
}

// A Context is what a prompt is given.
type Context struct {
	Text   string
	Tokens int // of Text, exactly
	Parts  []Part
}

// A Part is a section of a Context.
type Part struct {
	Name   string // constraints, decisions, summary, recalled, hot, recent
	Tokens int
	Items  int
	Left   int // items that had no room
}

// A TooSmall is a budget that cannot hold what is never cut.
type TooSmall struct{ Need, Have int } // tokens

func (e *TooSmall) Error() string {
	return fmt.Sprintf("the hot context takes %d tokens, %d more than the %d there are", e.Need, e.Need-e.Have, e.Have)
}

// Make puts a Context together. The order is that of a prompt cache: constraints
// and decisions, summary, recalled, the rest of the hot context, recent.
func Make(in Input, o Options) (Context, error) { panic("not built") }
