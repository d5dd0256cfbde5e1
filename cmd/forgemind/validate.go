package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/validate"
)

func (p *program) validateCommand() *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "Check the documents",
		ArgsUsage: "[PATH…]",
		Description: "Without PATH the whole tree is checked: each document, and the documents against one another and the\n" +
			"disk. PATH is a tree, a folder with trees or documents, a file, or \"-\" for standard input. A file is checked by itself. 'forgemind\n" +
			"explain RULE' tells what a finding means, and whether --fix mends it.\n" +
			"\nThe formats github, sarif, junit and gitlab name files from the top of the checkout: GITHUB_WORKSPACE or\n" +
			"CI_PROJECT_DIR if the working directory lies in it, else the top of the repository.\n" +
			"\nExit codes: 0 nothing wrong, 1 errors found, 2 wrong usage, 3 could not check, or nothing to check. With\n" +
			"--changed it is 0 if nothing changed.\n" +
			"\nExamples:\n" +
			"  forgemind validate --against origin/main\n" +
			"  forgemind validate --staged --against HEAD",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "against", Usage: "compare with `REV|FILE`: no decision and no record may be lost or changed"},
			&cli.BoolFlag{Name: "changed", Usage: "check only documents that differ from the last commit, or from --against"},
			&cli.BoolFlag{Name: "staged", Usage: "check what the next commit records, in place of the files"},
			&cli.BoolFlag{Name: "strict", Usage: "fail on warnings, too"},
			&cli.BoolFlag{Name: "fix", Usage: "mend what can be mended without loss, then check"},
			dryRunFlag(),
			choice("format", "how to print", validate.Formats()...),
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
	failures []error // what could not be judged
	skipped  bool    // a file that the command line names is of a kind that is not judged
	hidden   int     // documents of which something else is staged than what was judged
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
	if j.report.Files == 0 && len(j.failures) == 0 && len(j.report.Findings) == 0 {
		return j.nothingJudged()
	}
	if j.report.Files == 0 && len(j.report.Findings) == 0 {
		return j.verdict() // a count of nothing would look like an answer
	}
	if err := j.print(); err != nil {
		return err
	}
	return j.verdict()
}

// checkValidateUse refuses what does not go together.
func checkValidateUse(c *cli.Context) error {
	stdin := c.IsSet("stdin-path") || c.Args().First() == "-"
	var msg string
	switch {
	case stdin && (c.NArg() > 1 || c.NArg() == 1 && c.Args().First() != "-"):
		msg = "standard input is judged alone, without other paths"
	case stdin && (c.Bool("changed") || c.Bool("staged") || c.Bool("fix") || c.IsSet("against")):
		msg = "--changed, --staged, --fix and --against need files, not standard input"
	case c.Bool("staged") && c.Bool("fix"):
		msg = "--fix mends files; what is staged is mended by staging it again"
	case c.IsSet("stdin-path") && c.String("stdin-path") == "":
		msg = "--stdin-path: a name is missing"
	case c.IsSet("against") && c.String("against") == "":
		msg = "--against: a revision or a file is missing"
	case c.IsSet("against") && c.NArg() > 1:
		msg = "--against compares one tree or one file"
	case c.Bool("dry-run") && !c.Bool("fix"):
		msg = "--dry-run goes with --fix; without it nothing is changed anyway"
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

// maxStdin is more than any document may have: whether it is too large is for
// the rule to say.
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
	j.report.Add(name, j.judgeAs(name, src)...)
	return nil
}

// judgeAs judges bytes as the document that name is: in the tree where it has
// a place there, with that tree's severities.
func (j *judgement) judgeAs(name string, src []byte) []validate.Finding {
	found := func() []validate.Finding {
		if abs, err := j.abs(name); err == nil {
			if root, place, ok := treeOf(abs); ok {
				if tree, err := fs.Open(root); err == nil {
					defer tree.Close()
					return validate.In(tree, place, src)
				}
			}
		}
		return validate.Bytes(filepath.ToSlash(name), src, validate.Options{})
	}()
	for i := range found {
		found[i].File = name
	}
	return found
}

// nothingJudged returns the error of a run that had nothing to judge: it must not
// look like success. With --changed, that nothing changed is one.
func (j *judgement) nothingJudged() error {
	if j.c.Bool("changed") && !j.skipped {
		since := cmp.Or(j.since(), "HEAD")
		switch {
		case j.c.Bool("staged"):
			j.note("nothing is staged that differs from %s; 0 files judged", since)
		case j.hidden == 0:
			j.note("nothing changed since %s; 0 files judged", since)
		default:
			j.note("no file on disk differs from %s; 0 files judged", since)
		}
		return j.writeFindings(j.out, j.c.String("format"), j.report)
	}
	return withHint(errors.New("there was nothing to judge"),
		"name a tree, a folder with documents, or a file; without PATH the nearest tree above the working directory is judged")
}

func (j *judgement) print() error {
	var text bytes.Buffer
	format := j.c.String("format")
	if err := j.writeFindings(&text, format, j.report); err != nil {
		return err
	}
	if format == "text" && j.out.colour {
		j.paint(text.String())
	} else if _, err := j.out.Write(text.Bytes()); err != nil {
		return err
	}
	j.note("%s, %s, %s", count(j.report.Files, "file"), count(j.report.Errors, "error"), count(j.report.Warnings, "warning"))
	return nil
}

// paint prints findings for a terminal with colours.
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

// verdict turns the finished report into the outcome of the command. What could
// not be judged outweighs what was found.
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
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
