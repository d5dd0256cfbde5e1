package main

import (
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) questionCommand() *cli.Command {
	return &cli.Command{
		Name:  "question",
		Usage: "Ask and answer questions",
		Subcommands: []*cli.Command{
			{
				Name:      "ask",
				Usage:     "Ask a question",
				ArgsUsage: "TEXT",
				Description: "The question stays open until 'forgemind question answer' or 'forgemind facilitator clarify' answers it.\n" +
					"\nExample:\n" +
					"  forgemind question ask \"Which database?\" --blocks ACT-7F3K2Q",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "context", Usage: "what it is about, or why it matters (`TEXT`)"},
					&cli.StringFlag{Name: "agent", Usage: "who asks (`NAME`); git's author by default"},
					&cli.StringFlag{Name: "priority", Usage: "how urgent it is (`WORD`), such as high"},
					&cli.StringSliceFlag{Name: "blocks", Usage: "the `ID` of an action that waits for the answer"},
					ifVersionFlag(), formatFlag(), dryRunFlag(),
				},
				Action: takes(1, 1, p.ask),
			},
			{
				Name:      "answer",
				Usage:     "Answer a question",
				ArgsUsage: "QUESTION ANSWER",
				Description: "QUESTION is an id, a part of it, or words of the question. The answer is kept among the clarifications,\n" +
					"and no action waits for the question any more. ANSWER \"-\" is read from standard input.\n" +
					"\nExample:\n" +
					"  forgemind question answer \"which database\" \"PostgreSQL\"",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "agent", Usage: "who answers (`NAME`); git's author by default"},
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
		return &usageError{c.Command.HelpName + ": the question says nothing", usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		asked, out, err := tree.Ask(c.Context, schema.Question{
			Question: text,
			Context:  c.String("context"),
			AskedBy:  c.String("agent"),
			Priority: c.String("priority"),
			Blocking: c.StringSlice("blocks"),
		})
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "asked "+asked.ID+": "+inline(asked.Question), asked)
	})
}

func (p *program) answer(c *cli.Context) error {
	which, text := c.Args().First(), c.Args().Get(1)
	if text == "-" {
		src, err := p.readAll()
		if err != nil {
			return err
		}
		if !utf8.Valid(src) {
			return &unmetError{"standard input: no text in UTF-8"}
		}
		text = string(src)
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return &usageError{c.Command.HelpName + ": the answer says nothing", usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		answered, out, err := tree.Answer(c.Context, which, text, c.String("agent"))
		if err != nil {
			return err
		}
		return p.changedHot(c, out, "answered "+inline(answered.ID)+": "+short(answered.Answer, 80), answered)
	})
}

func (p *program) listQuestions(c *cli.Context) error {
	s, hot, err := p.readBoth(c)
	if err != nil {
		return err
	}
	all := session.Questions(s.OpenQuestions, hot.OpenQuestions)
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version   int               `json:"version"`
			Questions []schema.Question `json:"questions"`
		}{1, all})
	}
	for _, q := range all {
		p.printf("%s  %s%s\n", inline(q.ID), inline(q.Question), questionNotes(q))
	}
	return nil
}

// questionNotes is what a list says of a question beside its text.
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

// bracketed is " (a; b)", or "" for no notes.
func bracketed(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	return " (" + inline(strings.Join(notes, "; ")) + ")"
}
