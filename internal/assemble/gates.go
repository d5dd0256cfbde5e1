package assemble

// Gates are what each part may take of a budget, in tokens.
type gates struct {
	summary     int // the summary needs more than so much left behind the hot context
	recent      int // the recent part does
	recentMost  int // and takes so much at most,
	recalled    int // leaving so much, which is also what the recalled needs left
	summaryMost int // of the summary
}

// gatesOf are the gates of the Quaid document, which has them for 8,000 tokens
// and more; below, they shrink in proportion. They do not depend on what the
// summary shares the budget with, for a prompt cache ends where it changes.
func gatesOf(maxTokens int) gates {
	const whole = 8000
	part := min(whole, maxTokens)
	scaled := func(n int) int { return n * part / whole }
	return gates{
		summary: scaled(500), summaryMost: scaled(1000),
		recent: scaled(2000), recentMost: scaled(3000),
		recalled: scaled(1000),
	}
}
