package main

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/audit"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/validate"
)

func (p *program) auditCommand() *cli.Command {
	var kinds strings.Builder
	for _, k := range auditKinds() {
		fmt.Fprintf(&kinds, "\n  %-22s%s", k.Name, k.Summary)
	}
	return &cli.Command{
		Name:  "audit",
		Usage: "Find what no longer holds",
		Description: "Each finding has a score from 0 to 100 (how sure it is, and how harmful), its evidence, and what to do.\n" +
			"Nothing is changed. The kinds:\n" + kinds.String() + "\n\n" +
			"Exit codes: 0 nothing stale of that score, 1 something stale, or not checked with --strict, 2 wrong usage, 3 could not look.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "since", Usage: "only what became stale since the revision `REV`"},
			&cli.BoolFlag{Name: "repo", Usage: "look for superseded decisions in the text of all files that git tracks, too"},
			&cli.IntFlag{Name: "fail-at", Usage: "exit 1 from this `SCORE` on", Value: 50},
			&cli.BoolFlag{Name: "strict", Usage: "exit 1 also where something could not be checked"},
			choice("format", "how to print", validate.Formats()...),
		},
		Action: takes(0, 0, p.audit),
	}
}

func (p *program) audit(c *cli.Context) error {
	failAt := c.Int("fail-at")
	switch {
	case failAt < 1 || failAt > 100:
		return &usageError{fmt.Sprintf("%s: --fail-at %d: it is a score from 1 to 100", c.Command.HelpName, failAt), usageLine(c.Command)}
	case c.IsSet("since") && c.String("since") == "":
		return &usageError{c.Command.HelpName + ": --since: a revision is missing", usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	if validate.Foreign(tree) {
		return withHint(fmt.Errorf("%s: another product's tree, by its schema; it is left alone", inline(tree.Root())), "--tree DIR names another one")
	}
	report, err := query.AuditAndKeep(c.Context, tree, audit.Options{Now: p.Now(), Root: tree.Root(), Since: c.String("since"), Repo: c.Bool("repo")})
	if err != nil {
		return err
	}
	if report.Checked == 0 && len(report.Unread) == 0 { // it must not look like success
		return withHint(errors.New("there was nothing to look at"), "'forgemind init' adds what a tree lacks; --tree DIR names another one")
	}
	if err := p.printAudit(c, report, filepath.ToSlash(p.shown(tree.Root())), failAt); err != nil {
		return err
	}
	if report.Worst() >= failAt || c.Bool("strict") && len(report.NotChecked)+len(report.Unread) > 0 {
		return errFindings
	}
	return nil
}

// printAudit prints a report; from is the tree as people would name it from here.
func (p *program) printAudit(c *cli.Context, report audit.Report, from string, failAt int) error {
	switch format := c.String("format"); format {
	case "json":
		if err := p.printJSON(report); err != nil {
			return err
		}
	case "text":
		for _, f := range report.Findings {
			p.printStale(f, from, failAt)
		}
	default:
		var text bytes.Buffer
		_, name, err := p.namesInCI()
		if err != nil {
			return err
		}
		if err := p.writeFindings(&text, format, judged(report, from, failAt, name)); err != nil {
			return err
		}
		if _, err := p.out.Write(text.Bytes()); err != nil {
			return err
		}
	}
	for _, g := range report.NotChecked {
		p.noteGap(g)
	}
	if n := len(report.Unread); n > 0 {
		p.note("forgemind: warning: %s could not be read, %s first; 'forgemind validate' says why", count(n, "document"), inline(p.at(report.Unread[0])))
	}
	p.note("%s, %s, %s stale, %d of them at %d or above", count(report.Checked, "document"), count(report.Commits, "commit"),
		count(len(report.Findings), "thing"), atLeast(report, failAt), failAt)
	return nil
}

// noteGap warns of something that was not looked at.
func (p *program) noteGap(g audit.Gap) {
	p.note("forgemind: warning: not checked: %s [%s]", short(g.String(), 400), audit.NotChecked.Name)
}

// printStale prints one finding for people: what, why, what to do.
func (p *program) printStale(f audit.Finding, from string, failAt int) {
	colour := "33"
	if f.Score >= failAt {
		colour = "1;31"
	}
	p.out.Paint("1", inline(fmt.Sprintf("%s:%d:%d", path.Join(from, f.File), f.Line, f.Column)))
	p.printf(": ")
	p.out.Paint(colour, fmt.Sprint(f.Score))
	p.printf(": %s [%s]\n", inline(f.Message), f.Kind)
	for _, e := range f.Evidence {
		e.File = pathFrom(from, e.File)
		p.printf("  see: %s\n", inline(e.String()))
	}
	p.printf("  do: %s\n", inline(f.Hint))
}

// pathFrom is the path of a Name as people would name it; "" stays.
func pathFrom(from, name string) string {
	if name == "" {
		return ""
	}
	return path.Join(from, name)
}

// judged returns a report as findings of validate, for the formats that CI reads. Evidence,
// which stands in a text there, is named by name.
func judged(report audit.Report, from string, failAt int, name func(file string) string) validate.Report {
	r := validate.Report{By: "audit"}
	for _, g := range report.NotChecked {
		r.Findings = append(r.Findings, validate.Finding{
			File: from, Line: 1, Column: 1, Rule: audit.NotChecked.Name, Severity: validate.Warning, Message: "not checked: " + g.String(),
		})
	}
	for _, f := range report.Findings {
		severity := validate.Warning
		if f.Score >= failAt {
			severity = validate.Error
		}
		hint := f.Hint
		for _, e := range f.Evidence {
			if e.File != "" {
				e.File = name(path.Join(from, e.File))
			}
			hint += "; see " + e.String()
		}
		file := path.Join(from, f.File)
		r.Add(file, validate.Finding{
			File: file, Line: f.Line, Column: f.Column, Pointer: f.ID, Rule: f.Kind, Severity: severity,
			Message: fmt.Sprintf("%s (score %d)", f.Message, f.Score), Hint: hint,
		})
	}
	r.Finish()
	return r
}

// atLeast counts the findings of a score or more.
func atLeast(report audit.Report, score int) (n int) {
	for _, f := range report.Findings {
		if f.Score >= score {
			n++
		}
	}
	return n
}
