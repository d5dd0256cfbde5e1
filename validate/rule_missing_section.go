package validate

import "github.com/forgemind/forgemind/internal/jsonedit"

var missingSection = Rule{
	Name:     "missing-section",
	Severity: Error,
	Summary:  "A State without one of its four required sections.",
	Help: `Rule set 1, context completeness: a State has the sections metadata, role,
project and context_window. One of them is not there.

An agent that starts from such a State does not know when it is, who it is, what
it works on, or how full its window is.

Wrong:

    { "metadata": { … }, "project": { … }, "context_window": { … } }

Right:

    { "metadata": { … }, "role": { "agent": "Facilitator Agent", "agent_id": "L1-EXEC-001", "mode": "Boss Mode" }, … }

To mend it, add the section with its required fields. ` + "`forgemind init`" + ` in an
empty folder shows a whole one. The fields of a missing section are not reported
one by one.
`,
	record: func(d *document) {
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
