package session

import (
	"cmp"
	"slices"

	"github.com/forgemind/forgemind/schema"
)

// WindowMessages and KeptMessages are how many messages the window holds, and
// how many of its newest ones stay whatever they matter (Quaid document).
const (
	WindowMessages = 20
	KeptMessages   = 10
)

// Slide parts the lines of a window that holds too much: while there are more
// than most messages, the one that matters least leaves, of those outside the
// last KeptMessages; of equals the oldest. Lines that are no messages stay, so do
// summaries of compactions, without which none could be undone, and so do messages
// of which stays says so.
// stay and leave are in the order of lines. A message without an importance
// matters 0.5.
func Slide(lines []Line, most int, stays func(schema.Message) bool) (stay, leave []Line) {
	var messages []int // their indexes
	for i, line := range lines {
		if line.Err == nil {
			messages = append(messages, i)
		}
	}
	count := len(messages)
	older := slices.DeleteFunc(messages[:max(len(messages)-KeptMessages, 0)], func(i int) bool {
		return IsCompaction(*lines[i].Message) || stays != nil && stays(*lines[i].Message)
	})
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

// importance is how much a message matters, a ratio; 0.5 where it does not say.
func importance(m schema.Message) float64 {
	if m.Importance == nil {
		return 0.5
	}
	return *m.Importance
}
