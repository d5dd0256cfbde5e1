package engine

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
)

// readKnobs reads context-config.yaml. Values of config.json take precedence. A fault
// in the file is a warning, and the default applies.
func readKnobs(r fs.Reader, config schema.Config) (set knobs.Set, warnings []string, err error) {
	const most = 3
	if set, err = knobs.Read(r); err != nil {
		return set, nil, err
	}
	set.Knobs = set.Under(config.Compaction)
	for i, f := range set.Faults {
		if i == most {
			warnings = append(warnings, fmt.Sprintf("%d more settings of context-config.yaml cannot be used; 'forgemind validate' lists them", len(set.Faults)-most))
			break
		}
		warnings = append(warnings, fmt.Sprintf("%s:%d: %s%s; 'forgemind validate' says more", f.File, f.Line, f.Msg, defaultNote(set, f)))
	}
	return set, warnings, nil
}

// defaultNote names the default that applies instead of an invalid setting; "" if
// another file sets the knob.
func defaultNote(set knobs.Set, f knobs.Fault) string {
	name, _, _ := strings.Cut(f.Msg, ":")
	k, known := schema.FindKnob(name)
	if _, said := set.Said[k.Name]; !known || said {
		return ""
	}
	return "; the default " + k.Default() + " holds"
}

// policy returns the policy of config.json and the thresholds that apply.
func (r *WorkingSet) policy() (string, schema.Thresholds) {
	return r.knobs.Resolve(r.config.Compaction)
}

// strategyOf returns the strategy of a policy, for commands that name none.
func strategyOf(policy string) string {
	if policy == schema.PolicyMemfas {
		return compact.Relevance
	}
	return compact.Adaptive
}
