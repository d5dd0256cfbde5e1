package validate

import (
	"maps"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

var sessionIncomplete = Rule{
	Name:     "session-incomplete",
	Severity: Warning,
	Summary:  "A session without its metadata or its hot context.",
	Help: `The folder of a session holds documents, but no metadata.json or no hot_context.json.

Without metadata it is in no list of sessions; without a hot context it cannot be worked
in: goals, actions and decisions have nowhere to stand. It comes from a merge in which
one side removed the session, or from a file that was never added to git.

Wrong: a folder that holds recent_history.jsonl alone.

Right: a folder that holds hot_context.json, metadata.json and recent_history.jsonl.

To mend it, bring the missing file back from git, or write one: ` + "`forgemind schema session-metadata`" + `
and ` + "`forgemind schema hot-context`" + ` print what they hold. What is left stays as it is,
whichever it is.
`,
	across: func(c *treeFacts) { c.incompleteSessions() },
}

func (c *treeFacts) incompleteSessions() {
	has := map[string]bool{}
	sessions := map[string]bool{}
	for _, name := range c.names {
		if folder := sessionFolder(name); folder != "" {
			has[name] = true
			if fs.Place(name) != fs.NoDoc || name == fs.Sessions+"/"+folder+"/summary.md" {
				sessions[folder] = true
			}
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(sessions)) {
		for _, file := range []string{"hot_context.json", "metadata.json"} {
			if name := fs.Sessions + "/" + folder + "/" + file; !has[name] {
				c.at(spot{name: name}, "the session "+plain(folder)+" has no "+file, "bring it back from git, or write it; forgemind explain session-incomplete says how")
			}
		}
	}
}
