package validate

import (
	"fmt"
	iofs "io/fs"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

// Options are the options of validation. The zero value uses the defaults.
type Options struct {
	// Severity overrides, by rule, the severities of the rules and of config.json.
	Severity map[string]Severity
	// Policy is the Policy of the tree for single documents; Tree reads it itself.
	Policy *Policy
	// Also, if not nil, returns further findings of a tree, which Tree reports by its
	// Policy.
	Also func() []Finding
	// Foreign also validates trees of other products, which are skipped otherwise.
	Foreign bool
	// Progress, if not nil, is called from time to time with the number of finished
	// documents, by one goroutine at a time.
	Progress func(done, total int)
}

// Bytes validates one document by itself: its schema and the rules for single documents.
// name, a Name or any slash path, determines the kind of the document; if it does not, the
// content does.
func Bytes(name string, src []byte, o Options) []Finding {
	j := newJudgeOf(o.Policy, o.Policy.running(o.Policy.severities(o.Severity)))
	found := j.one(name, placeKind(name), true, src)
	kept, _ := o.Policy.settle(single{nil, name, src}, found, j.comments, []string{name})
	slices.SortFunc(kept, Compare)
	return kept
}

// In validates src as the document at name in a tree, by itself, with the Policy of the
// tree.
func In(r fs.Reader, name string, src []byte) []Finding { return Document(r, name, src).Findings }

// Document is In that returns a finished Report, with the ignored findings.
func Document(r fs.Reader, name string, src []byte) Report {
	r = single{r, name, src}
	p := PolicyOf(r)
	j := newJudgeOf(p, p.running(p.severities()))
	found := j.one(name, fs.Place(name), false, src)
	report := Report{Checked: []string{name}}
	report.Findings, report.Suppressed = p.settle(r, found, j.comments, []string{name})
	report.Finish()
	return report
}

// single is a Reader in which the document name has the content src.
type single struct {
	fs.Reader
	name string
	src  []byte
}

func (s single) Read(name string) ([]byte, error) {
	if name == s.name {
		return s.src, nil
	}
	if s.Reader == nil {
		return nil, iofs.ErrNotExist
	}
	return s.Reader.Read(name)
}

// Unreadable reports whether a document cannot be used: it cannot be parsed, or
// violates its schema.
func Unreadable(name string, src []byte) bool {
	stopping := make(severities, len(rules))
	for i, r := range rules {
		switch stopping[i] = Off; r.Name {
		case jsonSyntax.Name, encoding.Name, conflictMarker.Name, tooLarge.Name, tooDeep.Name, schemaRule.Name:
			stopping[i] = Error
		}
	}
	return len(newJudge(stopping).one(name, placeKind(name), true, src)) > 0
}

// Foreign reports whether a tree belongs to another product: its State can be parsed
// and names another schema than ours.
func Foreign(r fs.Reader) bool {
	src, err := r.Read(fs.State)
	if err != nil {
		return false
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return false
	}
	s, ok := doc.Str(doc.Member(0, "schema"))
	return ok && s != stateSchema
}

// Tree validates all documents of a tree, also against each other and the disk. A tree
// of another product gives an empty Report. A document that cannot be read is a
// Finding, not an error.
func Tree(r fs.Reader, o Options) (Report, error) {
	var report Report
	if !o.Foreign && Foreign(r) {
		report.Finish()
		return report, nil
	}
	p := PolicyOf(r)
	severity := p.running(p.severities(o.Severity))
	c := &workerPool{reader: r, severity: severity, policy: p, progress: o.Progress, whole: true}
	for name, err := range r.Names(".") {
		if err != nil {
			if name == "" {
				return report, fmt.Errorf("list the documents: %w", err)
			}
			report.Add(name, unread(name, err, c.severity)...)
			continue
		}
		if !strings.HasPrefix(path.Base(name), ".#") { // an editor's lock, a link to nowhere
			c.names = append(c.names, name)
		}
	}
	c.judge()
	report.Checked = append(report.Checked, c.checked...)
	report.Findings = append(report.Findings, withoutCopied(c.found)...)
	report.Findings = append(report.Findings, newCensus(r, c.names, c.severity, c.facts).findings()...)
	report.Findings = append(report.Findings, displaced(r, report.Findings, c.severity)...)
	if o.Also != nil {
		report.Findings = append(report.Findings, o.Also()...)
	}
	report.Findings, report.Suppressed = p.settle(r, report.Findings, c.comments, nil)
	report.Finish()
	return report, nil
}

// Files validates documents of r, each by itself, as Bytes does. Names for which Judges
// returns false are not in Report.Checked.
func Files(r fs.Reader, names []string, o Options) Report {
	c := &workerPool{reader: r, severity: o.Policy.running(o.Policy.severities(o.Severity)), policy: o.Policy, progress: o.Progress, names: names}
	c.judge()
	report := Report{Checked: c.checked}
	report.Findings, report.Suppressed = o.Policy.settle(r, c.found, c.comments, names)
	report.Finish()
	return report
}
