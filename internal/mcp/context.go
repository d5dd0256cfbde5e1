package mcp

import (
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/query"
)

func contextTool() tool {
	return tool{
		name: "context", title: "Context for a question, within a budget",
		about: "Everything that bears on a question, put together within a budget of tokens: constraints and decisions, the session's summary, what was said before that answers it (cold storage too), goals, open questions, the last messages. The same state gives the same text.",
		members: []member{
			{name: "query", kind: text, most: 2000, about: "what it is for; the active goals by default"},
			{name: "max_tokens", kind: whole, least: 100, most: 100_000, about: "at most so many tokens; 1500 by default; a result has room for about 2400"},
		},
		prose: true,
		run:   func(c *call) (answer, error) { return reading(c.server, c.assemble) },
	}
}

// assemble puts the context together. What a result has no room for is left out
// by the same rules as what the budget has no room for.
func (c *call) assemble(tree *fs.Tree) (answer, error) {
	const tries, least = 4, 50
	most := c.number("max_tokens", 1500)
	asked := most
	for try := 1; ; try++ {
		made, err := query.Assemble(tree, query.AssembleQuery{Query: c.text("query"), MaxTokens: most})
		var small *assemble.TooSmall
		if errors.As(err, &small) && try > 1 { // it fitted the budget, and does not fit the result
			made, err = query.Assemble(tree, query.AssembleQuery{Query: c.text("query"), MaxTokens: small.Need})
		} else if small != nil {
			return answer{}, fmt.Errorf("%w; max_tokens %d holds it, and what is done or holds no more can leave it (work_list shows it)", err, small.Need)
		}
		if err != nil {
			return answer{}, err
		}
		note := ""
		if most < asked {
			note = fmt.Sprintf("\n[cut: %d tokens were asked for, and a result has room for %d; ask a narrower query, or search]\n", asked, made.Tokens)
		}
		if made.Text == "" {
			made.Text = "nothing to tell: no session is active, and nothing answers the query"
		}
		a, over, err := prose(made.Text + note)
		switch {
		case over == 0 || err != nil:
			return a, err
		case try == tries || small != nil:
			return shortProse(made.Text, "'forgemind assemble' prints it whole; ask a narrower query, or search")
		}
		most = max(least, made.Tokens*maxAnswer/(maxAnswer+over)*95/100)
	}
}
