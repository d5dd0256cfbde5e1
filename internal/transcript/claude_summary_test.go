package transcript

import "testing"

// Of the summary of a compaction its sections are read, not what Claude Code writes
// around them for its model.
func TestClaudeSummary(t *testing.T) {
	const sections = "1. Primary Request and Intent:\n   Build the wall.\n\n2. Pending Tasks:\n   - Analysis: of the mortar\n   - Continue the conversation with the mason"
	const head = "This session is being continued from a previous conversation that ran out of context. "
	for name, text := range map[string]string{
		"of today": head + "The summary below covers the earlier portion of the conversation.\n\nSummary:\n" + sections +
			"\n\nIf you need specific details from before compaction (like exact code snippets, error messages, or content you generated), read the full transcript at: /x/y.jsonl\n" +
			"Continue the conversation from where it left off without asking the user any further questions.",
		"with the tools that were used": head + "The summary below covers the earlier portion of the conversation.\n\n<system-reminder>\n<tools-used-before-summary>Bash, Edit</tools-used-before-summary>\n</system-reminder>\nSummary:\n" + sections +
			"\n\nIf you need specific details from before compaction (like exact code snippets, error messages, or content you generated), read the full transcript at: /x/y.jsonl\n",
		"with an analysis": head + "The conversation is summarized below:\nAnalysis:\nThe user wants it.\n\nSummary:\n" + sections +
			"\nPlease continue the conversation from where we left it off without asking the user any further questions.",
		"alone":              sections,
		"in the same line":   head + sections,
		"and what is quoted": head + "\n\n" + sections + "\n\nRecent messages are preserved verbatim.",
	} {
		if got := claudeSummary(text); got != sections {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := claudeSummary(head); got != head {
		t.Errorf("of nothing else: %q", got)
	}
}
