package validate

import "unicode/utf8"

var yamlSyntax = Rule{
	Name:     "yaml-syntax",
	Severity: Error,
	Summary:  "A context-config.yaml that is no YAML, or no list of settings.",
	Help: `The knobs in context-config.yaml are names with values, one a line. The text is no
YAML at this place, or it is something else than names with values.

Nothing of such a file is used: every knob has its default.

Wrong:

    RELEVANCE_CUTOFF 0.3
    MEMFAS_WEIGHT: [0.6

Right:

    RELEVANCE_CUTOFF: 0.3
    MEMFAS_WEIGHT: 0.6

To mend it, go to the line of the finding: the mistake is there or just before.
`,
	whole: func(d *document) {
		f := d.knobFile()
		if f == nil || f.wrong == nil || hasMarker(d.src) || !utf8.Valid(d.src) {
			return
		}
		offset := lineStart(d.src, f.wrong.Line)
		for range f.wrong.Column - 1 {
			if offset >= len(d.src) || d.src[offset] == '\n' {
				break
			}
			_, size := utf8.DecodeRune(d.src[offset:])
			offset += size
		}
		d.report(offset, "", "no YAML: "+f.wrong.Msg, "the mistake is here or just before; until it is mended every knob has its default")
	},
}
