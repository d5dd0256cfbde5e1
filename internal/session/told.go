package session

import (
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// Told counts the messages of a session and finds who spoke, in the order of
// first speaking: archive and window, without what only stands for other
// messages, the summaries of clusters and compactions.
func Told(window, archive []byte) (messages int, agents []string) {
	for _, src := range [][]byte{archive, window} {
		for _, line := range Read(src) {
			if line.Err != nil || !Counts(*line.Message) {
				continue
			}
			messages++
			if agent := Speaker(*line.Message); agent != "" && !slices.Contains(agents, agent) {
				agents = append(agents, agent)
			}
		}
	}
	return messages, agents
}

// Speaker returns the person or the agent that a message is from; "" for what a tool gave.
func Speaker(m schema.Message) string {
	if m.Role == "tool" {
		return ""
	}
	return m.Agent
}

// TookOut counts the messages that left a conversation for cold storage, likewise.
func TookOut(chunks []schema.Chunk) (messages int) {
	for _, chunk := range chunks {
		if m, ok := Left(chunk); ok && Counts(m) {
			messages++
		}
	}
	return messages
}

// Counts reports whether m is one of a session's messages, and does not only stand for others.
func Counts(m schema.Message) bool {
	if m.Kind != "summary" || len(m.Metadata) == 0 {
		return true
	}
	doc, err := jsonedit.Parse(m.Metadata)
	return err != nil || doc.Find("/cluster") < 0 && doc.Find("/compaction") < 0
}
