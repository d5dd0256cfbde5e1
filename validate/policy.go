package validate

import (
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/text"
)

// A Policy is the section validation of a tree's config.json: severities, ignored
// findings and the schemas of the team. A nil Policy has the defaults.
type Policy struct {
	name     string // of the config.json
	severity map[string]Severity
	rules    []pathRule
	ignores  []ignore
	schemas  []schemaEntry
}

// maxEntries is the number of entries of each list of a Policy that are used.
const maxEntries = 500

// A pathRule is the severity of a rule for some documents.
type pathRule struct {
	spot
	rule, path string
	severity   Severity
}

// PolicyOf returns the Policy of a tree. In a tree with both folders the section
// validation of .quaid applies if .forgemind has none. A config that is missing or
// invalid sets nothing, and hides the one after it; another rule reports an invalid
// config.
func PolicyOf(r fs.Reader) *Policy {
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
		return newPolicy(r, name, doc, section)
	}
	return nil
}

// newPolicy reads a section. It ignores entries that violate the schema of config.json.
func newPolicy(r fs.Reader, name string, doc *jsonedit.Doc, section int) *Policy {
	p := &Policy{name: name, severity: map[string]Severity{}}
	if table := doc.Member(section, "severity"); table >= 0 {
		for c := range doc.Children(table) {
			s, _ := doc.Str(c)
			p.severity[doc.Key(c)] = Severity(s)
		}
	}
	word := func(entry int, member string) string {
		s, _ := doc.Str(doc.Member(entry, member))
		return s
	}
	for _, c := range entriesAt(doc, section, "rules") {
		r := pathRule{rule: word(c, "rule"), path: word(c, "path"), severity: Severity(word(c, "severity"))}
		switch {
		case !isSeverity(r.severity):
		case r.path == "":
			p.severity[r.rule] = r.severity
		default:
			r.spot = spot{name: name, offset: int(doc.Nodes[c].Start), pointer: doc.Pointer(c)}
			p.rules = append(p.rules, r)
		}
	}
	for _, c := range entriesAt(doc, section, "ignore") {
		g := ignore{rule: word(c, "rule"), path: word(c, "path"), reason: word(c, "reason")}
		if g.rule != "" && g.path != "" && g.reason != "" {
			g.spot = spot{name: name, offset: int(doc.Nodes[c].Start), pointer: doc.Pointer(c)}
			p.ignores = append(p.ignores, g)
		}
	}
	for _, c := range entriesAt(doc, section, "schemas") {
		if match, path := word(c, "match"), word(c, "schema"); match != "" && path != "" {
			at := doc.Member(c, "schema")
			p.schemas = append(p.schemas, newSchemaEntry(spot{name, int(doc.Nodes[at].Start), doc.Pointer(at)}, match, path, r.Read))
		}
	}
	return p
}

// entriesAt returns the objects in a list of a section.
func entriesAt(doc *jsonedit.Doc, section int, member string) (entries []int) {
	list := doc.Member(section, member)
	if list < 0 || doc.Nodes[list].Kind != jsonedit.Array {
		return nil
	}
	for c := range doc.Children(list) {
		if len(entries) < maxEntries && doc.Nodes[c].Kind == jsonedit.Object {
			entries = append(entries, c)
		}
	}
	return entries
}

// severities returns the severities for all documents, with changes applied in order.
func (p *Policy) severities(changes ...map[string]Severity) severities {
	if p == nil {
		return newSeverities(changes...)
	}
	return newSeverities(slices.Insert(changes, 0, p.severity)...)
}

// running returns s with the rules enabled that a path enables.
func (p *Policy) running(s severities) severities {
	if p == nil {
		return s
	}
	s = slices.Clone(s)
	for _, r := range p.rules {
		if i := ruleIndex(r.rule); i >= 0 && s[i] == Off {
			s[i] = r.severity
		}
	}
	return s
}

// at returns the severity of a rule in the document name; s is its severity in others.
// The last entry that matches counts.
func (p *Policy) at(rule, name string, s Severity) Severity {
	for _, r := range p.rules {
		if r.rule != rule || isPreservation(rule) {
			continue
		}
		if matched, _ := text.MatchPath(r.path, name); matched {
			s = r.severity
		}
	}
	return s
}

func isSeverity(s Severity) bool { return s == Error || s == Warning || s == Off }
