package validate

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// severities holds a Severity for each of the rules, in their order.
type severities []Severity

// newSeverities are the defaults, changed by what each of changes says; what
// is no rule or no severity changes nothing.
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

// Configured returns the severities that the config.json of a tree sets under
// `validation.severity`. In a tree with both folders the section validation of
// .quaid holds where .forgemind lacks it. A config that is missing or broken sets
// none, nor does what stands behind a broken one; that it is broken is a finding
// of its own.
func Configured(r fs.Reader) map[string]Severity {
	for _, name := range []string{fs.Config, fs.QuaidConfig} {
		src, err := r.Read(name)
		if err != nil {
			continue
		}
		doc, err := jsonedit.Parse(src)
		if err != nil || doc.Nodes[0].Kind != jsonedit.Object {
			return nil
		}
		section := doc.Member(0, "validation")
		if section < 0 || doc.Nodes[section].Kind == jsonedit.Null {
			continue
		}
		out := map[string]Severity{}
		if table := doc.Member(section, "severity"); table >= 0 {
			for c := range doc.Children(table) {
				s, _ := doc.Str(c)
				out[doc.Key(c)] = Severity(s)
			}
		}
		return out
	}
	return nil
}
