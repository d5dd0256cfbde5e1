package validate

import "fmt"

var decisionCount = Rule{
	Name:     "decision-count",
	Severity: Warning,
	Summary:  "The State counts more decisions than there are.",
	Help: `session_stats.decisions_recorded is higher than the number of decisions that the
Ledger and the views hold together.

Either a decision was lost, or the figure was written by hand. A lower figure is
fine: it counts one session, the Ledger holds all of them.

Wrong:

    "decisions_recorded": 5        with three decisions in the tree

Right:

    "decisions_recorded": 3

To mend it, look in git for the decision that is missing
(` + "`forgemind validate --against REV`" + ` names it), or correct the figure.
`,
	across: func(c *treeFacts) { c.countDecisions() },
}

func (c *treeFacts) countDecisions() {
	ids := map[string]bool{}
	unnamed := 0
	for _, list := range [][]decision{c.ledger, c.views} {
		for _, d := range list {
			if d.id == "" {
				unnamed++
			}
			ids[d.id] = true
		}
	}
	delete(ids, "")
	there := len(ids) + unnamed
	for _, n := range c.counts {
		if n.n > float64(there) {
			c.at(n.spot, fmt.Sprintf("decisions_recorded is %s, but Ledger and views hold %d", grouped(n.n), there),
				"forgemind validate --against REV names a decision that was lost; otherwise correct the figure")
		}
	}
}
