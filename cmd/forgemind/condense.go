package main

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
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
		Usage:     "Record the outcome of a discussion",
		ArgsUsage: "[THREAD]",
		Description: "THREAD is the id of a thread, its file, or a part of its title that no other thread has. Without it,\n" +
			"--channel condenses what was said in the channel since it was last condensed, and --from reads messages\n" +
			"from JSONL, an agent's transcript, or an export of Discord, Slack or IRC.\n" +
			"\nThe draft quotes the discussion; what nobody said is left open and marked. It is written to\n" +
			"condensations/ and pinned in the channel, and its decision goes to the Ledger, to the notes of the\n" +
			"participants and to the CONTEXT.md of the project. --decision, --rationale and --action say in your words\n" +
			"what the draft quotes. --adopt takes in a condensation that somebody put into condensations/; one with a\n" +
			"decision and a date is taken in by itself.\n" +
			"\nExamples:\n" +
			"  forgemind condense \"Material selection\" --dry-run\n" +
			"  forgemind condense \"Material selection\" --edit\n" +
			"  forgemind condense --adopt .forgemind/condensations/2026-02-15-coating.md",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "from", Usage: "the messages are in `FILE`; '-' is standard input"},
			&cli.StringFlag{Name: "channel", Usage: "the channel that it is about (`NAME`)"},
			&cli.StringFlag{Name: "topic", Usage: "what it is about (`TEXT`); the thread's title, or what is found, by default"},
			&cli.BoolFlag{Name: "edit", Usage: "open the draft in $VISUAL or $EDITOR before it is written"},
			&cli.StringFlag{Name: "decision", Usage: "what was decided (`TEXT`)"},
			&cli.StringFlag{Name: "rationale", Usage: "why (`TEXT`)"},
			&cli.StringSliceFlag{Name: "action", Usage: "what follows from it (`TEXT`)"},
			&cli.StringFlag{Name: "adopt", Usage: "take in the condensation in `FILE`"},
			&cli.StringFlag{Name: "agent", Usage: "who condenses (`NAME`); git's author by default"},
			formatFlag(), dryRunFlag(),
		},
		Action: takes(0, 1, p.condense),
	}
}

// A shownCondensing is a condensation as programs see it.
type shownCondensing struct {
	ID           string   `json:"id"` // its file's name
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
	Missing      []string `json:"missing"`               // what was not found in the discussion
	Proposed     bool     `json:"proposed,omitempty"`    // the decision is not in force
	Already      bool     `json:"already"`               // it was condensed before; nothing new was written
	Noted        []string `json:"noted"`                 // the notes that tell of its decision
}

func showCondensing(c engine.Condensed) shownCondensing {
	return shownCondensing{
		ID: c.Name, File: c.File, Topic: c.Topic, Date: c.Date, Channel: c.Channel, Thread: c.Thread, Participants: orEmpty(c.Participants),
		Context: c.Context, Decision: c.Decision, Rationale: c.Rationale, ActionItems: orEmpty(c.ActionItems), Supersedes: orEmpty(c.Supersedes),
		DecisionID: c.DecisionID, Proposed: c.Proposed, Missing: orEmpty(c.Missing), Already: c.Already, Noted: orEmpty(c.Noted),
	}
}

// condensingText is what people are told of a condensation.
func (p *program) condensingText(c engine.Condensed) string {
	if c.Already {
		text := "it was condensed before, in " + inline(p.at(c.File))
		if c.Proposed {
			text += "; its decision " + inline(c.DecisionID) + " is proposed: 'forgemind decision promote " + inline(c.DecisionID) + "' puts it in force"
		}
		return text
	}
	return p.foundText("condensed in "+inline(p.at(c.File)), c)
}

// foundText adds to a text for people which decision a condensation has, and what it lacks.
func (p *program) foundText(text string, c engine.Condensed) string {
	if c.DecisionID != "" {
		text += ", decision " + inline(c.DecisionID)
	}
	if c.Proposed {
		text += " (proposed)"
	}
	if len(c.Missing) > 0 {
		text += "\nnot found in the discussion: " + inline(strings.Join(c.Missing, ", "))
	}
	return text
}

// adoptCondensation takes in a condensation that somebody put into the tree.
func (p *program) adoptCondensation(c *cli.Context) error {
	others := []string{"from", "channel", "topic", "edit", "decision", "rationale", "action"}
	if c.NArg() > 0 || slices.ContainsFunc(others, c.IsSet) {
		return &usageError{c.Command.HelpName + ": --adopt takes a condensation as it stands, and nothing beside it", usageLine(c.Command)}
	}
	return p.onTree(c, func(tree *engine.Tree) error {
		which := c.String("adopt")
		if name, err := p.inTree(c, which, tree.Root()); err == nil && condense.IsFile(name) {
			which = name
		}
		done, out, err := tree.Adopt(c.Context, which, c.String("agent"))
		if errors.Is(err, engine.ErrTakenIn) {
			return &unmetError{err.Error()}
		}
		if errors.Is(err, iofs.ErrNotExist) {
			return withHint(&unmetError{err.Error()}, "put it into .forgemind/condensations/, or the same folder of .quaid")
		}
		if err != nil {
			return err
		}
		headline := "it was taken in before: " + inline(p.at(done.File))
		if !done.Already {
			headline = p.foundText("taken in: "+inline(p.at(done.File)), done)
		}
		return p.toldCondensed(c, done, out, headline)
	})
}

