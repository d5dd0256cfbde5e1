package validate

import "github.com/forgemind/forgemind/schema"

var unknownKnob = Rule{
	Name:     "unknown-knob",
	Severity: Warning,
	Summary:  "A setting of context-config.yaml that is no knob.",
	Help: `No knob has this name. Names are written in upper case, as the memfas plan has them.

The line is kept and does nothing: what was meant has its default.

Wrong:

    RELEVANCE_CUTTOFF: 0.4

Right:

    RELEVANCE_CUTOFF: 0.4

To mend it, correct the name. ` + "`forgemind config explain`" + ` lists all knobs.
`,
	whole: func(d *document) {
		d.knobFaults(schema.UnknownKnob, "forgemind config explain lists the knobs")
	},
}
