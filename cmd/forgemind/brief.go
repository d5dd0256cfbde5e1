package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	briefing "github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/validate"
)

func (p *program) briefCommand() *cli.Command {
	return &cli.Command{
		Name:  "brief",
		Usage: "Show what you should know before you start to work",
		Description: "Decisions in force are listed. A superseded decision or a rejected alternative is one line among the " +
			"dead ends. Every item has its date. What does not fit is counted. The same state gives the same " +
			"bytes.\n'forgemind brief --max-tokens 600'",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "max-tokens", Value: briefing.DefaultTokens, Usage: "token budget (`N`)"},
			&cli.StringFlag{Name: "project", Usage: "only what belongs to project `NAME`"},
			choice("counter", "what counts the tokens", counters()...),
			formatFlag(),
		},
		Action: takes(0, 0, p.brief),
	}
}

// A briefReport is the JSON output of brief.
type briefReport struct {
	Text        string          `json:"text"`
	Tokens      int             `json:"tokens"`
	MaxTokens   int             `json:"max_tokens"`
	Counter     string          `json:"counter"`
	Session     string          `json:"session"` // "" if none is active
	Where       string          `json:"where"`
	Faults      []string        `json:"faults"`
	Goals       []briefing.Item `json:"goals"`
	Constraints []briefing.Item `json:"constraints"`
	Decisions   []briefing.Item `json:"decisions"`
	Questions   []briefing.Item `json:"open_questions"`
	DeadEnds    []briefing.Item `json:"dead_ends"`
	Next        []briefing.Item `json:"next"`
	Notes       []briefing.Item `json:"notes"`
	Talk        []briefing.Item `json:"last_conversation"`
	Stale       []briefing.Item `json:"stale"`
	NotInGit    []briefing.Item `json:"not_in_git"`
	More        []briefing.Item `json:"more"`
	Left        map[string]int  `json:"left"` // how many items had no room
}

func (p *program) brief(c *cli.Context) error {
	most := c.Int("max-tokens")
	if most < 1 {
		return &usageError{fmt.Sprintf("%s: --max-tokens %d is not a number of tokens", c.Command.HelpName, most), usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	if validate.Foreign(tree) {
		return withHint(fmt.Errorf("%s: another product's tree, by its schema; forgemind does not read it", inline(tree.Root())), "--tree DIR names another one")
	}
	made, err := query.Brief(c.Context, tree, query.BriefQuery{MaxTokens: most, Counter: c.String("counter"), Project: c.String("project")})
	if err != nil {
		return changeError(err)
	}
	text := made.Text()
	if text == "" {
		return withHint(&unmetError{fmt.Sprintf("a brief does not fit into %d tokens", most)}, "--max-tokens %d is the default", briefing.DefaultTokens)
	}
	if wantsJSON(c) {
		return p.printJSON("brief", briefJSON(made, text, most, c.String("counter")))
	}
	p.printf("%s", text)
	return nil
}

// briefJSON returns a brief for JSON output.
func briefJSON(b briefing.Brief, text string, most int, counter string) briefReport {
	r := briefReport{
		Text: text, Tokens: b.Tokens, MaxTokens: most, Counter: counter, Session: b.Session, Where: b.Where,
		Faults: append([]string{}, b.Faults...), Left: map[string]int{},
	}
	for _, s := range []struct {
		name string
		from briefing.Section
		into *[]briefing.Item
	}{
		{"goals", b.Goals, &r.Goals}, {"constraints", b.Constraints, &r.Constraints}, {"decisions", b.Decisions, &r.Decisions},
		{"open_questions", b.Questions, &r.Questions}, {"dead_ends", b.DeadEnds, &r.DeadEnds}, {"next", b.Next, &r.Next},
		{"notes", b.Notes, &r.Notes}, {"last_conversation", b.Talk, &r.Talk}, {"stale", b.Stale, &r.Stale},
		{"not_in_git", b.NotInGit, &r.NotInGit}, {"more", b.More, &r.More},
	} {
		*s.into = append([]briefing.Item{}, s.from.Items...)
		if left := s.from.Total - len(s.from.Items); left > 0 {
			r.Left[s.name] = left
		}
	}
	return r
}
