package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/validate"
)

func (p *program) validateCommand() *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "Check a tree or files against schemas and rules",
		ArgsUsage: "[PATH…]",
		Description: "Without PATH, checks the whole tree: each document, the documents against each other and against the " +
			"disk. PATH may be a tree, a folder of it, a folder with trees or documents in it, a single file, or '-' " +
			"for standard input. A single file is checked by itself. 'forgemind explain RULE' explains a finding, and " +
			"whether --fix repairs it.\n\nExit codes: 0 nothing wrong, 1 findings of severity error, 2 wrong usage, 3 " +
			"could not check, or nothing to check. With --changed, no changed document is 0 as well. Findings that " +
			"--baseline, validation.ignore in config.json or a comment 'forgemind: ignore RULE REASON' accepts are counted and do not fail.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "against", Usage: "also fail if a decision or record of `REV|FILE` is lost or changed"},
			&cli.BoolFlag{Name: "changed", Usage: "only documents that differ from the last commit", DisableDefaultText: true},
			&cli.BoolFlag{Name: "strict", Usage: "fail on warnings too", DisableDefaultText: true},
			&cli.BoolFlag{Name: "fix", Usage: "repair what can be repaired without loss, then check", DisableDefaultText: true},
			dryRunFlag(),
			choice("format", "output format", validate.Formats()...),
			&cli.StringFlag{Name: "baseline", Usage: "accept the findings that `FILE` lists"},
			&cli.BoolFlag{Name: "write-baseline", Usage: "write the findings into the file of --baseline first", DisableDefaultText: true},
			&cli.StringFlag{Name: "stdin-path", Usage: "check standard input as the document `NAME`"},
		},
		Action: p.validate,
	}
}

// A judgement is one run of validate.
type judgement struct {
	*program
	c        *cli.Context
	report   validate.Report
	failures []error // what could not be validated
	skipped  bool    // a named file is of a kind that is not validated
}

func (p *program) validate(c *cli.Context) error {
	if err := checkValidateUse(c); err != nil {
		return err
	}
	j := &judgement{program: p, c: c}
	j.report.Hints = isTerminal(p.Stdout)
	if err := j.judge(); err != nil {
		return err
	}
	j.report.Finish()
	if c.IsSet("baseline") && len(j.failures) == 0 {
		if err := j.baseline(); err != nil {
			return err
		}
	}
	if j.report.Files == 0 && len(j.failures) == 0 && len(j.report.Findings)+j.report.Ignored == 0 {
		return j.nothingJudged()
	}
	if err := j.print(); err != nil {
		return err
	}
	return j.verdict()
}

// checkValidateUse returns an error for flags that exclude each other.
func checkValidateUse(c *cli.Context) error {
	stdin := c.IsSet("stdin-path") || c.Args().First() == "-"
	var msg string
	switch {
	case stdin && (c.NArg() > 1 || c.NArg() == 1 && c.Args().First() != "-"):
		msg = "standard input cannot be checked together with other paths"
	case stdin && (c.Bool("changed") || c.Bool("fix") || c.IsSet("against")):
		msg = "--changed, --fix and --against need files, not standard input"
	case c.IsSet("stdin-path") && c.String("stdin-path") == "":
		msg = "--stdin-path: a name is missing"
	case c.IsSet("against") && c.String("against") == "":
		msg = "--against: a revision or a file is missing"
	case c.IsSet("against") && c.NArg() > 1:
		msg = "--against compares one tree or one file"
	case c.IsSet("baseline") && c.String("baseline") == "":
		msg = "--baseline: a file is missing"
	case c.Bool("write-baseline") && (!c.IsSet("baseline") || stdin || c.Bool("changed")):
		msg = "--write-baseline needs --baseline, and excludes --changed and standard input"
	case c.Bool("dry-run") && !c.Bool("fix") && !c.Bool("write-baseline"):
		msg = "--dry-run needs --fix or --write-baseline"
	default:
		return nil
	}
	return &usageError{c.Command.HelpName + ": " + msg, usageLine(c.Command)}
}

// judge fills the report.
func (j *judgement) judge() error {
	if j.c.IsSet("stdin-path") || j.c.Args().First() == "-" {
		return j.judgeStdin()
	}
	found, err := j.targets()
	if err != nil {
		return err
	}
	if j.c.Bool("fix") {
		if err := j.fix(found); err != nil {
			return err
		}
	}
	if j.c.IsSet("against") {
		if err := j.compare(found); err != nil {
			return err
		}
	}
	for _, t := range found.trees {
		if err := j.judgeTree(t); err != nil {
			j.failures = append(j.failures, err)
		}
	}
	j.judgeFiles(found.files)
	return nil
}

