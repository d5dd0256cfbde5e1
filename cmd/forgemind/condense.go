package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) condenseCommand() *cli.Command {
	return &cli.Command{
		Name:      "condense",
		Usage:     "Summarize a discussion: decision, reasons, actions",
		ArgsUsage: "[THREAD]",
		Description: "THREAD is the thread's id, its file name, or a unique part of its title. Without THREAD, --channel " +
			"condenses what was said in the channel since it was last condensed, and --from reads messages from " +
			"elsewhere: JSONL, an agent's transcript, or an export of Discord, Slack or IRC.\n\nThe draft takes its " +
			"sentences from the discussion; what nobody said is left open and marked. It is written to condensations/ " +
			"and pinned in the channel. Its decision is recorded and shown in the notes of those who took part and in " +
			"the CONTEXT.md of the project. --edit opens the draft in an editor first; --dry-run prints it and writes " +
			"nothing.\n\nA condensation that somebody wrote into condensations/ is adopted by the watcher or by the next " +
			"command: its decision is recorded and named in the file, it is pinned, its actions are added. --adopt does so " +
			"for one FILE at once. If the decision of an adopted file was edited, --adopt records the new text as a decision " +
			"that supersedes the first.\n'forgemind condense \"Token signing\" --edit'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from", Usage: "read the messages from `FILE` ('-' is standard input)"},
			&cli.StringFlag{Name: "channel", Usage: "channel of the discussion (`NAME`)"},
			&cli.StringFlag{Name: "topic", Usage: "topic (`TEXT`); default: the thread's title, or what is found"},
			&cli.StringFlag{Name: "adopt", Usage: "give `FILE` of condensations/, written by hand, the same effects"},
			&cli.StringFlag{Name: "decision", Usage: "decision, instead of what is found (`TEXT`)"},
			&cli.StringFlag{Name: "rationale", Usage: "reason, instead of what is found (`TEXT`)"},
			&cli.StringSliceFlag{Name: "action", Usage: "action item (`TEXT`, repeatable), instead of what is found"},
			&cli.BoolFlag{Name: "edit", Usage: "edit the draft in $VISUAL or $EDITOR before it is written", DisableDefaultText: true},
			&cli.StringFlag{Name: "agent", Usage: "who condenses (`NAME`); default: git's author"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 1, p.condense),
	}
}

// A shownCondensing is the JSON output of condense.
type shownCondensing struct {
	ID           string   `json:"id"` // name of its file
	File         string   `json:"file"`
	Topic        string   `json:"topic"`
	Date         string   `json:"date"`
	Channel      string   `json:"channel,omitempty"`
	Thread       string   `json:"thread,omitempty"`
	Participants []string `json:"participants"`
	Context      string   `json:"context,omitempty"`
	Decision     string   `json:"decision,omitempty"`
	Rationale    string   `json:"rationale,omitempty"`
	ActionItems  []string `json:"action_items"`
	Supersedes   []string `json:"supersedes"`
	DecisionID   string   `json:"decision_id,omitempty"` // of the Ledger
	Missing      []string `json:"missing"`               // fields that were not found in the discussion
	Already      bool     `json:"already"`               // it was condensed before; nothing was written
	Noted        []string `json:"noted"`                 // notes that mention its decision
}

func showCondensing(c engine.Condensed) shownCondensing {
	return shownCondensing{
		ID: c.Name, File: c.File, Topic: c.Topic, Date: c.Date, Channel: c.Channel, Thread: c.Thread, Participants: orEmpty(c.Participants),
		Context: c.Context, Decision: c.Decision, Rationale: c.Rationale, ActionItems: orEmpty(c.ActionItems), Supersedes: orEmpty(c.Supersedes),
		DecisionID: c.DecisionID, Missing: orEmpty(c.Missing), Already: c.Already, Noted: orEmpty(c.Noted),
	}
}

// condensingText returns the text about a condensation for people.
func condensingText(c engine.Condensed) string {
	if c.Already {
		return "already condensed in " + inline(c.File)
	}
	text := "condensed in " + inline(c.File)
	if c.DecisionID != "" {
		text += ", decision " + inline(c.DecisionID)
	}
	if len(c.Missing) > 0 {
		text += "\nnot found in the discussion: " + inline(strings.Join(c.Missing, ", "))
	}
	return text
}

func (p *program) condense(c *cli.Context) error {
	if c.IsSet("adopt") {
		return p.adoptCondensation(c)
	}
	d, err := p.discussion(c)
	if err != nil {
		return err
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		var edited *condense.Condensation
		var pen draft
		if c.Bool("edit") {
			if edited, pen, err = p.editCondensation(c, tree, d); err != nil {
				return condenseError(d, err)
			}
			defer pen.discard()
		}
		if edited, err = filledIn(c, tree, d, edited); err != nil {
			return condenseError(d, err)
		}
		stop := p.busy("reading the discussion")
		done, out, err := tree.Condense(c.Context, d, edited)
		stop()
		if err != nil {
			return pen.keep(condenseError(d, err))
		}
		headline := condensingText(done)
		if c.Bool("dry-run") {
			headline = strings.TrimRight(string(done.Markdown()), "\n") + "\n"
		}
		if wantsJSON(c) || len(out.Changes) > 0 {
			return p.changed(c, out, headline,
				item{"condensation", condenseReport{showCondensing(done), outcomeJSON(out, c.Bool("dry-run"))}})
		}
		p.warn(out)
		p.printf("%s\n", headline)
		return nil
	})
}

