package mcp

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/query"
)

func contextTool() tool {
	return tool{
		name: "context", title: "Context for a question, within a budget",
		about: "Everything relevant to a question, within a budget of tokens: constraints and decisions, the session's summary, earlier messages that answer it (cold storage too), goals, open questions, the last messages. The same state gives the same text.",
		members: []member{
			{name: "query", kind: text, most: 2000, about: "what it is for; the active goals by default"},
			{name: "max_tokens", kind: whole, least: 100, most: 100_000, about: "at most so many tokens; 1500 by default; a result has room for about 2400"},
		},
		prose: true,
		run:   func(c *call) (answer, error) { return reading(c.server, c.assemble) },
	}
}

// assemble returns the context of the prompt. If it exceeds the size of a result, it is
// assembled again with a smaller budget.
func (c *call) assemble(tree *fs.Tree) (answer, error) {
	const tries, least = 4, 50
	most := c.number("max_tokens", 1500)
	asked := most
	for try := 1; ; try++ {
		made, err := query.Context(c.ctx, tree, query.ContextQuery{Prompt: c.text("query"), MaxTokens: most})
		var small *assemble.TooSmallError
		if errors.As(err, &small) && try > 1 { // it fitted the budget, but does not fit the result
			made, err = query.Context(c.ctx, tree, query.ContextQuery{Prompt: c.text("query"), MaxTokens: small.Need})
		} else if small != nil {
			return answer{}, fmt.Errorf("%w; use max_tokens %d, or close items that are done or no longer apply (work_list shows them)", err, small.Need)
		}
		if err != nil {
			return answer{}, err
		}
		size := utf8.RuneCountInString(made.Text)
		note := ""
		if most < asked {
			note = fmt.Sprintf("\n[cut: %d tokens were asked for, and a result has room for %d; ask a narrower query, or search]\n", asked, made.Tokens)
		}
		room := maxAnswer - len(note)
		switch {
		case made.Text == "":
			return answer{text: "nothing to tell: no session is active, and nothing answers the query"}, nil
		case size <= room:
			return answer{text: made.Text + note}, nil
		case try == tries || small != nil:
			return prose(made.Text, "'forgemind context' prints it whole; ask a narrower query, or search"), nil
		}
		most = max(least, made.Tokens*room/size*95/100)
	}
}
