package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

func (p *program) listThreadsCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "List the threads, oldest first",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "channel", Usage: "only those of the channel `NAME`"},
			optional("status", "only those of one state", "all", condense.Active, condense.Resolved, condense.Archived),
			&cli.BoolFlag{Name: "idle", Usage: "only idle threads, which 'thread archive --idle' archives"},
			formatFlag(),
		},
		Action: takes(0, 0, p.listThreads),
	}
}

func (p *program) showThreadCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "Show a thread and its messages",
		ArgsUsage: "ID",
		Flags:     []cli.Flag{formatFlag()},
		Action:    takes(1, 1, p.showThread),
	}
}

// A listedThread is a thread, whether inactivity archives it, and what was decided in it that is not
// condensed.
type listedThread struct {
	condense.Thread
	Due       bool   `json:"due"`
	Concluded string `json:"concluded,omitempty"`
}

type threadList struct {
	Version int            `json:"version"`
	Threads []listedThread `json:"threads"`
}

func (p *program) shownThreads(r fs.Reader, all []condense.Thread) ([]listedThread, error) {
	idle, err := engine.Idle(r, p.Now())
	if err != nil {
		return nil, err
	}
	decided, err := engine.Outcomes(r, all, p.Now())
	list := make([]listedThread, len(all))
	for i, t := range all {
		list[i] = listedThread{Thread: t, Due: decided[t.Talk()] == "" && len(condense.Due(all[i:i+1], idle)) > 0, Concluded: decided[t.Talk()]}
	}
	return list, err
}

func (p *program) listThreads(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	all, faults, err := condense.Threads(tree)
	if err != nil {
		return err
	}
	p.warnOf(faults)
	shown, err := p.shownThreads(tree, all)
	if err != nil {
		return err
	}
	list := slices.DeleteFunc(shown, func(t listedThread) bool {
		return c.IsSet("channel") && t.Channel != condense.ChannelID(c.String("channel")) ||
			c.String("status") != "" && t.Status != c.String("status") || c.Bool("idle") && !t.Due
	})
	if wantsJSON(c) {
		return p.printJSON(threadList{1, list})
	}
	var lines strings.Builder
	for _, t := range list {
		fmt.Fprintf(&lines, "%s  %-8s  #%s  %s%s\n", inline(t.ID), short(t.Status, 20), short(t.Channel, 80), short(t.Title, 120), bracketed(t.notes()))
	}
	p.printLines(lines.String())
	return nil
}

// notes are what a list says of a thread beside its title.
func (t listedThread) notes() []string {
	notes := []string{count(t.Messages, "message")}
	if len(t.Participants) > 0 {
		notes = append(notes, short(strings.Join(t.Participants, ", "), 120))
	}
	switch {
	case t.Due:
		notes = append(notes, "idle since "+t.Last.Format(time.DateOnly)+": due to be archived")
	case len(condense.Uncondensed([]condense.Thread{t.Thread})) > 0:
		notes = append(notes, "not condensed")
	case t.Concluded != "":
		notes = append(notes, "looks concluded: "+short(t.Concluded, 200))
	case t.Condensation != "":
		notes = append(notes, "condensed in "+short(t.Condensation, 120))
	}
	return notes
}

// mostFaults is how much of what could not be read is told one by one.
const mostFaults = 20

// warnOf tells people of what could not be read.
func (p *program) warnOf(faults []condense.Fault) {
	for i, f := range faults {
		if i == mostFaults {
			p.note("forgemind: warning: %d more cannot be read; 'forgemind validate' says which", len(faults)-i)
			return
		}
		at := p.at(f.Name)
		if f.Line > 0 {
			at += fmt.Sprintf(":%d", f.Line)
		}
		p.note("forgemind: warning: %s cannot be read: %s", inline(at), short(f.Err.Error(), 300))
	}
}

func (p *program) showThread(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	t, err := condense.FindThread(tree, c.Args().First())
	if err != nil {
		return changeError(err)
	}
	messages, faults, err := condense.Talk(tree, t.Talk())
	if err != nil {
		return err
	}
	p.warnOf(faults)
	list, err := p.shownThreads(tree, []condense.Thread{t})
	if err != nil {
		return err
	}
	shown := list[0]
	if wantsJSON(c) {
		said := make([]shownMessage, len(messages))
		for i, m := range messages {
			said[i] = showMessage(m)
		}
		return p.printJSON(struct {
			Version int `json:"version"`
			listedThread
			Messages []shownMessage `json:"messages"`
		}{1, shown, said})
	}
	p.printf("%s", threadText(shown, messages))
	return nil
}

// threadText is a thread for people.
func threadText(t listedThread, messages []schema.Message) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s  %s\n#%s, %s%s\n", inline(t.ID), inline(t.Title), inline(t.Channel), inline(t.Status), bracketed(t.notes()))
	for _, at := range []struct{ what, when string }{{"opened", t.Opened}, {"resolved", t.Resolved}, {"archived", t.Archived}} {
		if at.when != "" {
			fmt.Fprintf(&text, "%s %s\n", at.what, inline(at.when))
		}
	}
	for _, m := range messages {
		fmt.Fprintf(&text, "\n%s  %s\n", inline(m.Timestamp), short(m.Agent, 80))
		for line := range strings.Lines(m.Content) {
			text.WriteString("  " + strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	return text.String()
}
