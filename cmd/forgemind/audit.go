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
	for _, k := range audit.Kinds() {
		fmt.Fprintf(&kinds, "\n  %-22s%s", k.Name, k.Summary)
	}
	return &cli.Command{
		Name:  "audit",
		Usage: "Find stale references, threads, pins, actions and files",
		Description: "Each finding has a score from 0 to 100 for certainty and harm, its evidence, and what to do. Nothing is\n" +
			"changed. Kinds of findings:\n" + kinds.String() + "\n\n" +
			"Exit codes: 0 no finding of that score, 1 findings, 2 wrong usage, 3 could not check.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "since", Usage: "only what became stale since revision `REV`"},
			&cli.BoolFlag{Name: "repo", Usage: "also search all tracked files for superseded decisions", DisableDefaultText: true},
			&cli.IntFlag{Name: "fail-at", Usage: "exit with 1 from this `SCORE` up", Value: 50},
			choice("format", "output format", validate.Formats()...),
		},
		Action: takes(0, 0, p.audit),
	}
}

func (p *program) audit(c *cli.Context) error {
	failAt := c.Int("fail-at")
	switch {
	case failAt < 1 || failAt > 100:
		return &usageError{fmt.Sprintf("%s: --fail-at %d: expected a score from 1 to 100", c.Command.HelpName, failAt), usageLine(c.Command)}
	case c.IsSet("since") && c.String("since") == "":
		return &usageError{c.Command.HelpName + ": --since: a revision is missing", usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	if validate.Foreign(tree) {
		return withHint(fmt.Errorf("%s: another product's tree, by its schema; forgemind does not read it", inline(tree.Root())), "--tree DIR names another one")
	}
	report, err := query.AuditAndKeep(c.Context, tree, audit.Options{Now: p.Now(), Root: tree.Root(), Since: c.String("since"), Repo: c.Bool("repo")})
	if err != nil {
		return err
	}
	if report.Checked == 0 && len(report.Unread) == 0 { // it must not look like success
		return withHint(errors.New("there is nothing to check"), "'forgemind init' adds what a tree lacks; --tree DIR names another one")
	}
	if err := p.printAudit(c, report, filepath.ToSlash(p.shown(tree.Root())), failAt); err != nil {
		return err
	}
	if report.Worst() >= failAt {
		return errFindings
	}
	return nil
}

// printAudit prints a report. The argument from is the path of the tree from the working directory.
func (p *program) printAudit(c *cli.Context, report audit.Report, from string, failAt int) error {
	switch format := c.String("format"); format {
	case "json":
		if err := p.printJSON("audit", report); err != nil {
			return err
		}
	case "text":
		for _, f := range report.Findings {
			p.printStale(f, from, failAt)
		}
	default:
		var text bytes.Buffer
		if err := validate.Write(&text, format, judged(report, from, failAt)); err != nil {
			return err
		}
		if _, err := p.out.Write(text.Bytes()); err != nil {
			return err
		}
	}
	if report.Without != "" {
		p.note("forgemind: warning: not checked: %s", short(report.Without, 200))
	}
	if n := len(report.Unread); n > 0 {
		p.note("forgemind: warning: %s could not be read, %s first; 'forgemind validate' says why", count(n, "document"), inline(report.Unread[0]))
	}
	p.note("%s, %s, %s stale, %d of them at %d or above", count(report.Checked, "document"), count(report.Commits, "commit"),
		count(len(report.Findings), "thing"), atLeast(report, failAt), failAt)
	return nil
}

// printStale prints one finding with its reason and a hint.
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

// pathFrom returns the path of a file of the tree from the working directory.
func pathFrom(from, name string) string {
	if name == "" {
		return ""
	}
	return path.Join(from, name)
}

// judged returns a report as findings of validate, for the formats that CI reads.
func judged(report audit.Report, from string, failAt int) validate.Report {
	r := validate.Report{By: "audit"}
	for _, f := range report.Findings {
		severity := validate.Warning
		if f.Score >= failAt {
			severity = validate.Error
		}
		hint := f.Hint
		for _, e := range f.Evidence {
			e.File = pathFrom(from, e.File)
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

// atLeast returns the number of findings with at least the given score.
func atLeast(report audit.Report, score int) (n int) {
	for _, f := range report.Findings {
		if f.Score >= score {
			n++
		}
	}
	return n
}
