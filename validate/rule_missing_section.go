package validate

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

var missingSection = Rule{
	Name:     "missing-section",
	Severity: Error,
	Summary:  "A State without a required section, or a hot context without a required list.",
	Help: `Rule set 1, context completeness: a State has the sections metadata, role,
project and context_window. One of them is not there. A hot context has the lists
active_goals, pending_actions, key_decisions and important_constraints, which may be
empty; one of them is not there.

An agent that starts from such a State does not know when it is, who it is, what
it works on, or how full its window is. A program that reads the hot context cannot
tell whether there are no goals or whether they were lost.

Wrong:

    { "metadata": { … }, "project": { … }, "context_window": { … } }

Right:

    { "metadata": { … }, "role": { "agent": "Facilitator Agent", "agent_id": "L1-EXEC-001", "mode": "Boss Mode" }, … }

To mend it, add the section with its required fields. ` + "`forgemind init`" + ` in an
empty folder shows a whole one. The fields of a missing section are not reported
one by one. ` + "`forgemind validate --fix`" + ` adds empty lists to a hot context; if git
has one that was not empty, bring that back instead.
`,
	record: func(d *document) {
		if d.kind == fs.DocHotContext && d.parsed() && d.kindOf(0) == jsonedit.Object {
			for _, list := range requiredLists {
				if d.tape.Member(0, list) < 0 {
					d.report(int(d.tape.Nodes[0].Start), "/"+list, "Missing list: "+list, "add "+list+", which may be empty, or run validate --fix")
				}
			}
		}
		if !d.isState() || d.kindOf(0) != jsonedit.Object {
			return
		}
		for _, section := range required {
			if d.tape.Member(0, section.name) < 0 {
				d.report(int(d.tape.Nodes[0].Start), "/"+section.name, "Missing section: "+section.name,
					"add the object "+section.name+" with "+section.list())
			}
		}
	},
}

// requiredLists are the lists that both shapes of the hot context require.
var requiredLists = []string{"active_goals", "pending_actions", "key_decisions", "important_constraints"}
