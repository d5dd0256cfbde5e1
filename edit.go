package forgemind

import (
	"context"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// Update changes the records of the project and the hot context of the active session. All
// changes of edit are written at once, or none. If no session is active, one begins. If
// another process changes the tree meanwhile, edit runs again with the new content, so it
// must only depend on what it reads through the Edit. agent becomes the author of what is
// added. Update returns the version of the hot context afterwards.
func (t *Tree) Update(ctx context.Context, agent string, edit func(*Edit) error) (version int, err error) {
	return update(ctx, t.tree, agent, edit)
}

// UpdateAt is Update for a caller that read the given version. The error is a
// *VersionConflictError if the hot context has another version.
func (t *Tree) UpdateAt(ctx context.Context, version int, agent string, edit func(*Edit) error) (int, error) {
	at := *t.tree
	at.IfVersion = &version
	return update(ctx, &at, agent, edit)
}

func update(ctx context.Context, tree *engine.Tree, agent string, edit func(*Edit) error) (int, error) {
	out, err := operation.Update(ctx, tree, agent, func(e *operation.Edit) error { return edit(&Edit{e}) })
	return out.Version, apiError(err)
}

// An Edit is one atomic change with any number of steps. It is valid until the function that
// it was passed to returns. Records are named by their id or by a unique part of their text;
// the error is a *NotFoundError or an *AmbiguousError.
type Edit struct{ edit *operation.Edit }

// HotContext returns the hot context after the steps so far.
func (e *Edit) HotContext() (HotContext, error) {
	hot, err := e.edit.Context()
	return hotContextOf(hot), apiError(err)
}

// AddGoal adds a goal, and returns it as recorded. An empty ID, Agent, Created, Status
// (pending) or Priority (medium) is filled in. If a goal with that text exists, AddGoal
// returns that one.
func (e *Edit) AddGoal(g Goal) (Goal, error) {
	added, err := e.edit.AddGoal(g.stored())
	return goalOf(added), apiError(err)
}

// UpdateGoal changes a goal. A goal that becomes complete is no longer in force.
func (e *Edit) UpdateGoal(which string, change GoalChange) (Goal, error) {
	g, err := e.edit.UpdateGoal(which, session.GoalChange{
		Goal: change.Goal, Parent: change.Parent, Status: (*string)(change.Status), Priority: (*string)(change.Priority),
	})
	return goalOf(g), apiError(err)
}

// CompleteGoal completes a goal, and returns it.
func (e *Edit) CompleteGoal(which string) (Goal, error) {
	g, err := e.edit.CompleteGoal(which)
	return goalOf(g), apiError(err)
}

// AddConstraint adds a constraint, or returns the existing one with that text.
func (e *Edit) AddConstraint(c Constraint) (Constraint, error) {
	added, err := e.edit.AddConstraint(c.stored())
	return constraintOf(added), apiError(err)
}

// RemoveConstraint removes a constraint, and returns it.
func (e *Edit) RemoveConstraint(which string) (Constraint, error) {
	c, err := e.edit.RemoveConstraint(which)
	return constraintOf(c), apiError(err)
}

// AddAction adds a pending action, or returns the existing one with that text.
func (e *Edit) AddAction(a Action) (Action, error) {
	added, err := e.edit.AddAction(a.stored())
	return actionOf(added), apiError(err)
}

// FinishAction closes a pending action, and returns it. If the action is blocked, it
// fails unless force is set.
func (e *Edit) FinishAction(which string, force bool) (Action, error) {
	a, err := e.edit.FinishAction(which, force)
	return actionOf(a), apiError(err)
}

// AddNote adds a note, or returns the existing one with that text. Section is ignored.
func (e *Edit) AddNote(n Note) (Note, error) {
	added, err := e.edit.AddNote(schema.Note{ID: n.ID, Note: n.Note, Agent: n.Agent, Created: n.Created})
	return noteOf(added), apiError(err)
}

// RemoveNote removes a note, and returns it.
func (e *Edit) RemoveNote(which string) (Note, error) {
	n, err := e.edit.RemoveNote(which)
	return noteOf(n), apiError(err)
}

// Decide records a decision; see [Tree.AddDecision].
func (e *Edit) Decide(d Decision) (Decision, error) {
	recorded, err := e.edit.Decide(d.stored())
	return decisionOf(recorded), apiError(err)
}

// TouchFile records path as the file that was edited last and, unless function is "",
// function as the one that is being worked on.
func (e *Edit) TouchFile(path, function string) (FileContext, error) {
	files, err := e.edit.TouchFile(path, function)
	return FileContext(files), apiError(err)
}

// A HotContext is the working state of a session: the items in force in the project, and the
// session's work.
type HotContext struct {
	Version   int    // rises by one with each change
	Session   string // id
	Goals     []Goal
	Actions   []Action // pending
	Decisions []Decision
	Questions []Question // open

	Constraints []Constraint
	Notes       []Note
	Files       *FileContext // nil if none was named
}

// A FileContext holds the files that a session works on.
type FileContext struct {
	Files           []string // slash paths, relative to the project's directory
	LastEdited      string
	CurrentFunction string
	Agent           string // who edited last
	Updated         string // RFC 3339
}

func hotContextOf(h schema.HotContext) HotContext {
	hot := HotContext{
		Version: int(h.Version), Session: h.ConversationID, Goals: each(h.ActiveGoals, goalOf), Actions: each(h.PendingActions, actionOf),
		Decisions: each(h.KeyDecisions, func(d schema.KeyDecision) Decision { return decisionOf(d.Record()) }), Questions: each(h.OpenQuestions, questionOf),
		Constraints: each(h.ImportantConstraints, constraintOf), Notes: each(h.Notes, noteOf),
	}
	if h.CurrentFileContext != nil {
		hot.Files = new(FileContext(*h.CurrentFileContext))
	}
	return hot
}

func noteOf(n schema.Note) Note {
	return Note{ID: n.ID, Note: n.Note, Agent: n.Agent, Created: n.Created}
}
