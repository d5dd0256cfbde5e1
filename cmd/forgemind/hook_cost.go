package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/forgemind/forgemind/internal/hook"
)

// mostCosts bounds the sessions that hookCost prints for people.
const mostCosts = 10

// hookCost prints how many tokens hooks told agents, by session.
func (p *program) hookCost(c *cli.Context) error {
	tree, err := p.readTree(c)
	if err != nil {
		return err
	}
	defer tree.Close()
	costs, err := hook.Costs(tree, p.stateFolder())
	if err != nil {
		return err
	}
	if agents := c.StringSlice("agent"); len(agents) > 0 {
		costs = slices.DeleteFunc(costs, func(cost hook.Cost) bool { return !slices.Contains(agents, cost.Agent) })
	}
	if wantsJSON(c) {
		return p.printJSON(struct {
			Version  int         `json:"version"`
			Counter  string      `json:"counter"`
			Sessions []hook.Cost `json:"sessions"`
		}{1, hook.CostCounter, append([]hook.Cost{}, costs...)})
	}
	if len(costs) == 0 {
		p.printf("hooks told no agent anything here, or do not remember it\n")
		return nil
	}
	p.printf("tokens that hooks told agents, by session, the latest first\n")
	for _, cost := range costs[:min(len(costs), mostCosts)] {
		var by []string
		for _, e := range cost.By {
			by = append(by, fmt.Sprintf("%s %d", e.At, e.Tokens))
		}
		p.printf("%6d  %-8s %.16sZ  %s (%s)\n", cost.Tokens, inline(cost.Agent), cost.Last, inline(cost.Session), strings.Join(by, ", "))
	}
	if more := len(costs) - mostCosts; more > 0 {
		p.printf("and %s more; --format json has all\n", count(more, "session"))
	}
	return nil
}
