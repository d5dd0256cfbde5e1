package session

import (
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// CountMessages returns the number of messages in the archive and the window of a session, and the agents in
// the order of their first message. It ignores summaries of clusters and compactions.
func CountMessages(window, archive []byte) (messages int, agents []string) {
	for _, src := range [][]byte{archive, window} {
		for _, line := range Read(src) {
			if line.Err != nil || isReplacement(*line.Message) {
				continue
			}
			messages++
			if agent := line.Message.Agent; agent != "" && !slices.Contains(agents, agent) {
				agents = append(agents, agent)
			}
		}
	}
	return messages, agents
}

// TookOut returns the number of messages in chunks, without summaries.
func TookOut(chunks []schema.Chunk) (messages int) {
	for _, chunk := range chunks {
		if m, ok := MessageOfChunk(chunk); ok && !isReplacement(m) {
			messages++
		}
	}
	return messages
}

// isReplacement reports whether m is a summary that replaces other messages.
func isReplacement(m schema.Message) bool {
	if m.Kind != "summary" || len(m.Metadata) == 0 {
		return false
	}
	doc, err := jsonedit.Parse(m.Metadata)
	return err == nil && (doc.Find("/cluster") >= 0 || doc.Find("/compaction") >= 0)
}
