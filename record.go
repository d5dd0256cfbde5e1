package forgemind

import "github.com/forgemind/forgemind/schema"

// A Priority is the urgency of a record. An empty Priority is not set.
type Priority string

// The priorities.
const (
	PriorityHigh   Priority = "high"
	PriorityMedium Priority = "medium"
	PriorityLow    Priority = "low"
)

// A GoalStatus is the progress of a goal.
type GoalStatus string

// The statuses of a goal.
const (
	GoalPending    GoalStatus = "pending"
	GoalInProgress GoalStatus = "in-progress"
	GoalComplete   GoalStatus = "complete"
)

// A Goal is something that the project works towards.
type Goal struct {
	ID           string
	Goal         string // the text
	Status       GoalStatus
	Priority     Priority
	Created      string // RFC 3339
	ParentGoalID string // id of the goal that it is a part of; "" for none
	Agent        string // who added it
}

func (g Goal) stored() schema.Goal {
	return schema.Goal{ID: g.ID, Goal: g.Goal, Status: string(g.Status), Priority: string(g.Priority), Created: g.Created, ParentGoalID: g.ParentGoalID, Agent: g.Agent}
}

func goalOf(g schema.Goal) Goal {
	return Goal{ID: g.ID, Goal: g.Goal, Status: GoalStatus(g.Status), Priority: Priority(g.Priority), Created: g.Created, ParentGoalID: g.ParentGoalID, Agent: g.Agent}
}

// A GoalChange holds the new values of a goal's members. A nil member stays unchanged. An
// empty Parent removes the goal from its parent.
type GoalChange struct {
	Goal     *string
	Status   *GoalStatus
	Priority *Priority
	Parent   *string // id or unique text of a goal
}

// A Constraint is a rule that the project must keep.
type Constraint struct {
	ID         string
	Constraint string // the text
	Agent      string // who added it
	Created    string // RFC 3339
}

func (c Constraint) stored() schema.Constraint { return schema.Constraint(c) }

func constraintOf(c schema.Constraint) Constraint { return Constraint(c) }

// A Question is an open question.
type Question struct {
	ID       string
	Question string // the text
	Context  string // why it is asked
	AskedBy  string
	AskedAt  string // RFC 3339
	Priority Priority
	Blocking []string // ids of the actions that wait for the answer
}

func (q Question) stored() schema.Question {
	return schema.Question{ID: q.ID, Question: q.Question, Context: q.Context, AskedBy: q.AskedBy, AskedAt: q.AskedAt, Priority: string(q.Priority), Blocking: q.Blocking}
}

func questionOf(q schema.Question) Question {
	return Question{ID: q.ID, Question: q.Question, Context: q.Context, AskedBy: q.AskedBy, AskedAt: q.AskedAt, Priority: Priority(q.Priority), Blocking: q.Blocking}
}

// An Answer is a question with its answer.
type Answer struct {
	ID         string // of the question
	Question   string
	Answer     string
	AnsweredBy string
	AnsweredAt string // RFC 3339
}

// An Action is something to be done.
type Action struct {
	ID               string
	Action           string // the text
	Priority         Priority
	Layer            *int     // from 0 IDEA to 5 CODE; nil for any
	BlockedBy        []string // ids of questions or actions, or free text
	EstimatedMinutes float64
	AssignedTo       string
	CreatedBy        string
	Created          string // RFC 3339
	Due              string
	Message          string // id of the message that it was detected in; "" for none
}

func (a Action) stored() schema.Action {
	return schema.Action{
		ID: a.ID, Action: a.Action, Priority: string(a.Priority), Layer: number[schema.Int](a.Layer), BlockedBy: a.BlockedBy, EstimatedMinutes: a.EstimatedMinutes,
		AssignedTo: a.AssignedTo, CreatedBy: a.CreatedBy, Created: a.Created, Due: a.Due, Message: a.Message,
	}
}

func actionOf(a schema.Action) Action {
	return Action{
		ID: a.ID, Action: a.Action, Priority: Priority(a.Priority), Layer: number[int](a.Layer), BlockedBy: a.BlockedBy, EstimatedMinutes: a.EstimatedMinutes,
		AssignedTo: a.AssignedTo, CreatedBy: a.CreatedBy, Created: a.Created, Due: a.Due, Message: a.Message,
	}
}

// number converts a number that may be absent.
func number[B, A ~int | ~int64](n *A) *B {
	if n == nil {
		return nil
	}
	return new(B(*n))
}

// A Note is a text to remember.
type Note struct {
	ID      string
	Note    string // the text
	Agent   string // its author, or the agent whose notes it is in
	Created string // RFC 3339
	Section string // heading in an agent's notes; "" for a note of the project
}
