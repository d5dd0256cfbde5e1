package refresh

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A Moved is a hot context that is not at the version that was asked for.
type Moved struct {
	Session           string
	Expected, Version int
}

func (e *Moved) Error() string {
	return fmt.Sprintf("the hot context of %s is at version %d, not %d", e.Session, e.Version, e.Expected)
}

// A Restored is what stands in a session that was made active again.
type Restored struct {
	schema.SessionMetadata
	Goals []schema.Goal // those that are open
	Last  string        // what was last worked on, in words; "" where nothing says
	Next  []string      // what is to be done next
}

// An Archived is a session that was archived, and what came of it.
type Archived struct {
	Session  string
	Fragment string // name of the fragment that was made of it; "" for none
	Next     string // the session that is active now
}

// AddGoal adds a goal to the hot context of the active session.
func (t *Tree) AddGoal(ctx context.Context, g schema.Goal) (schema.Goal, Outcome, error) {
	panic("not built")
}

// UpdateGoal changes the goal that which names by its id or by unique text.
func (t *Tree) UpdateGoal(ctx context.Context, which string, change session.GoalChange, agent string) (schema.Goal, Outcome, error) {
	panic("not built")
}

// CompleteGoal takes a goal off the hot context; it is kept among the completed
// ones of the session's metadata.
func (t *Tree) CompleteGoal(ctx context.Context, which, agent string) (schema.Goal, Outcome, error) {
	panic("not built")
}

// AddConstraint adds a constraint to the hot context.
func (t *Tree) AddConstraint(ctx context.Context, c schema.Constraint) (schema.Constraint, Outcome, error) {
	panic("not built")
}

// RemoveConstraint removes the constraint that which names.
func (t *Tree) RemoveConstraint(ctx context.Context, which, agent string) (schema.Constraint, Outcome, error) {
	panic("not built")
}

// AddNote adds something to remember to the hot context.
func (t *Tree) AddNote(ctx context.Context, n schema.Note) (schema.Note, Outcome, error) {
	panic("not built")
}

// RemoveNote forgets a note.
func (t *Tree) RemoveNote(ctx context.Context, which, agent string) (schema.Note, Outcome, error) {
	panic("not built")
}

// TouchFile makes path the file that was edited last.
func (t *Tree) TouchFile(ctx context.Context, path, function, agent string) (schema.FileContext, Outcome, error) {
	panic("not built")
}

// ChangeHot changes the hot context of the active session by any number of
// edits at once: all or none of them, made again on newer bytes where somebody
// was faster. change may run several times.
func (t *Tree) ChangeHot(ctx context.Context, agent string, change func(*session.Hot) error) (Outcome, error) {
	panic("not built")
}

// NewSession begins a session and makes it the active one; the one that was
// active stays as it is.
func (t *Tree) NewSession(ctx context.Context, title, agent string) (schema.SessionMetadata, Outcome, error) {
	panic("not built")
}

// RestoreSession makes a session the active one again, with the last messages
// of its history in the window.
func (t *Tree) RestoreSession(ctx context.Context, id string) (Restored, Outcome, error) {
	panic("not built")
}

// ArchiveSession archives the active session with a fragment of that title (""
// is the session's own), and begins one that continues it.
func (t *Tree) ArchiveSession(ctx context.Context, title string) (Archived, Outcome, error) {
	panic("not built")
}

// ClearSession archives the active session and begins one that carries nothing
// over.
func (t *Tree) ClearSession(ctx context.Context) (Archived, Outcome, error) { panic("not built") }

// SummariseSession brings the active session's summary up to date and returns its
// text.
func (t *Tree) SummariseSession(ctx context.Context) ([]byte, Outcome, error) { panic("not built") }

// Promote records a decision that a message states and that was only detected:
// the one that message id holds, in the Ledger and in the hot context.
func (t *Tree) Promote(ctx context.Context, message, agent string) (schema.Decision, Outcome, error) {
	panic("not built")
}
