package session

import (
	"fmt"
	"strings"
)

// maxTranscript is the largest size of a Transcript, in bytes. The newest part is kept.
const maxTranscript = 64 << 10

// Transcript returns the text of a session for a summarizer: the present summary, and the author
// and content of each message in files, sorted by time.
func Transcript(summary []byte, files ...[]byte) string {
	var lines []Line
	for _, src := range files {
		lines = append(lines, Read(src)...)
	}
	messages := Messages(lines)
	InOrder(messages)
	var said []string
	size := len(summary)
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		line := fmt.Sprintf("%s %s: %s", m.Timestamp, m.Agent, m.Content)
		if size += len(line); size > maxTranscript {
			break
		}
		said = append([]string{line}, said...)
	}
	return string(summary) + "\n" + strings.Join(said, "\n") + "\n"
}
