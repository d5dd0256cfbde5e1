package validate

import "github.com/forgemind/forgemind/schema"

var knobValue = Rule{
	Name:     "knob-value",
	Severity: Error,
	Summary:  "A value that a knob of context-config.yaml cannot have.",
	Help: `The value has another type than the knob, or is out of its range: a ratio is a
part of 1, so that 50 % is 0.5; a switch is true or false; a number of chunks, days or
tokens is whole. A path that leads out of the tree is refused here too: what was dropped
and what was logged stay in the tree's own folder. (The place that the memfas plan gives
them, below ~/.clawdbot/, is read as that.)

The line does nothing: the knob has its default.

Wrong:

    COMPACTION_TRIGGER_PCT: 50
    LOG_PATH: /var/log/agents/

Right:

    COMPACTION_TRIGGER_PCT: 0.5
    LOG_PATH: logs/context/

To mend it, write what the message says is expected. ` + "`forgemind config explain NAME`" + `
tells what the knob does.
`,
	whole: func(d *document) {
		d.knobFaults(schema.WrongValue, "until it is mended the default holds; forgemind config explain tells what a knob means")
	},
}
