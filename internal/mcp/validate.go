package mcp

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

func validateTool() tool {
	return tool{
		name: "validate", title: "Judge the tree's documents",
		about: "What is wrong in the tree's documents, and where: file, line, rule, and what to do about it. Errors come first.",
		members: []member{
			{name: "errors_only", kind: yes, about: "leave out warnings; false by default"},
			limitMember(20, 100), offsetMember(),
		},
		plural: "findings",
		run:    func(c *call) (answer, error) { return reading(c.server, c.validate) },
	}
}

// A finding is a finding of validate with an id that is stable as long as the finding holds.
type finding struct {
	ID string `json:"id"`
	validate.Finding
}

func (c *call) validate(tree *fs.Tree) (answer, error) {
	report, err := engine.Validate(tree, validate.Options{})
	if err != nil {
		return answer{}, err
	}
	all := slices.Clone(report.Findings)
	if c.yes("errors_only") {
		all = slices.DeleteFunc(all, func(f validate.Finding) bool { return f.Severity != validate.Error })
	}
	slices.SortStableFunc(all, func(a, b validate.Finding) int { return rank(a) - rank(b) })
	l := list{plural: "findings", offset: c.number("offset", 0)}
	l.head = fmt.Sprintf("%d documents judged: %d errors, %d warnings", report.Files, report.Errors, report.Warnings)
	if report.Ignored > 0 {
		l.head += fmt.Sprintf(", %d ignored", report.Ignored)
	}
	from, to := page(len(all), l.offset, c.number("limit", 20))
	l.offset = from
	for _, f := range all[from:to] {
		f.Message, f.Hint, f.File = inline(f.Message, 300), inline(f.Hint, 300), inline(f.File, 300)
		line := fmt.Sprintf("%s:%d:%d: %s: %s [%s]", f.File, f.Line, f.Column, f.Severity, f.Message, f.Rule)
		if f.Hint != "" {
			line += "\n  " + f.Hint
		}
		f.Pointer = inline(f.Pointer, 200)
		id := schema.DerivedID("finding-", fmt.Appendf(nil, "%s\n%s\n%s\n%s", f.File, f.Pointer, f.Rule, f.Message))
		if !l.add(finding{id, f}, line) {
			break
		}
	}
	return l.answer(len(all))
}

// rank returns 0 for errors and 1 for other findings.
func rank(f validate.Finding) int {
	if f.Severity == validate.Error {
		return 0
	}
	return 1
}
