package validate

import (
	"fmt"
	"path"
	"strings"
)

var fragmentMismatch = Rule{
	Name:     "fragment-mismatch",
	Severity: Warning,
	Summary:  "A session and a fragment of memory that do not name one another.",
	Help: `An archived session names the fragment that was made of it, and the fragment names
the session. One of the two names another one.

From a fragment one does not get to what was said, or from a session to a fragment that
is of something else. It comes from a file that was copied, or a name that was changed
by hand. A fragment that names no session, and a session that names no fragment, are no
fault; what does not exist is for dangling-reference.

Wrong:

    sessions/conv-2025-11-09-001/metadata.json   "fragment": "2025-11-09-jwt.md"
    memory/fragments/2025-11-09-jwt.md           session: conv-2025-11-09-002

Right:

    memory/fragments/2025-11-09-jwt.md           session: conv-2025-11-09-001

To mend it, correct the name that is wrong, or take out session: of a fragment that is
not the one made of the session.
`,
	whole: func(d *document) {
		if f, ok := d.fragment(); ok && d.facts != nil {
			if id, ok := f.text("session"); ok {
				d.facts.madeFrom = append(d.facts.madeFrom, link{spot: spot{name: d.name, offset: f.at("session")}, from: d.name, to: id})
			}
		}
	},
	across: (*treeFacts).pairs,
}

// pairs reports sessions and fragments that do not name each other.
func (c *treeFacts) pairs() {
	const hint = "correct the name that is wrong"
	ids := map[string]string{} // file → id of the fragment
	for _, f := range c.fragments {
		ids[f.name] = f.id
	}
	is := func(file, name string) bool {
		return name == ids[file] || path.Base(name) == path.Base(file) || path.Base(name) == strings.TrimSuffix(path.Base(file), ".md")
	}
	kept := map[string]string{} // session → fragment that it names
	for _, s := range c.keptAs {
		kept[s.from] = s.to
	}
	named := map[string]bool{} // fragments named by some session's metadata, which is reported there
	for _, s := range c.keptAs {
		for _, f := range c.madeFrom {
			if is(f.from, s.to) && f.to != s.from {
				named[f.from] = true
				c.at(s.spot, fmt.Sprintf("the fragment %s is of the session %s", plain(s.to), plain(f.to)), hint)
			}
		}
	}
	for _, f := range c.madeFrom {
		if name := kept[f.to]; name != "" && !is(f.from, name) && !named[f.from] {
			c.at(f.spot, fmt.Sprintf("the session %s names another fragment: %s", plain(f.to), plain(name)), hint)
		}
	}
}
