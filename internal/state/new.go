package state

import (
	"time"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// New is the State that a project begins with: layer 0 (IDEA), clarity 0,
// nothing loaded and nothing decided, in the session of that id, which starts
// now. It has what commands and triggers work on, and no more.
func New(name, sessionID string, now time.Time) ([]byte, error) {
	return document(begin(name, sessionID, now))
}

// NewFull is New with what else the State's document shows: what the agent can
// do, and the statistics of the session.
func NewFull(name, sessionID string, now time.Time) ([]byte, error) {
	s := begin(name, sessionID, now)
	s.Role.AgentVersion = "1.0"
	s.Role.Capabilities = []string{"clarify", "coordinate", "track_clarity", "manage_files"}
	s.ContextWindow.OtherTokens = map[string]schema.Int{}
	s.SessionStats = &schema.SessionStats{}
	return document(s)
}

func begin(name, sessionID string, now time.Time) schema.State {
	const window = 200_000 // tokens
	at := schema.FormatTime(now)
	layer, _ := schema.LayerName(0)
	return schema.State{
		Version:  "1.0",
		Schema:   schema.Schema,
		Metadata: &schema.Metadata{Timestamp: at, SessionID: sessionID, SessionStart: at, LastUpdatedBy: "forgemind"},
		Role:     &schema.Role{Agent: "Facilitator Agent", AgentID: "L1-EXEC-001", Mode: "Boss Mode"},
		Project:  &schema.Project{Name: name, LayerName: layer, Status: schema.NotStarted},
		ContextWindow: &schema.Window{
			TotalTokens: window, AvailableTokens: window,
			CompactionThreshold: 70, EmergencyThreshold: 90,
		},
	}
}

// document is the document of a new State, with the commands that are available
// in it.
func document(s schema.State) ([]byte, error) {
	src, err := jsonedit.Marshal(s)
	if err != nil {
		return nil, err
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	for _, c := range schema.DefaultCommands() {
		if ok, _ := holds(doc, c.Availability); ok {
			s.AvailableCommands = append(s.AvailableCommands, c)
		}
	}
	return jsonedit.Marshal(s)
}
