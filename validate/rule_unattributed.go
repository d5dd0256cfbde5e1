package validate

var unattributed = Rule{
	Name:     "unattributed",
	Severity: Warning,
	Summary:  "A session's message that does not say who spoke.",
	Help: `A message in a session's window or archive has no agent. One finding stands for the
whole document.

Several agents share a session. What nobody is named for cannot be asked back about,
and its importance is scored as that of nobody in particular.

Wrong:

    {"msg_id": "msg-001", "timestamp": "2025-11-09T04:30:15Z", "content": "Use RS256"}

Right:

    {"msg_id": "msg-001", "timestamp": "2025-11-09T04:30:15Z", "agent": "user", "content": "Use RS256"}

To mend it, add agent to the line: user, or the name of the agent.
`,
	across: func(c *treeFacts) {
		for _, v := range c.conversations() {
			for _, t := range v.both() {
				for _, s := range t.unnamed {
					c.at(t.spot(s), "the message does not say who spoke", "add agent: user, or the name of the agent")
				}
			}
		}
	},
}