// toldCondensed prints what came of condensing.
func (p *program) toldCondensed(c *cli.Context, done engine.Condensed, out engine.Outcome, headline string) error {
	if wantsJSON(c) || len(out.Changes) > 0 {
		return p.changed(c, out, headline, struct {
			Version int `json:"version"`
			shownCondensing
			outcomeReport
		}{1, showCondensing(done), outcomeJSON(out, c.Bool("dry-run"))})
	}
	p.warn(out)
	p.printf("%s\n", headline)
	return nil
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
		edited, err := inOwnWords(c, tree, d)
		if err != nil {
			return condenseError(d, err)
		}
		var pen draft
		if c.Bool("edit") {
			if edited, pen, err = p.editCondensation(c, tree, d, edited); err != nil {
				return condenseError(d, err)
			}
			defer pen.discard()
		}
		stop := p.busy("reading the discussion")
		done, out, err := tree.Condense(c.Context, d, edited)
		stop()
		if err != nil {
			return pen.keep(condenseError(d, err))
		}
		headline := p.condensingText(done)
		if c.Bool("dry-run") {
			headline = strings.TrimRight(string(done.Markdown()), "\n") + "\n"
		}
		if edited != nil && done.Already { // what is said otherwise went nowhere
			hint := "edit that file"
			if done.DecisionID != "" {
				hint += "; 'forgemind decision supersede " + inline(done.DecisionID) + " TEXT' records another decision"
			}
			return pen.keep(withHint(&unmetError{p.condensingText(done) + "; the file says what it said"}, "%s", hint))
		}
		return p.toldCondensed(c, done, out, headline)
	})
}

// inOwnWords returns the draft with what flags say of it; nil if they say nothing.
func inOwnWords(c *cli.Context, tree *engine.Tree, d engine.Discussion) (*condense.Condensation, error) {
	if !c.IsSet("decision") && !c.IsSet("rationale") && !c.IsSet("action") {
		return nil, nil
	}
	drafted, err := engine.DraftCondensation(tree, d)
	if err != nil {
		return nil, err
	}
	if c.IsSet("decision") {
		drafted.Decision = c.String("decision")
	}
	if c.IsSet("rationale") {
		drafted.Rationale = c.String("rationale")
	}
	if c.IsSet("action") {
		drafted.ActionItems = c.StringSlice("action")
	}
	worded, err := condense.ReadCondensation("the flags", drafted.Markdown()) // as what a person wrote
	if err == nil && (worded.Decision == "" && c.IsSet("decision") || worded.Rationale == "" && c.IsSet("rationale")) {
		err = &usageError{c.Command.HelpName + ": --decision and --rationale must say something", usageLine(c.Command)}
	}
	return &worded, err
}

// discussion is what the arguments name.
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
		return d, wrong("a thread stands in its own channel; leave --channel out")
	case d.Thread == "" && d.Channel == "":
		return d, wrong("name a thread, or --channel NAME, or --from FILE")
	}
	return d, err
}

// discussionIn reads messages from elsewhere. Of an export with threads all that
// was said is one discussion.
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
		if len(all) > 0 { // else it only looks like one, as a message with "ts" does
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
	p.warnOfLines(path, im.Faults)
	return append([]schema.Message{}, im.Messages...), channel, nil
}

// warnOfLines tells people of lines of a file of theirs that could not be read.
func (p *program) warnOfLines(path string, faults []transcript.Fault) {
	for i, f := range faults {
		if i == mostFaults {
			p.note("%s: warning: %d more places are not readable", inline(path), len(faults)-i)
			return
		}
		p.note("%s:%d:%d: warning: %s", inline(path), f.Line, f.Column, short(f.Err.Error(), 300))
	}
}

// editCondensation lets a person look over the draft, or what drafted has instead.
func (p *program) editCondensation(c *cli.Context, tree *engine.Tree, d engine.Discussion, drafted *condense.Condensation) (*condense.Condensation, draft, error) {
	if !isTerminal(p.Stdin) && p.Getenv("VISUAL")+p.Getenv("EDITOR") == "" {
		return nil, draft{}, &usageError{c.Command.HelpName + ": --edit needs a terminal and an editor; --dry-run shows the draft", usageLine(c.Command)}
	}
	if drafted == nil {
		draftOf, err := engine.DraftCondensation(tree, d)
		if err != nil {
			return nil, draft{}, err
		}
		drafted = &draftOf
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

// condenseError says what can be done where there is nothing to condense.
func condenseError(d engine.Discussion, err error) error {
	if errors.Is(err, engine.ErrNothingSaid) {
		hint := "'forgemind thread list' shows where something was said"
		if d.Thread != "" {
			hint = "'forgemind thread archive' puts a thread away in which nobody spoke"
		}
		return withHint(&unmetError{"there is nothing to condense: " + err.Error()}, "%s", hint)
	}
	return threadError(err)
}
