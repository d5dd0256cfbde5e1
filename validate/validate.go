package validate

import (
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/views"
)

// Options say how to judge. The zero value is judging by the defaults.
type Options struct {
	// Severity overrides, by rule, what the rules and config.json say.
	Severity map[string]Severity
	// Foreign has a tree of another product judged too, not left alone.
	Foreign bool
	// Progress, if set, is told from time to time how many of the documents
	// are done, by one goroutine at a time.
	Progress func(done, total int)
}

// Bytes judges one document by itself: by its schema and the rules within it.
// name, a Name or any slash path, says which document it is; where it does not,
// the content is asked.
func Bytes(name string, src []byte, o Options) []Finding {
	j := newJudge(newSeverities(o.Severity))
	return sorted(j.one(name, placeKind(name), true, src))
}

// In judges bytes as the document at name in a tree, by itself, with the
// severities that the tree's config.json sets.
func In(r fs.Reader, name string, src []byte) []Finding {
	j := newJudge(newSeverities(Configured(r)))
	return hintView(r, name, sorted(j.one(name, fs.Place(name), false, src)))
}

// hintView says of a State that is no JSON that it may be removed, if the records have
// what it shows.
func hintView(r fs.Reader, name string, found []Finding) []Finding {
	for i, f := range found {
		if name == fs.State && f.Rule == jsonSyntax.Name && views.Rendered(r, name) {
			found[i].Hint += ". If it cannot be mended, remove the file: it is a view, which the next command renders again from the records, without edits that no command has read"
		}
	}
	return found
}

func sorted(findings []Finding) []Finding {
	slices.SortFunc(findings, Compare)
	return findings
}

// Unreadable says whether nothing can be done with a document: it can't be
// parsed, or is against its schema.
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

// Foreign says whether a tree belongs to another product: its State parses and
// names another schema than ours.
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

// Tree judges all documents of a tree, against each other and the disk. A tree
// of another product gives an empty Report. A document that can't be read is a
// Finding, no error.
func Tree(r fs.Reader, o Options) (Report, error) {
	var report Report
	if !o.Foreign && Foreign(r) {
		report.Finish()
		return report, nil
	}
	c := NewChecker(r, o)
	if err := c.CheckAll(); err != nil {
		return report, err
	}
	return c.Report(), nil
}

// Files judges documents of r each by itself, as Bytes does, several at a time.
// Names that Judges refuses are not in Report.Checked. Of a copy of another file it is
// told only that it differs.
func Files(r fs.Reader, names []string, o Options) Report {
	c := &crew{reader: r, severity: newSeverities(o.Severity), progress: o.Progress}
	var report Report
	copies := map[string]string{}
	for _, name := range names {
		if of, _ := fs.PassedOver(r, name); of != "" {
			copies[name] = of
			report.Add(name)
			continue
		}
		c.names = append(c.names, name)
	}
	for i, d := range c.judge() {
		if d.judged {
			report.Add(c.names[i])
		}
		report.Findings = append(report.Findings, d.found...)
	}
	report.Findings = append(report.Findings, strayCopies(r, copies, c.severity)...)
	report.Finish()
	return report
}
