package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
)

func (p *program) assembleCommand() *cli.Command {
	return &cli.Command{
		Name:  "assemble",
		Usage: "Print the context for a prompt",
		Description: "What changes least comes first, for prompt caches: constraints and decisions, the summary, removed\n" +
			"messages that answer the query, the rest of the hot context, the last messages. Messages are quoted whole\n" +
			"or left out. The same documents give the same bytes.\n" +
			"\nExample:\n" +
			"  forgemind assemble --query \"which port does Redis use?\"",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "query", Usage: "recall what answers `TEXT`", DefaultText: "the active goals"},
			&cli.IntFlag{Name: "max-tokens", Value: 8000, Usage: "at most `N` tokens"},
			choice("counter", "what counts the tokens", counters()...),
			formatFlag(),
		},
		Action: takes(0, 0, p.assemble),
	}
}

// counters are the names of the token counters, the default first.
func counters() []string {
	others := slices.DeleteFunc(tokens.Names(), func(name string) bool { return name == tokens.Default })
	return append([]string{tokens.Default}, others...)
}

// An assembleReport is what assemble prints with --format json.
type assembleReport struct {
	Version   int             `json:"version"`
	Text      string          `json:"text"`
	Tokens    int             `json:"tokens"`
	MaxTokens int             `json:"max_tokens"`
	Counter   string          `json:"counter"`
	Session   string          `json:"session"` // "" where none is active
	Parts     []assemble.Part `json:"parts"`
}

func (p *program) assemble(c *cli.Context) error {
	most := c.Int("max-tokens")
	if most < 1 {
		return &usageError{fmt.Sprintf("%s: --max-tokens %d is no number of tokens", c.Command.HelpName, most), usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	made, err := query.Assemble(tree, query.AssembleQuery{Query: c.String("query"), MaxTokens: most, Counter: c.String("counter")})
	var small *assemble.TooSmall
	if errors.As(err, &small) {
		return withHint(&unmetError{err.Error()}, "%s", couldGo(small))
	}
	if err != nil {
		return err
	}
	p.noteUnread(tree, fs.State)
	if made.Session != "" {
		p.noteUnread(tree, session.HotContext(made.Session))
	}
	if made.Session == "" && len(made.Parts) == 0 {
		p.note("forgemind: warning: no session is active in this working copy: there is nothing to tell")
	}
	if wantsJSON(c) {
		return p.printJSON(assembleReport{1, made.Text, made.Tokens, most, c.String("counter"), made.Session, made.Parts})
	}
	return p.verbatim([]byte(made.Text))
}

// couldGo says what takes the room of a hot context, the most first.
func couldGo(e *assemble.TooSmall) string {
	parts := slices.Clone(e.Parts)
	slices.SortStableFunc(parts, func(a, b assemble.Part) int { return b.Tokens - a.Tokens })
	var takes []string
	for _, part := range parts {
		takes = append(takes, fmt.Sprintf("%s %d", part.Name, part.Tokens))
	}
	hint := fmt.Sprintf("--max-tokens %d holds it", e.Need)
	if len(takes) > 0 {
		hint += "; it has " + strings.Join(takes, ", ") + ": what is done or holds no more can leave it"
	}
	return hint
}
