package transcript

import (
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// What Claude Code writes around the summary of a compaction, for the model: what it is,
// and how the model reasoned about it, before; how to go on, behind.
var (
	summaryHead = lazyregexp.New(`^` + continued + `[^.\n]*\.\s*(?:The (?:conversation is summarized|summary) below[^.:\n]*[.:]\s*)?(?:(?s:Analysis:\n.*?\n)?Summary:\s*)?`)
	summaryTail = lazyregexp.New(`(?m)^(?:If you need specific details from before compaction|Recent messages are preserved verbatim|(?:Please continue|Continue) the conversation from where)`)
)

// claudeSummary is the summary of a compaction without what Claude Code writes around it.
func claudeSummary(text string) string {
	w := wrapping{typed: text}
	w.elements("claude-code")
	summary := w.typed[len(summaryHead.FindString(w.typed)):]
	if at := summaryTail.FindStringIndex(summary); at != nil {
		summary = summary[:at[0]]
	}
	if summary = strings.TrimSpace(summary); summary == "" {
		return text
	}
	return summary
}
