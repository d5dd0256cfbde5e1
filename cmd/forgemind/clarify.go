package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) clarifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "clarify",
		Usage: "Answer the open questions one by one",
		Description: "Each question is printed on standard error and answered by one line of standard input. An empty line " +
			"skips a question; the end of the input ends the command.\n'printf \"RS256\\n\\n\" | forgemind " +
			"facilitator clarify'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "agent", Usage: "who answers (`NAME`); default: git's author"},
			formatFlag(), dryRunFlag(),
		},
		Action: p.heard("clarify", takes(0, 0, p.clarify)),
	}
}

// A clarifyReport is the JSON output of clarify.
type clarifyReport struct {
	DryRun   bool                   `json:"dry_run,omitempty"`
	Answered []schema.Clarification `json:"answered"`
	Open     []string               `json:"open"` // ids of unanswered questions
}

func (p *program) clarify(c *cli.Context) error {
	s, err := p.readState(c)
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		if err := available(tree, "clarify"); err != nil {
			return err
		}
		report := clarifyReport{DryRun: c.Bool("dry-run"), Answered: []schema.Clarification{}, Open: []string{}}
		lines := readLines(p.Stdin)
		for i, q := range s.OpenQuestions {
			p.put(q, i+1, len(s.OpenQuestions))
			err = p.clarifyOne(c, tree, q, lines, &report)
			if err != nil {
				for _, rest := range s.OpenQuestions[i:] {
					report.Open = append(report.Open, rest.ID)
				}
				break
			}
		}
		if err == io.EOF {
			err = nil
		}
		return errors.Join(err, p.tellClarified(c, report)) // print what was recorded even after an error
	})
}

// clarifyOne records the answer to one question. The error is io.EOF at the end of the input.
func (p *program) clarifyOne(c *cli.Context, tree *engine.Tree, q schema.Question, lines inputLines, report *clarifyReport) error {
	answer, err := lines.next(c.Context)
	if err != nil {
		return err
	}
	if answer == "" {
		report.Open = append(report.Open, q.ID)
		return nil
	}
	answered, out, err := operation.Answer(c.Context, tree, q.ID, answer, c.String("agent"))
	if err != nil {
		return err
	}
	report.Answered = append(report.Answered, answered)
	if wantsJSON(c) {
		p.warn(out)
	} else {
		p.outcome(out, "answered "+inline(q.ID), c.Bool("dry-run"))
	}
	return nil
}

// put prints a question.
func (p *program) put(q schema.Question, n, of int) {
	p.note("question %d of %d: %s  %s%s", n, of, inline(q.ID), inline(q.Question), questionNotes(q))
	if q.Context != "" {
		p.note("  context: %s", inline(q.Context))
	}
	if isTerminal(p.Stdin) {
		fmt.Fprint(p.err, "answer (empty to skip): ")
	}
}

func (p *program) tellClarified(c *cli.Context, report clarifyReport) error {
	if wantsJSON(c) {
		return p.printJSON("clarifications", report)
	}
	switch {
	case len(report.Answered)+len(report.Open) == 0:
		p.printf("no question is open\n")
	case len(report.Open) == 0:
		p.printf("every question is answered\n")
	default:
		p.printf("still open: %s\n", inline(strings.Join(report.Open, ", ")))
	}
	return nil
}

// maxLine is the largest length of a line of answers, in bytes.
const maxLine = 1 << 20

// inputLines yields the lines of an input without blocking a canceled command.
type inputLines struct {
	lines <-chan string
	err   *error // the reason for the end, once lines is closed
}

func readLines(r io.Reader) inputLines {
	lines, failed := make(chan string), new(error)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(r)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			lines <- scanner.Text()
		}
		*failed = scanner.Err()
	}()
	return inputLines{lines, failed}
}

// next returns the next line without surrounding space. The error is io.EOF after the last.
func (l inputLines) next(ctx context.Context) (string, error) {
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line, ok := <-l.lines:
		switch {
		case !ok && *l.err != nil:
			return "", fmt.Errorf("standard input: %w", *l.err)
		case !ok:
			return "", io.EOF
		case !utf8.ValidString(line):
			return "", &unmetError{"standard input is not UTF-8 text"}
		}
		return strings.TrimSpace(line), nil
	}
}
