package validate

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

var missingField = Rule{
	Name:     "missing-field",
	Severity: Error,
	Summary:  "A section of a State without one of its required fields.",
	Help: `Rule set 1, context completeness: these fields must be there.

- metadata: timestamp, session_id
- role: agent, agent_id, mode
- project: name, current_layer, clarity
- context_window: usage_percent, used_tokens

Agents, triggers and compaction read them without asking whether they exist.

Wrong:

    "role": { "agent": "Facilitator Agent", "agent_id": "L1-EXEC-001" }

Right:

    "role": { "agent": "Facilitator Agent", "agent_id": "L1-EXEC-001", "mode": "Boss Mode" }

To mend it, add the field to the section that the finding points at.
`,
	record: func(d *document) {
		if !d.isState() {
			return
		}
		for _, section := range required {
			node := d.tape.Member(0, section.name)
			if d.kindOf(node) != jsonedit.Object {
				continue
			}
			for _, field := range section.fields {
				if d.tape.Member(node, field) < 0 {
					d.report(int(d.tape.Nodes[node].Start), "/"+section.name+"/"+field,
						"Missing field: "+section.name+"."+field, "add "+field+" to "+section.name)
				}
			}
		}
	},
}

// A section is a section of a State that rule set 1 requires.
type section struct {
	name   string
	fields []string
}

func (s section) list() string { return strings.Join(s.fields, ", ") }

var required = []section{
	{"metadata", []string{"timestamp", "session_id"}},
	{"role", []string{"agent", "agent_id", "mode"}},
	{"project", []string{"name", "current_layer", "clarity"}},
	{"context_window", []string{"usage_percent", "used_tokens"}},
}

// ruleSet1 reports whether missing-section or missing-field reports a missing member of
// a State, instead of the schema.
func ruleSet1(object, member string) bool {
	for _, s := range required {
		if object == "" && member == s.name || object == "/"+s.name && slices.Contains(s.fields, member) {
			return true
		}
	}
	return false
}