// discussion returns the discussion that the arguments name.
func (p *program) discussion(c *cli.Context) (d engine.Discussion, err error) {
	wrong := func(what string) error {
		return &usageError{c.Command.HelpName + ": " + what, usageLine(c.Command)}
	}
	d = engine.Discussion{
		Thread: c.Args().First(), Channel: strings.Trim(c.String("channel"), "# "), Topic: strings.TrimSpace(c.String("topic")), Agent: c.String("agent"),
	}
	switch from := c.String("from"); {
	case c.IsSet("from") && d.Thread != "":
		return d, wrong("name a thread, or --from a file, not both")
	case c.IsSet("from"):
		d.Messages, d.Channel, err = p.discussionIn(from, d.Channel)
	case d.Thread != "" && d.Channel != "":
		return d, wrong("a thread has its own channel; omit --channel")
	case d.Thread == "" && d.Channel == "":
		return d, wrong("name a thread, or --channel NAME, or --from FILE")
	}
	return d, err
}

// discussionIn reads messages from a file. It joins all threads of an export to one discussion.
func (p *program) discussionIn(path, channel string) ([]schema.Message, string, error) {
	src, err := p.readInput(path)
	if err != nil {
		return nil, "", err
	}
	if path == "-" {
		path = "<stdin>"
	}
	if export, err := transcript.ReadExport(src, transcript.ExportOptions{Channel: condense.ChannelID(channel)}); err == nil {
		var all []schema.Message
		for _, talk := range export.Talks {
			all = append(all, talk.Messages...)
		}
		if len(all) > 0 { // otherwise the text is only similar, such as a message with "ts"
			p.warnOfLines(path, export.Faults)
			if channel == "" {
				channel = export.Channel
			}
			return all, channel, nil
		}
	}
	im, err := transcript.Read(src)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", inline(path), err)
	}
	for i, f := range im.Faults {
		if i == mostFaults {
			p.note("%s: warning: %d more places are not readable", inline(path), len(im.Faults)-i)
			break
		}
		p.note("%s:%d:%d: warning: %s", inline(path), f.Line, f.Column, short(f.Err.Error(), 300))
	}
	return append([]schema.Message{}, im.Messages...), channel, nil
}

// warnOfLines prints warnings about lines of a user's file that could not be read.
func (p *program) warnOfLines(path string, faults []transcript.Fault) {
	for i, f := range faults {
		if i == mostFaults {
			p.note("%s: warning: %d more places are not readable", inline(path), len(faults)-i)
			return
		}
		p.note("%s:%d: warning: %s", inline(path), f.Line, short(f.Err.Error(), 300))
	}
}

// editCondensation opens the draft in an editor.
func (p *program) editCondensation(c *cli.Context, tree *engine.Tree, d engine.Discussion) (*condense.Condensation, draft, error) {
	if !isTerminal(p.Stdin) && p.Getenv("VISUAL")+p.Getenv("EDITOR") == "" {
		return nil, draft{}, &usageError{c.Command.HelpName + ": --edit needs a terminal and an editor; --dry-run shows the draft", usageLine(c.Command)}
	}
	drafted, err := engine.DraftCondensation(tree, d)
	if err != nil {
		return nil, draft{}, err
	}
	pen, err := p.inEditor("condensation.md", drafted.Markdown())
	if err != nil {
		return nil, pen, err
	}
	if len(bytes.TrimSpace(pen.text)) == 0 {
		pen.discard()
		return nil, draft{}, &unmetError{"the condensation is empty; nothing was condensed"}
	}
	edited, err := condense.ReadCondensation("what you wrote", pen.text)
	if err != nil {
		return nil, draft{}, pen.keep(err)
	}
	return &edited, pen, nil
}

// condenseError adds a hint to an error about a discussion that cannot be condensed.
func condenseError(d engine.Discussion, err error) error {
	if errors.Is(err, engine.ErrNothingSaid) {
		hint := "'forgemind thread list' lists threads and their messages"
		if d.Thread != "" {
			hint = "'forgemind thread archive' archives a thread without messages"
		}
		return withHint(&unmetError{"there is nothing to condense: " + err.Error()}, "%s", hint)
	}
	return threadError(err)
}

// A condenseReport is the output of condense with --format json.
type condenseReport struct {
	shownCondensing
	outcomeReport
}
