package session

import (
	"fmt"
	"strings"
)

// maxTranscript is how much of a session a summarizer is given, in bytes: what is
// newest.
const maxTranscript = 64 << 10

// Transcript is what a summarizer is given of a session: the summary as it stands
// and, of the files of its messages, who said what, in order of time.
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
