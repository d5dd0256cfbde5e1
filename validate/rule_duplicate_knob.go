package validate

import "github.com/forgemind/forgemind/schema"

var duplicateKnob = Rule{
	Name:     "duplicate-knob",
	Severity: Error,
	Summary:  "A knob that context-config.yaml sets twice.",
	Help: `The same knob is there twice, or with two values under its two spellings:
IMPORTANCE_BOOT, as the memfas plan's list has it, and IMPORTANCE_BONUS, as its formula has.

The first of them holds. Other programs take the last, or refuse the file.

Wrong:

    IMPORTANCE_BOOT: 0.1
    IMPORTANCE_BONUS: 0.2

Right:

    IMPORTANCE_BONUS: 0.2

To mend it, remove the one that is not meant.
`,
	whole: func(d *document) {
		d.knobFaults(schema.KnobTwice, "remove the one that is not meant")
	},
}
