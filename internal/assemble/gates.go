package assemble

// Gates are what each part may take of a budget, in tokens.
type gates struct {
	tokens int // of the budget, 8,000 at most

	summary     int // the summary needs more than so much left behind the hot context
	recent      int // the recent part does
	recentMost  int // and takes so much at most,
	recalled    int // leaving so much, which is also what the recalled needs left
	summaryMost int // of the summary
}

// whole is the budget that the Quaid document has its gates for, in tokens.
const whole = 8000

// gatesOf are the gates of the Quaid document for 8,000 tokens and more; below,
// they shrink in proportion. They do not depend on what there is, for a prompt
// cache ends where the summary changes.
func gatesOf(maxTokens int) gates {
	g := gates{tokens: min(whole, maxTokens)}
	g.summary, g.summaryMost = g.scaled(500), g.scaled(1000)
	g.recent, g.recentMost = g.scaled(2000), g.scaled(3000)
	g.recalled = g.scaled(1000)
	return g
}

// scaled is what becomes of n in proportion to the budget.
func (g gates) scaled(n int) int { return n * g.tokens / whole }
