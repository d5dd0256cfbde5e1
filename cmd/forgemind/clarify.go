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
	"github.com/forgemind/forgemind/schema"
)

func (p *program) clarifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "clarify",
		Usage: "Ask for an answer to each open question",
		Description: "Each question is printed on standard error, and its answer is a line of standard input. An empty line\n" +
			"skips the question.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "agent", Usage: "who answers (`NAME`); git's author by default"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 0, p.clarify),
	}
}

// A clarifyReport is what clarify prints with --format json.
type clarifyReport struct {
	Version  int                    `json:"version"`
	DryRun   bool                   `json:"dry_run,omitempty"`
	Answered []schema.Clarification `json:"answered"`
	Open     []string               `json:"open"` // ids of the questions that nobody answered
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
		report := clarifyReport{Version: 1, DryRun: c.Bool("dry-run"), Answered: []schema.Clarification{}, Open: []string{}}
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
		return errors.Join(err, p.tellClarified(c, report)) // what is recorded is told, whatever came then
	})
}

// clarifyOne records the answer to one question. io.EOF is the end of the
// input.
func (p *program) clarifyOne(c *cli.Context, tree *engine.Tree, q schema.Question, lines inputLines, report *clarifyReport) error {
	answer, err := lines.next(c.Context)
	if err != nil {
		return err
	}
	if answer == "" {
		report.Open = append(report.Open, q.ID)
		return nil
	}
	answered, out, err := tree.Answer(c.Context, q.ID, answer, c.String("agent"))
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

// put puts a question to people.
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
		return p.printJSON(report)
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

// maxLine bounds a line of answers, in bytes.
const maxLine = 1 << 20

// inputLines are the lines of an input that may keep one waiting.
type inputLines struct {
	lines <-chan string
	err   *error // why there are no more, once lines is closed
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

// next is the next line, without the space around it; io.EOF after the last.
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
			return "", &unmetError{"standard input: no text in UTF-8"}
		}
		return strings.TrimSpace(line), nil
	}
}
