package session

import (
	"fmt"

	"github.com/forgemind/forgemind/schema"
)

// The statuses of a goal.
const (
	Pending    = "pending"
	InProgress = "in-progress"
	Complete   = "complete"
)

// A Hot is a hot context that is being changed, in either of the documents' two
// shapes: what it does not change stays byte for byte. However much is changed,
// its version rises by one.
type Hot struct {
	src     []byte // as it is now
	version int    // before any change
	changed bool
}

// ReadHot reads a hot context for changing it.
func ReadHot(src []byte) (*Hot, error) { panic("not built") }

// Version is the version it will have: one more than before if it was changed.
func (h *Hot) Version() int { panic("not built") }

// Context is what it holds now.
func (h *Hot) Context() schema.HotContext { panic("not built") }

// Text is its text now; the text that was read where nothing was changed.
func (h *Hot) Text() ([]byte, error) { panic("not built") }

// Taken says whether an item of it has the id.
func (h *Hot) Taken(id string) bool { panic("not built") }

// An Unknown is an item that is not there.
type Unknown struct {
	What  string   // goal, action, constraint, note, question
	Which string   // what was asked for
	Known []string // ids, or texts where there are none
}

func (e *Unknown) Error() string { return fmt.Sprintf("there is no %s %s", e.What, cut(e.Which)) }

// An Ambiguous is a text that several items have.
type Ambiguous struct {
	What, Which string
	Among       []string // their ids and texts
}

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("%s stands in %d %ss", cut(e.Which), len(e.Among), e.What)
}

// A GoalChange is what is to be another of a goal; nil stays.
type GoalChange struct{ Goal, Status, Priority, Parent *string }

// AddGoal adds a goal, whose id must be new; its parent is named by id or by
// unique text, and stored by id where it has one. A goal of that text that is
// there already is returned as it stands, and nothing changes.
func (h *Hot) AddGoal(g schema.Goal) (schema.Goal, error) { panic("not built") }

// UpdateGoal changes the goal that which names by id or unique text (a whole
// text in any case, else a part of it). A goal may not become a part of itself.
func (h *Hot) UpdateGoal(which string, change GoalChange) (schema.Goal, error) { panic("not built") }

// CompleteGoal takes the goal that which names off the list and returns it. What
// is a part of it keeps naming it.
func (h *Hot) CompleteGoal(which string) (schema.Goal, error) { panic("not built") }

// AddAction adds a pending action, whose id must be new. One of that text that
// is there already is returned as it stands.
func (h *Hot) AddAction(a schema.Action) (schema.Action, error) { panic("not built") }

// FinishAction takes the action that which names, by id or unique text, off the
// list.
func (h *Hot) FinishAction(which string) (schema.Action, error) { panic("not built") }

// AddConstraint adds a constraint; one that is there already is returned as it
// stands.
func (h *Hot) AddConstraint(c schema.Constraint) (schema.Constraint, error) { panic("not built") }

// RemoveConstraint removes the constraint that which names.
func (h *Hot) RemoveConstraint(which string) (schema.Constraint, error) { panic("not built") }

// AddNote adds something to remember; what is there already is returned.
func (h *Hot) AddNote(n schema.Note) (schema.Note, error) { panic("not built") }

// RemoveNote forgets a note.
func (h *Hot) RemoveNote(which string) (schema.Note, error) { panic("not built") }

// Touch makes path the file edited last, and function (unless it is "") the one
// that is being worked on. files is in order of first touch, each once, the
// newest maxFiles of them.
func (h *Hot) Touch(path, function, agent, at string) error { panic("not built") }

// AddEntities adds names by kind, each once, and keeps the newest maxEntities of
// a kind.
func (h *Hot) AddEntities(found map[string][]string) error { panic("not built") }

// Ask adds an open question, whose id must be new.
func (h *Hot) Ask(q schema.Question) error { panic("not built") }

// Answer takes the question of that id off the list.
func (h *Hot) Answer(id string) (schema.Question, error) { panic("not built") }
