package brief_test

import (
	"fmt"
	iofs "io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
)

// A pile is documents by their names.
type pile map[string]string

// Read implements fs.Reader.
func (p pile) Read(name string) ([]byte, error) {
	text, ok := p[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, iofs.ErrNotExist)
	}
	return []byte(text), nil
}

// Names implements fs.Reader.
func (p pile) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(p)) {
			if strings.HasPrefix(name, dir+"/") && !yield(name, nil) {
				return
			}
		}
	}
}

const (
	conversation = "conv-2026-03-01-abcdef"
	decisions    = fs.Forgemind + "/" + fs.DecisionsDir + "/"
)

var hotName = session.HotContext(conversation)

// orchard is a project under way: a session, a State and a Ledger.
func orchard() pile {
	return pile{
		fs.ActiveSession: conversation + "\n",
		hotName: `{
  "active_goals": [
    {"id": "goal-1", "goal": "Plant the south wall", "status": "in-progress", "created": "2026-03-01T08:00:00Z"},
    {"id": "goal-2", "goal": "Dig a well", "status": "complete", "created": "2026-02-01T08:00:00Z"},
    {"id": "goal-3", "goal": "Grow figs", "status": "abandoned", "created": "2026-02-02T08:00:00Z"},
    {"id": "goal-4", "goal": "Keep the frost out", "priority": "high", "created": "2026-03-02T08:00:00Z"}
  ],
  "current_file_context": {"files": ["walls/north.md"], "last_edited": "walls/south.md", "current_function": "mortar", "updated": "2026-03-03T08:00:00Z"},
  "pending_actions": [{"id": "ACT-1", "action": "Order mortar", "priority": "high", "created": "2026-03-03T09:00:00Z", "due": "2026-03-20T00:00:00Z"}],
  "key_decisions": [],
  "important_constraints": ["No pear that needs a warm winter", {"id": "con-1", "constraint": "Nothing in walls/ is torn down", "created": "2026-03-01T09:00:00Z"}],
  "open_questions": [{"id": "Q-1", "question": "Which pears?", "asked_at": "2026-03-02T10:00:00Z", "blocking": ["ACT-2"]}],
  "notes": ["The neighbour has a ladder"]
}`,
		fs.State: `{
  "metadata": {"timestamp": "2026-03-04T10:00:00Z"},
  "project": {"name": "Orchard", "current_layer": 2, "layer_name": "DOMAIN", "clarity": 62.5, "status": "in_progress",
    "progress": {"2": {"entered": "2026-02-20T10:00:00Z", "clarity": 62.5, "best": 62.5, "invalidated": false}, "3": {"entered": "2026-02-25T10:00:00Z", "clarity": 20, "best": 20, "invalidated": true}}},
  "recent_decisions": [
    {"id": "DEC-1", "timestamp": "2026-02-10T10:00:00Z", "decision": "Plant plums", "immutable": true},
    {"id": "DEC-9", "timestamp": "2026-03-05T10:00:00Z", "decision": "Water at dawn", "immutable": true}],
  "pending_actions": [
    {"id": "ACT-2", "action": "Buy trees", "priority": "critical", "blocked_by": ["Q-1"], "created": "2026-03-02T11:00:00Z"},
    {"id": "ACT-1", "action": "Order mortar", "priority": "high", "created": "2026-03-03T09:00:00Z"}],
  "open_questions": [{"id": "Q-1", "question": "Which pears?", "asked_at": "2026-03-02T10:00:00Z"}]
}`,
		decisions + "DEC-1.json": `{"id": "DEC-1", "timestamp": "2026-02-10T10:00:00Z", "decision": "Plant plums", "immutable": true}`,
		decisions + "DEC-2.json": `{"id": "DEC-2", "timestamp": "2026-02-15T10:00:00Z", "decision": "Plant apples", "supersedes": ["DEC-1"], "immutable": true}`,
		decisions + "DEC-3.json": `{"id": "DEC-3", "timestamp": "2026-03-01T10:00:00Z", "decision": "Plant pears", "rationale": "the wall is warm", "alternatives_rejected": ["Cherries", "Quinces"], "supersedes": ["DEC-2", "DEC-1", "DEC-3"], "immutable": true}`,
	}
}
