package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	briefing "github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/hook"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/validate"
)

func (p *program) briefCommand() *cli.Command {
	return &cli.Command{
		Name:  "brief",
		Usage: "Print what holds now, on one screen",
		Description: "Goals, constraints, decisions, dead ends (superseded decisions and rejected alternatives), what is next\n" +
			"and what went stale. What does not fit into the budget is counted. The same documents give the same\n" +
			"bytes. On a terminal it also tells what an agent's last session left here.\n" +
			"\nExamples:\n" +
			"  forgemind brief\n" +
			"  forgemind brief --max-tokens 600",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "max-tokens", Value: briefing.DefaultTokens, Usage: "at most `N` tokens"},
			&cli.StringFlag{Name: "project", Usage: "only what belongs to the project `NAME`"},
			choice("counter", "what counts the tokens", counters()...),
			formatFlag(),
		},
		Action: takes(0, 0, p.brief),
	}
}

// A briefReport is what brief prints with --format json.
type briefReport struct {
	Version     int             `json:"version"`
	Text        string          `json:"text"`
	Tokens      int             `json:"tokens"`
	MaxTokens   int             `json:"max_tokens"`
	Counter     string          `json:"counter"`
	Session     string          `json:"session"` // "" where none is active
	Where       string          `json:"where"`
	Faults      []string        `json:"faults"`
	Goals       []briefing.Item `json:"goals"`
	Constraints []briefing.Item `json:"constraints"`
	Decisions   []briefing.Item `json:"decisions"`
	Questions   []briefing.Item `json:"open_questions"`
	DeadEnds    []briefing.Item `json:"dead_ends"`
	Next        []briefing.Item `json:"next"`
	Notes       []briefing.Item `json:"notes"`
	Stale       []briefing.Item `json:"stale"`
	Left        map[string]int  `json:"left"` // how many items had no room
}

func (p *program) brief(c *cli.Context) error {
	most := c.Int("max-tokens")
	if most < 1 {
		return &usageError{fmt.Sprintf("%s: --max-tokens %d is no number of tokens", c.Command.HelpName, most), usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	if validate.Foreign(tree) {
		return withHint(fmt.Errorf("%s: another product's tree, by its schema; it is left alone", inline(tree.Root())), "--tree DIR names another one")
	}
	made, err := query.Brief(c.Context, tree, query.BriefQuery{MaxTokens: most, Counter: c.String("counter"), Project: c.String("project"), GitWait: p.gitWait()})
	if err != nil {
		return changeError(err)
	}
	text := made.Text()
	if text == "" {
		return withHint(&unmetError{fmt.Sprintf("%d tokens hold no brief", most)}, "--max-tokens %d is what it takes by default", briefing.DefaultTokens)
	}
	if wantsJSON(c) {
		return p.printJSON(briefJSON(made, text, most, c.String("counter")))
	}
	p.printf("%s", text)
	if isTerminal(p.Stdout) && !c.IsSet("max-tokens") && !c.IsSet("project") {
		p.printf("%s", hook.LastSession(tree, p.stateFolder(), text))
	}
	return nil
}

// briefJSON is a brief as programs read it.
func briefJSON(b briefing.Brief, text string, most int, counter string) briefReport {
	r := briefReport{
		Version: 1, Text: text, Tokens: b.Tokens, MaxTokens: most, Counter: counter, Session: b.Session, Where: b.Where,
		Faults: append([]string{}, b.Faults...), Left: map[string]int{},
	}
	for _, s := range []struct {
		name string
		from briefing.Section
		into *[]briefing.Item
	}{
		{"goals", b.Goals, &r.Goals}, {"constraints", b.Constraints, &r.Constraints}, {"decisions", b.Decisions, &r.Decisions},
		{"open_questions", b.Questions, &r.Questions}, {"dead_ends", b.DeadEnds, &r.DeadEnds}, {"next", b.Next, &r.Next},
		{"notes", b.Notes, &r.Notes}, {"stale", b.Stale, &r.Stale},
	} {
		*s.into = append([]briefing.Item{}, s.from.Items...)
		if left := s.from.Total - len(s.from.Items); left > 0 {
			r.Left[s.name] = left
		}
	}
	return r
}
