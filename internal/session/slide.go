package session

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/schema"
)

// WindowMessages is the largest number of messages in the window, KeptMessages the number of the
// newest ones that always stay (Quaid document).
const (
	WindowMessages = 20
	KeptMessages   = 10
)

// Slide splits the lines of a window with more than most messages. Of the messages before the last
// KeptMessages those with the least importance leave; of equally important ones the oldest leaves
// first. A message without an importance has 0.5. Lines that are no messages stay, and so do the
// summaries of compactions, which undoing needs. Both results are in the order of lines.
func Slide(lines []Line, most int) (stay, leave []Line) {
	var messages []int // indexes of the messages
	for i, line := range lines {
		if line.Err == nil {
			messages = append(messages, i)
		}
	}
	count := len(messages)
	older := slices.DeleteFunc(messages[:max(len(messages)-KeptMessages, 0)], func(i int) bool { return IsCompaction(*lines[i].Message) })
	excess := min(count-max(most, 0), len(older))
	if excess <= 0 {
		return lines, nil
	}
	slices.SortStableFunc(older, func(a, b int) int { return cmp.Compare(importance(*lines[a].Message), importance(*lines[b].Message)) })
	leaves := make([]bool, len(lines))
	for _, i := range older[:excess] {
		leaves[i] = true
	}
	for i, line := range lines {
		if leaves[i] {
			leave = append(leave, line)
		} else {
			stay = append(stay, line)
		}
	}
	return stay, leave
}

// importance returns the importance of a message, a ratio. It is 0.5 if the message does not have
// one.
func importance(m schema.Message) float64 {
	if m.Importance == nil {
		return 0.5
	}
	return *m.Importance
}
