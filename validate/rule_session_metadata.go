package validate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

var sessionMetadata = Rule{
	Name:     "session-metadata",
	Severity: Warning,
	Summary:  "A session's metadata says something else than its messages.",
	Help: `metadata.json says how many messages a session has and who took part. Both follow from
its window and its archive, and one of them does not agree: message_count is not the
number of messages, where summaries of clusters do not count; or agents lacks somebody
who spoke.

Lists of sessions show what is not true, and what is due at so many messages comes too
early or too late. It comes from a merge of two branches that both added messages.

Wrong:

    "message_count": 45        with 3 messages in window and archive

Right:

    "message_count": 3

To mend it, run ` + "`forgemind validate --fix`" + `. If messages were lost, git has them: look
there first. A session is not judged if messages of it are in cold storage, if lines
can't be read, or if this working copy has neither window nor archive of it: git may
ignore conversations, and then a clone has none.
`,
	across: func(c *treeFacts) {
		for _, t := range c.correctMetadata() {
			if t.miscounted() {
				c.at(t.meta.count.spot, fmt.Sprintf("message_count is %s, but window and archive hold %s", grouped(t.meta.count.n), grouped(float64(t.messages))),
					"run validate --fix, unless messages were lost: then bring them back from git")
			}
			if len(t.missing) > 0 {
				c.at(t.meta.agents.spot, "agents lacks who spoke: "+plainList(t.missing), "add them, or run validate --fix")
			}
		}
	},
}

// A correctValues holds the correct values for the metadata of a session.
type correctValues struct {
	meta     session
	messages int
	missing  []string // agents
}

func (t correctValues) miscounted() bool {
	return t.meta.count.name != "" && t.meta.count.n != float64(t.messages)
}

// correctMetadata returns the correct values for sessions whose messages are all known.
func (c *treeFacts) correctMetadata() (list []correctValues) {
	for _, s := range c.sessions {
		v := c.talk[s.folder]
		if v == nil || !v.sure() {
			continue
		}
		t := correctValues{meta: s, messages: v.messages()}
		if s.agents.name != "" {
			spoke := map[string]bool{}
			for _, talk := range v.both() {
				for agent := range talk.agents {
					spoke[agent] = !strings.Contains(s.agents.id, "\n"+agent+"\n")
				}
			}
			maps.DeleteFunc(spoke, func(_ string, missing bool) bool { return !missing })
			t.missing = slices.Sorted(maps.Keys(spoke))
		}
		list = append(list, t)
	}
	return list
}
