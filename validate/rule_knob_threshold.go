package validate

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"maps"
	"math"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

var knobThreshold = Rule{
	Name:     "knob-threshold",
	Severity: Warning,
	Summary:  "A threshold of config.json that context-config.yaml sets otherwise.",
	Help: `The compaction policy memfas has three thresholds. config.json may set them, in
percent, under compaction.thresholds; so may context-config.yaml, as ratios:
CURATION_TRIGGER_PCT (curation), COMPACTION_TRIGGER_PCT (compaction) and MAX_CONTEXT_PCT
(hard_limit). Here both do, and differ.

What config.json sets holds.

Wrong:

    "thresholds": { "compaction": 60 }        in config.json
    COMPACTION_TRIGGER_PCT: 0.5               in context-config.yaml

Right:

    COMPACTION_TRIGGER_PCT: 0.6               in context-config.yaml alone

To mend it, remove the threshold, so that the knob counts, or make them agree.
`,
	across: func(c *treeFacts) {
		said := c.knobs()
		if len(said) == 0 {
			return
		}
		for _, name := range []string{fs.Config, fs.QuaidConfig} {
			src, err := c.reader.Read(name)
			if errors.Is(err, iofs.ErrNotExist) {
				continue
			}
			doc, err := jsonedit.Parse(src)
			if err != nil || doc.Find("/compaction") < 0 {
				continue
			}
			c.thresholds(name, doc, said)
			return // the section of the first config counts
		}
	},
}

// knobs returns the ratios that are set as knobs, by name.
func (c *treeFacts) knobs() map[string]float64 {
	own, ok := c.knobFile(fs.Knobs)
	other, also := c.knobFile(fs.QuaidKnobs)
	if !ok && !also {
		return nil
	}
	k, clashes := together(own, other).Consistent()
	all := map[string]float64{"CURATION_TRIGGER_PCT": k.CurationTrigger, "COMPACTION_TRIGGER_PCT": k.CompactionTrigger, "MAX_CONTEXT_PCT": k.MaxContext}
	maps.DeleteFunc(all, func(name string, _ float64) bool {
		_, here := own.said[name]
		_, there := other.said[name]
		return !here && !there
	})
	for _, clash := range clashes {
		for _, name := range clash.Names {
			delete(all, name)
		}
	}
	return all
}

// thresholds compares the thresholds of a config.json with the knobs.
func (c *treeFacts) thresholds(name string, doc *jsonedit.Doc, said map[string]float64) {
	if policy, _ := doc.Str(doc.Find("/compaction/policy")); policy != schema.PolicyMemfas {
		return
	}
	for _, pair := range [][2]string{{"curation", "CURATION_TRIGGER_PCT"}, {"compaction", "COMPACTION_TRIGGER_PCT"}, {"hard_limit", "MAX_CONTEXT_PCT"}} {
		threshold, knob := pair[0], pair[1]
		pointer := "/compaction/thresholds/" + threshold
		node := doc.Find(pointer)
		if node < 0 {
			continue
		}
		percent, ok := doc.Float(node)
		ratio, set := said[knob]
		if !ok || !set || percent == 0 || math.Abs(percent-100*ratio) < 1e-9 {
			continue
		}
		c.at(spot{name: name, offset: int(doc.Nodes[node].Start), pointer: pointer},
			fmt.Sprintf("%s is %s %% here, but %s is %s in context-config.yaml, and does not count", threshold, grouped(percent), knob, grouped(ratio)),
			"remove the threshold, so that the knob counts, or make them agree")
	}
}
