package validate

import (
	"strings"

	"github.com/forgemind/forgemind/fs"
)

var ignoredSetting = Rule{
	Name:     "ignored-setting",
	Severity: Warning,
	Summary:  "A setting of a tree that only users may make.",
	Help: `The config.json of a tree names a summarizer (summarizer, or SUMMARY_MODEL). A
summarizer is a program that is run, or a server that gets what was said: whoever can
write to a project must not choose it. It is ignored.

Wrong:

    {"summarizer": {"kind": "command", "command": ["llm"]}}     in .quaid/config.json

Right: the same in your own configuration, $XDG_CONFIG_HOME/forgemind/config.json, which
is ~/.config/forgemind/config.json where that variable is not set.

To mend it, move it there; docs/summarizer.md says what it may hold.
`,
	record: func(d *document) {
		if d.kind != fs.DocConfig || !d.parsed() {
			return
		}
		for c := d.first(0); c >= 0; c = d.next(c) {
			if name := d.tape.Key(c); strings.EqualFold(name, "summarizer") || strings.EqualFold(name, "SUMMARY_MODEL") {
				d.at(c, "a tree cannot name a summarizer; it is ignored",
					"put it into your own configuration, ~/.config/forgemind/config.json; see docs/summarizer.md")
			}
		}
	},
}
