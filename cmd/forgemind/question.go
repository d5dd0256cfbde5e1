package main

import (
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) questionCommand() *cli.Command {
	return &cli.Command{
		Name:  "question",
		Usage: "Ask, answer and list questions",
		Subcommands: []*cli.Command{
			{
				Name:      "ask",
				Usage:     "Ask a question",
				ArgsUsage: "TEXT",
				Description: "A question stays open until it is answered.\n'forgemind question ask \"Which database?\" --blocks " +
					"ACT-7F3K2Q --priority high'",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "context", Usage: "background of the question (`TEXT`)"},
					&cli.StringFlag{Name: "agent", Usage: "who asks (`NAME`); default: git's author"},
					&cli.StringFlag{Name: "priority", Usage: "priority, such as high (`WORD`)"},
					&cli.StringSliceFlag{Name: "blocks", Usage: "`ID` of an action that waits for the answer (may be repeated)"},
					ifVersionFlag(), formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.ask),
			},
			{
				Name:      "answer",
				Usage:     "Answer a question",
				ArgsUsage: "ID|TEXT ANSWER|-",
				Description: "Closes the question, keeps the answer among the clarifications, and frees actions that waited for it. " +
					"With '-' the answer is read from standard input.\n'forgemind question answer Q-7F3K2Q \"PostgreSQL\"'",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "who answers (`NAME`); default: git's author"},
					ifVersionFlag(), formatFlag(), dryRunFlag(),
				},
				Action: takes(2, 2, p.answer),
			},
			{
				Name:   "list",
				Usage:  "List the open questions",
				Flags:  []cli.Flag{formatFlag()},
				Action: takes(0, 0, p.listQuestions),
			},
		},
	}
}

func (p *program) ask(c *cli.Context) error {
	text := strings.TrimSpace(c.Args().First())
	if text == "" {
		return &usageError{c.Command.HelpName + ": the question is empty", usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		asked, out, err := operation.Ask(c.Context, tree, schema.Question{
			Question: text,
			Context:  c.String("context"),
			AskedBy:  c.String("agent"),
			Priority: c.String("priority"),
			Blocking: c.StringSlice("blocks"),
		})
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "asked "+asked.ID+": "+inline(asked.Question), item{"question", asked})
	})
}

func (p *program) answer(c *cli.Context) error {
	id, text := c.Args().First(), c.Args().Get(1)
	if text == "-" {
		src, err := p.readAll()
		if err != nil {
			return err
		}
		if !utf8.Valid(src) {
			return &unmetError{"standard input is not UTF-8 text"}
		}
		text = string(src)
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return &usageError{c.Command.HelpName + ": the answer is empty", usageLine(c.Command)}
	}
	open, err := p.openQuestions(c)
	if err != nil {
		return err
	}
	if id, err = idOf("question", id, open, nameOfQuestion); err != nil {
		return changeError(err)
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		answered, out, err := operation.Answer(c.Context, tree, id, text, c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "answered "+inline(answered.ID)+": "+short(answered.Answer, 80), item{"clarification", answered})
	})
}

// openQuestions returns those of the State and of the hot context without duplicates.
func (p *program) openQuestions(c *cli.Context) ([]schema.Question, error) {
	s, hot, err := p.readBoth(c)
	return inEither(s.OpenQuestions, hot.OpenQuestions, func(q schema.Question) (id, text string) { return q.ID, q.Question }), err
}

func (p *program) listQuestions(c *cli.Context) error {
	all, err := p.openQuestions(c)
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		return p.printList("questions", all)
	}
	for _, q := range all {
		p.printf("%s  %s%s\n", inline(q.ID), inline(q.Question), questionNotes(q))
	}
	return nil
}

// questionNotes returns what a list shows of a question besides its text.
func questionNotes(q schema.Question) string {
	var notes []string
	if q.Priority != "" {
		notes = append(notes, q.Priority)
	}
	if len(q.Blocking) > 0 {
		notes = append(notes, "blocks "+strings.Join(q.Blocking, ", "))
	}
	return bracketed(notes)
}

// bracketed returns " (a; b)", or "" for no notes.
func bracketed(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	return " (" + inline(strings.Join(notes, "; ")) + ")"
}
