package validate

var sessionArchived = Rule{
	Name:     "session-archived",
	Severity: Warning,
	Summary:  "The active session is archived.",
	Help: `active_session.txt names a session whose metadata says that it is archived.

Messages go on into a session that is closed. It comes from a pull: a colleague archived
the session that this working copy works in, and the one that continues it is active
there, not here.

Wrong:

    conv-2025-11-09-001        with "status": "archived" in its metadata

Right:

    conv-2025-11-10-001        which continues it

To mend it, run ` + "`forgemind session restore ID`" + ` with the session to work in:
the one that continues it, or this one, which is then open again.
`,
	across: func(c *treeFacts) {
		for _, a := range c.active {
			if c.folders[a.id] && c.archived[a.id] {
				c.at(a.spot, "the active session "+plain(a.id)+" is archived", "forgemind session restore ID opens it again, or makes another one active")
			}
		}
	},
}
