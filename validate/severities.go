package validate

import "github.com/forgemind/forgemind/fs"

// severities holds a Severity for each rule, in the order of rules.
type severities []Severity

// newSeverities returns the defaults with changes applied in order. Unknown rules and
// severities are ignored.
func newSeverities(changes ...map[string]Severity) severities {
	out := make(severities, len(rules))
	for i, r := range rules {
		out[i] = r.Severity
	}
	for _, change := range changes {
		for name, s := range change {
			if i := ruleIndex(name); i >= 0 && (s == Error || s == Warning || s == Off) {
				out[i] = s
			}
		}
	}
	return out
}

// Configured returns the severities that the config.json of a tree sets for all
// documents; see PolicyOf.
func Configured(r fs.Reader) map[string]Severity {
	p := PolicyOf(r)
	if p == nil {
		return nil
	}
	return p.severity
}