// maxStdin is larger than the limit of every document, so that the rule reports one that is too
// large.
const maxStdin = 64 << 20

func (j *judgement) judgeStdin() error {
	src, err := io.ReadAll(io.LimitReader(j.Stdin, maxStdin))
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	name := j.c.String("stdin-path")
	if name == "" {
		name = "stdin.json"
	}
	if !validate.Judges(name) {
		j.skip(name)
		return nil
	}
	j.judgeAs(name, src)
	return nil
}

// judgeAs validates bytes as the contents of the document name. If that is in a tree, the tree's
// Policy holds.
func (j *judgement) judgeAs(name string, src []byte) {
	if abs, err := j.abs(name); err == nil {
		if root, place, ok := treeOf(abs); ok {
			if tree, err := fs.Open(root); err == nil {
				defer tree.Close()
				found := validate.Document(tree, place, src)
				j.add(root, found, func(string) bool { return true })
				j.rename(path.Join(filepath.ToSlash(j.shown(root)), place), name)
				return
			}
		}
	}
	j.report.Add(name, validate.Bytes(filepath.ToSlash(name), src, validate.Options{})...)
	j.rename(filepath.ToSlash(name), name)
}

// rename names the document in the report as the user did.
func (j *judgement) rename(reported, name string) {
	for i, file := range j.report.Checked {
		if file == reported {
			j.report.Checked[i] = name
		}
	}
	for _, list := range [][]validate.Finding{j.report.Findings, j.report.Suppressed} {
		for i := range list {
			if list[i].File == reported {
				list[i].File = name
			}
		}
	}
}

// nothingJudged returns the error for a run with nothing to validate, which must not look like
// success. With --changed, an unchanged tree is a success.
func (j *judgement) nothingJudged() error {
	if j.c.Bool("changed") && !j.skipped {
		j.note("nothing changed since HEAD; 0 files checked")
		return validate.Write(j.out, j.c.String("format"), j.report)
	}
	return withHint(errors.New("there was nothing to check"),
		"name a tree, a folder with documents, or a file; without PATH, the nearest tree above the working directory is checked")
}

func (j *judgement) print() error {
	var text bytes.Buffer
	format := j.c.String("format")
	if err := validate.Write(&text, format, j.report); err != nil {
		return err
	}
	if format == "text" && j.out.colour {
		j.paint(text.String())
	} else if _, err := j.out.Write(text.Bytes()); err != nil {
		return err
	}
	ignored := ""
	if j.report.Ignored > 0 {
		ignored = fmt.Sprintf(", %d ignored", j.report.Ignored)
	}
	j.note("%s, %s, %s%s", count(j.report.Files, "file"), count(j.report.Errors, "error"), count(j.report.Warnings, "warning"), ignored)
	mended := 0
	for _, f := range j.report.Findings {
		if strings.HasPrefix(f.Hint, "validate --fix ") {
			mended++
		}
	}
	if mended > 0 && format == "text" {
		j.note("forgemind: hint: 'forgemind validate --fix' repairs %d of them", mended)
	}
	return nil
}

// paint prints findings with colors.
func (j *judgement) paint(text string) {
	for line := range strings.Lines(text) {
		place, rest, found := strings.Cut(line, ": error: ")
		word, colour := "error", "1;31"
		if before, after, ok := strings.Cut(line, ": warning: "); ok && (!found || len(before) < len(place)) {
			place, rest, found, word, colour = before, after, true, "warning", "33"
		}
		if !found {
			io.WriteString(j.out, line)
			continue
		}
		j.out.Paint("1", place)
		io.WriteString(j.out, ": ")
		j.out.Paint(colour, word)
		io.WriteString(j.out, ": "+rest)
	}
}

// verdict returns the error for the finished report. Failures take precedence over findings.
func (j *judgement) verdict() error {
	switch {
	case len(j.failures) > 0:
		return errors.Join(j.failures...)
	case j.report.Errors > 0, j.c.Bool("strict") && j.report.Warnings > 0:
		return errFindings
	}
	return nil
}

// count is "1 file", "2 files".
func count(n int, noun string) string { return text.Count(n, noun) }
