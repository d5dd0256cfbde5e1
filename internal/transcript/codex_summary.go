package transcript

import (
	"bytes"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// codexSummaries are the indexes of the items in which the agent gave the summary of a
// compaction. It stands there once more as such: the last answer before it.
func (rd *reader) codexSummaries() map[int]bool {
	all := map[int]bool{}
	last, answer := -1, ""
	for i, r := range rd.records {
		if rd.gone[r.offset] {
			continue
		}
		var l codexLine
		if (bytes.Contains(r.raw, []byte("assistant")) || bytes.Contains(r.raw, []byte("compacted"))) && jsonedit.Decode(r.raw, &l) == nil {
			switch p := &l.Payload; {
			case l.Type == "response_item" && p.Type == "message" && p.Role == "assistant":
				last, answer = i, strings.TrimSpace(textOf(p.Content))
			case l.Type == "compacted" && answer != "" && strings.TrimSpace(codexSummary(str(p.Message))) == answer:
				all[last] = true
				last, answer = -1, ""
			}
		}
	}
	return all
}

// codexSummary is the summary of a compaction without what Codex puts before it.
func codexSummary(text string) string {
	head, summary, ok := strings.Cut(text, "\n")
	if ok && strings.HasPrefix(head, "Another language model started to solve this problem") {
		return summary
	}
	return text
}
