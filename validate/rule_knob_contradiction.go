package validate

import (
	"bytes"
	"maps"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

var knobContradiction = Rule{
	Name:     "knob-contradiction",
	Severity: Error,
	Summary:  "Knobs whose values cannot hold together.",
	Help: `Each value is fit by itself, but not beside the other. Curation has to come no later
than compaction, and compaction before the hard limit; RELEVANCE_CUTOFF is not above
KEEP_THRESHOLD; MEMFAS_WEIGHT and RECENCY_BONUS are not both 0. A knob that is not set
counts with its default. In a tree with two files, what holds of both counts.

All knobs of a contradiction have their defaults.

Wrong:

    CURATION_TRIGGER_PCT: 0.60
    COMPACTION_TRIGGER_PCT: 0.50

Right:

    CURATION_TRIGGER_PCT: 0.40
    COMPACTION_TRIGGER_PCT: 0.50

To mend it, change one of the two.
`,
	whole: func(d *document) {
		f := d.knobFile()
		if f == nil {
			return
		}
		for _, c := range f.knobs.Contradictions() {
			if at, name, ok := f.clash(c); ok {
				d.report(at, knobPointer(name), c.Msg, contradictionHint)
			}
		}
	},
	across: func(c *treeFacts) {
		own, ok := c.knobFile(fs.Knobs)
		other, also := c.knobFile(fs.QuaidKnobs)
		if !ok || !also {
			return
		}
		alone := map[string]bool{} // contradictions within one file were reported already
		for _, f := range []*knobFile{own, other} {
			for _, clash := range f.knobs.Contradictions() {
				alone[clash.Msg] = true
			}
		}
		for _, clash := range together(own, other).Contradictions() {
			if at, name, ok := own.clash(clash); ok && !alone[clash.Msg] {
				c.at(spot{name: fs.Knobs, offset: at, pointer: knobPointer(name)}, clash.Msg+" (with what .quaid/context-config.yaml sets)", contradictionHint)
			}
		}
	},
}

const contradictionHint = "change one of the two; until then the defaults hold for both"

// knobFile returns the file of knobs at name, or false and the defaults if it cannot be
// read.
func (c *treeFacts) knobFile(name string) (*knobFile, bool) {
	src, err := c.reader.Read(name)
	if err != nil || len(src) > maxSize {
		return readKnobFile(nil), false
	}
	src, _ = bytes.CutPrefix(src, byteOrderMark)
	f := readKnobFile(src)
	return f, f.wrong == nil
}

// together returns the knobs of two files; own has precedence.
func together(own, other *knobFile) schema.Knobs {
	k := other.knobs
	for name := range maps.Keys(own.said) {
		value, _ := own.knobs.Get(name)
		k.Set(name, value)
	}
	return k
}
