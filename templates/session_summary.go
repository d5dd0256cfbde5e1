package templates

// A SessionSummary is what summary.md says of a session.
type SessionSummary struct {
	Session   string
	Overview  string // by an external summarizer, "" for none
	By        string // what made the Overview: model and hash of what it read
	Objective SummaryLine
	Progress  []SummaryLine // each with its sign: ✅ 🔄 ⏳
	Decisions []SummaryLine
	Critical  []SummaryLine
}

// A SummaryLine is one line of a SessionSummary.
type SummaryLine struct {
	Text string
	From string // the id of the message, goal or decision that says it; "" is not shown
}

// Markdown is summary.md, in the form that the Quaid document has.
func (s SessionSummary) Markdown() []byte { panic("not built") }
