package schema

import "encoding/json"

// A HotContext is the working state of a session. It is read in both shapes
// that the documents have, and written in that of their example, with ids.
type HotContext struct {
	Version        Int    `json:"version,omitzero"` // one more with each change
	ConversationID string `json:"conversation_id,omitzero"`
	SessionStarted string `json:"session_started,omitzero"`

	ActiveGoals          []Goal              `json:"active_goals"`
	CurrentFileContext   *FileContext        `json:"current_file_context,omitzero"`
	PendingActions       []Action            `json:"pending_actions"`
	KeyDecisions         []KeyDecision       `json:"key_decisions"`
	ImportantConstraints []Constraint        `json:"important_constraints"`
	OpenQuestions        []Question          `json:"open_questions,omitzero"`
	KeyEntities          map[string][]string `json:"key_entities,omitzero"` // kind → names
	Notes                []Note              `json:"notes,omitzero"`
}

// A Note is something that a session was asked to remember. It may stand as a
// mere string.
type Note struct {
	ID      string `json:"id,omitzero"`
	Note    string `json:"note"`
	Agent   string `json:"agent,omitzero"` // who asked for it
	Created string `json:"created,omitzero"`
}

// UnmarshalJSON reads a string or an object.
func (n *Note) UnmarshalJSON(src []byte) error {
	*n = Note{}
	return unmarshal(src, &n.Note, as(&n.ID, "id"), as(&n.Note, "note"), as(&n.Agent, "agent"), as(&n.Created, "created"))
}

// MarshalJSON writes a Note that is text and nothing else as a string.
func (n Note) MarshalJSON() ([]byte, error) {
	type object Note
	if n == (Note{Note: n.Note}) {
		return json.Marshal(n.Note)
	}
	return json.Marshal(object(n))
}

// A FileContext is what is being worked on.
type FileContext struct {
	Files           []string `json:"files,omitzero"`
	LastEdited      string   `json:"last_edited,omitzero"`
	CurrentFunction string   `json:"current_function,omitzero"`
	Agent           string   `json:"agent,omitzero"`   // who edited last
	Updated         string   `json:"updated,omitzero"` // when
}

// A Goal is what a session is to reach. `goal_id` and `description` are read as
// well as `id` and `goal`.
type Goal struct {
	ID           string `json:"id,omitzero"`
	Goal         string `json:"goal"`
	Status       string `json:"status,omitzero"` // pending, in-progress, complete
	Priority     string `json:"priority,omitzero"`
	Created      string `json:"created,omitzero"`
	ParentGoalID string `json:"parent_goal_id,omitzero"`
	Agent        string `json:"agent,omitzero"`
}

// UnmarshalJSON reads an object in either shape.
func (g *Goal) UnmarshalJSON(src []byte) error {
	*g = Goal{}
	return unmarshal(src, nil,
		as(&g.ID, "id", "goal_id"), as(&g.Goal, "goal", "description"), as(&g.Status, "status"), as(&g.Priority, "priority"),
		as(&g.Created, "created"), as(&g.ParentGoalID, "parent_goal_id"), as(&g.Agent, "agent"))
}

// A KeyDecision is a decision as a session shows it. `decision_id` and
// `description` are read as well as `id` and `decision`.
type KeyDecision struct {
	ID         string `json:"id,omitzero"`
	Decision   string `json:"decision"`
	Rationale  string `json:"rationale,omitzero"`
	Timestamp  string `json:"timestamp,omitzero"`
	Agent      string `json:"agent,omitzero"` // who recorded it
	Supersedes IDs    `json:"supersedes,omitzero"`
	Status     Word   `json:"status,omitzero"` // Proposed, or "" as a decision's
}

// UnmarshalJSON reads an object in either shape.
func (d *KeyDecision) UnmarshalJSON(src []byte) error {
	*d = KeyDecision{}
	return unmarshal(src, nil,
		as(&d.ID, "id", "decision_id"), as(&d.Decision, "decision", "description"), as(&d.Rationale, "rationale"),
		as(&d.Timestamp, "timestamp"), as(&d.Agent, "agent"), as(&d.Supersedes, "supersedes"), as(&d.Status, "status"))
}

// Record is d as the Ledger holds decisions.
func (d KeyDecision) Record() Decision {
	return Decision{
		ID: d.ID, Timestamp: d.Timestamp, Decision: d.Decision, Rationale: d.Rationale,
		RecordedBy: d.Agent, Immutable: true, Supersedes: d.Supersedes, Status: d.Status,
	}
}

// A Constraint is a rule that the session must keep. It may stand as a mere
// string, and is written so where there is no more to it.
type Constraint struct {
	ID         string `json:"id,omitzero"`
	Constraint string `json:"constraint"`
	Agent      string `json:"agent,omitzero"` // who set it
	Created    string `json:"created,omitzero"`
}

// UnmarshalJSON reads a string or an object.
func (c *Constraint) UnmarshalJSON(src []byte) error {
	*c = Constraint{}
	return unmarshal(src, &c.Constraint,
		as(&c.ID, "id"), as(&c.Constraint, "constraint"), as(&c.Agent, "agent"), as(&c.Created, "created"))
}

// MarshalJSON writes a Constraint that is text and nothing else as a string.
func (c Constraint) MarshalJSON() ([]byte, error) {
	type object Constraint
	if c == (Constraint{Constraint: c.Constraint}) {
		return json.Marshal(c.Constraint)
	}
	return json.Marshal(object(c))
}
