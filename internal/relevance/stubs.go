package relevance

// A Text is one of those that are compared with a prompt.
type Text struct {
	Content string
	Role    string // user, assistant, tool, system; "" where nobody says
	Session string // texts of one session that follow each other are neighbours
}

// A Match is how well a text answers a prompt.
type Match struct {
	Similarity float64 // ratio
	Rank       float64 // higher is better; comparable within one call only
	Terms      []Matched
}

// A Matched is a term that a text shares with a prompt, and what it contributed.
type Matched struct {
	Term  string
	Share float64 // ratio of Similarity's worth
}

// Compare says of each text, in their order, how well it answers prompt: by
// its best passage, with credit from its neighbours and its session for the rank.
func Compare(prompt string, texts []Text) []Match { panic("not built") }

// Passages parts a long text at its paragraphs, lines or sentences; together
// they are the text, byte for byte. A short text is one passage.
func Passages(text string) []string { panic("not built") }
