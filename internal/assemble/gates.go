package assemble

// gates holds the limits of the parts of a budget, in tokens.
type gates struct {
	tokens int // of the budget, at most 8,000

	summary     int // tokens that must be left after the hot context for a summary
	recent      int // tokens that must be left for the recent part
	recentMost  int // the most for the recent part,
	recalled    int // which leaves so much; the recalled part needs as much
	summaryMost int // the most for the summary
}

// whole is the budget of the gates in the Quaid document, in tokens.
const whole = 8000

// gatesOf returns the gates of the Quaid document for 8,000 tokens and more; for less, they
// shrink in proportion. They do not depend on the content, because a prompt cache ends where
// the summary changes.
func gatesOf(maxTokens int) gates {
	g := gates{tokens: min(whole, maxTokens)}
	g.summary, g.summaryMost = g.scaled(500), g.scaled(1000)
	g.recent, g.recentMost = g.scaled(2000), g.scaled(3000)
	g.recalled = g.scaled(1000)
	return g
}

// scaled returns n in proportion to the budget.
func (g gates) scaled(n int) int { return n * g.tokens / whole }
