package validate

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/triggers"
)

var triggerAction = Rule{
	Name:     "trigger-action",
	Severity: Error,
	Summary:  "A trigger names an action that does not exist.",
	Help: `The actions of a trigger are a closed list: the 22 names of the documents and eight
for the documents' other events. ` + "`forgemind triggers`" + ` shows which trigger uses which.

An unknown name does nothing when the trigger fires, although whoever wrote it
relies on it. Nothing in a tree can name a program to run.

Wrong:

    "actions": ["update_available_comands"]

Right:

    "actions": ["update_available_commands"]

To mend it, correct the name, or remove it. The actions:

` + listed(triggers.Actions(), 3),
	record: func(d *document) {
		for t := range d.triggers {
			actions := d.tape.Member(t, "actions")
			for a := d.first(actions); a >= 0; a = d.next(a) {
				name := d.str(a)
				if d.text(a) == nil || triggers.Known(name) {
					continue
				}
				hint := "forgemind explain trigger-action says what there is"
				if near := triggers.Nearest(cut(name)); near != "" {
					hint = "did you mean " + near + "?"
				}
				d.at(a, "no action is called "+plain(name), hint)
			}
		}
	},
}

// listed returns names as lines of n.
func listed(names []string, n int) string {
	var lines strings.Builder
	for line := range slices.Chunk(names, n) {
		lines.WriteString("    " + strings.Join(line, ", ") + "\n")
	}
	return lines.String()
}
