package session

import (
	"bytes"
	"slices"
)

// Torn reports whether the window ends in a piece of a line: somebody is writing there.
func (c *Conversation) Torn() bool { return c.torn }

// Hold takes the lines of the window from the line first on out of it, and returns the messages among them: they
// come in one by one, by TakeBack. Those that are not to be moved stay where they are.
func (c *Conversation) Hold(first Line) (messages []Line) {
	i := slices.IndexFunc(c.Lines, func(line Line) bool { return bytes.Equal(line.Raw, first.Raw) })
	if i < 0 {
		return nil
	}
	rest := c.Lines[i:]
	c.Lines = slices.Clone(c.Lines[:i])
	for _, line := range rest {
		if line.Message != nil {
			messages = append(messages, line)
			if Counts(*line.Message) {
				c.Count--
			}
		}
		if line.Err != nil {
			c.Lines = append(c.Lines, line)
		}
	}
	return messages
}

// TakeBack puts a line that was held, by this conversation or by that of the session before, into the session,
// and reports whether it counts as a message there. rest are those that are held still.
func (c *Conversation) TakeBack(line Line, rest []Line, own bool) (counts bool) {
	counts = Counts(*line.Message)
	switch {
	case own:
		c.held, c.Last = rest, Later(c.Last, line.Message.Timestamp)
		if line.Err == nil {
			c.Lines = append(c.Lines, line)
		}
		if counts {
			c.Count++
		}
	case line.Err != nil: // it stays where it is
		return false
	default:
		c.Add(line.Raw, *line.Message)
		if !counts {
			c.Count--
		}
	}
	return counts
}
