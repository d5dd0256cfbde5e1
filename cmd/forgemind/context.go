package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/tokens"
)

func (p *program) contextCommand() *cli.Command {
	return &cli.Command{
		Name:  "context",
		Usage: "Print the context for a prompt, within a token budget",
		Description: "Prints constraints and decisions in force, the session's summary, what was said before that answers the\n" +
			"prompt, goals, actions, questions and notes, and the last messages. The parts that change least come first, so\n" +
			"that prompt caches work; the same state gives the same bytes. What is in force is never cut. Messages are quoted\n" +
			"whole or left out.\n" +
			"'forgemind context --prompt \"which port does Redis use?\" --budget 2000'\n\n" +
			"--layer prints a load layer of the project's documents instead: 1 is role, position and what is in force, 2 adds\n" +
			"the current idea, module or domain and what belongs to it, 3 adds summaries, clarifications and versions.\n" +
			"'forgemind context --layer 2 > context.md'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "prompt", Aliases: []string{"query"}, Usage: "the prompt that the context is for (`TEXT`)", DefaultText: "the active goals"},
			&cli.IntFlag{Name: "budget", Aliases: []string{"max-tokens"}, Value: 8000, Usage: "token budget (`N`)"},
			choice("counter", "what counts the tokens", counters()...),
			optional("layer", "load layer, instead of a context for a prompt", "none", "1", "2", "3"),
			formatFlag(),
		},
		Action: takes(0, 0, func(c *cli.Context) error {
			switch {
			case c.IsSet("layer") && (c.IsSet("prompt") || c.IsSet("budget") || c.IsSet("counter")):
				return &usageError{c.Command.HelpName + ": --layer goes without --prompt, --budget and --counter", usageLine(c.Command)}
			case c.IsSet("layer"):
				return p.loadLayer(c)
			}
			return p.contextOf(c)
		}),
	}
}

func (p *program) loadLayer(c *cli.Context) error {
	layer, err := strconv.Atoi(c.String("layer"))
	if err != nil {
		return err
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	view, err := query.Layer(c.Context, tree, layer, p.Now())
	if err != nil {
		return err
	}
	if wantsJSON(c) {
		return p.printJSON("context", view)
	}
	return p.verbatim([]byte(sanitize.Text(view.Markdown())))
}

// counters returns the names of the token counters, the default first.
func counters() []string {
	others := slices.DeleteFunc(tokens.Names(), func(name string) bool { return name == tokens.Default })
	return append([]string{tokens.Default}, others...)
}

// A contextReport is the output of context with --format json.
type contextReport struct {
	Text      string          `json:"text"`
	Tokens    int             `json:"tokens"`
	MaxTokens int             `json:"max_tokens"`
	Counter   string          `json:"counter"`
	Session   string          `json:"session"` // "" if none is active
	Parts     []assemble.Part `json:"parts"`
}

func (p *program) contextOf(c *cli.Context) error {
	most := c.Int("budget")
	if most < 1 {
		return &usageError{fmt.Sprintf("%s: --max-tokens %d is not a number of tokens", c.Command.HelpName, most), usageLine(c.Command)}
	}
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	made, err := query.Context(c.Context, tree, query.ContextQuery{Prompt: c.String("prompt"), MaxTokens: most, Counter: c.String("counter")})
	var small *assemble.TooSmallError
	if errors.As(err, &small) {
		return withHint(&unmetError{err.Error()}, "%s", couldGo(small))
	}
	if err != nil {
		return err
	}
	if made.Session == "" && len(made.Parts) == 0 {
		p.note("forgemind: warning: no session is active in this working copy; nothing to print")
	}
	if wantsJSON(c) {
		return p.printJSON("assembly", contextReport{made.Text, made.Tokens, most, c.String("counter"), made.Session, made.Parts})
	}
	return p.verbatim([]byte(made.Text))
}

// couldGo returns the largest parts of a hot context, the largest first.
func couldGo(e *assemble.TooSmallError) string {
	parts := slices.Clone(e.Parts)
	slices.SortStableFunc(parts, func(a, b assemble.Part) int { return b.Tokens - a.Tokens })
	var takes []string
	for _, part := range parts {
		takes = append(takes, fmt.Sprintf("%s %d", part.Name, part.Tokens))
	}
	hint := fmt.Sprintf("--max-tokens %d holds it", e.Need)
	if len(takes) > 0 {
		hint += "; it has " + strings.Join(takes, ", ") + "; close items that are done or no longer apply"
	}
	return hint
}
