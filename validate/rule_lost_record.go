package validate

import (
	"path"

	"github.com/forgemind/forgemind/internal/records"
)

var lostRecord = Rule{
	Name:     lostRecordName,
	Severity: Warning,
	Summary:  "A record that was there before is gone, or only changes of it are left.",
	Help: `A question, an action, a goal, a constraint, a note, a handoff, a thread, a pin, a
clarification and what is known of the project stand in a file each, which is written once
and stays. What becomes of it is a change, another file beside it, which stays as well: so
two clones merge by having the files of both.

` + "`forgemind validate --against REV`" + ` reports each file of these that REV has and that is
gone; one that moved to the other home, .forgemind or .quaid, is not gone. Without a
revision the rule reports a record of which only changes are left. No write of forgemind's
own may remove one.

A file that one branch removes comes back with the next merge of a branch that changed
it, or leaves changes behind that nothing can be read from.

Wrong:

    git rm .forgemind/questions/Q-7F3K2Q.json

Right:

    forgemind question answer Q-7F3K2Q Redis

To mend it, restore the file: ` + "`git checkout REV -- .forgemind/questions/Q-7F3K2Q.json`" + `.
What should no longer be shown is answered, done or removed by command. With --against
the rule's severity is the one that the older side's config sets. Lost decisions are
lost-decision.
`,
	across: func(c *census) {
		n := c.recordNames()
		for _, name := range c.names { // sorted
			file, ok := c.recordFile(name)
			if _, named := file.ChangeID(); !ok || !named || file.Folder.Kind.Name == records.Project.Name || n.bases[file.Base()] {
				continue
			}
			// The report has what is said of several changes once.
			c.at(spot{name: file.Base()}, "Lost record: "+titleOf(file),
				path.Base(name)+" is a change of it: bring the record back from git, or remove the change if it was never there")
		}
	},
}
