package session

import (
	"errors"
	"slices"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/schema"
)

// Gather lets messages that say similar things go to the archive, and a summary that names them take their
// place, whose tokens count tells in the name of counter. The newest stay as they are. It returns the ids of the
// summaries that are new in the window; the error tells of those that could not be made.
func (c *Conversation) Gather(count func(text string) int, counter string) (summaries []string, err error) {
	all := c.Messages()
	inWindow, stays := c.gatherable(all)
	old := slices.DeleteFunc(all, func(m schema.Message) bool { return stays[m.ID] })
	out, in := map[int]bool{}, map[int]Line{}
	for _, cluster := range compact.Clusters(old) {
		var members []schema.Message
		first := -1
		for _, i := range cluster {
			members = append(members, old[i])
			if at, ok := inWindow[old[i].ID]; ok {
				out[at] = true
				if first < 0 {
					first = at
				}
			}
		}
		m := compact.Gather(members, count, counter)
		raw, wrong := Encode(m)
		switch {
		case wrong != nil:
			err = errors.Join(err, wrong)
		case first < 0:
			c.leaving = append(c.leaving, Line{Raw: raw, Message: &m})
		default:
			in[first] = Line{Raw: raw, Message: &m}
			summaries = append(summaries, m.ID)
		}
	}
	var stay, leave []Line
	for i, line := range c.Lines {
		if summary, ok := in[i]; ok {
			stay = append(stay, summary)
		}
		if out[i] {
			leave = append(leave, line)
		} else {
			stay = append(stay, line)
		}
	}
	c.leave(stay, leave)
	return summaries, err
}

// gatherable returns where in the window messages stand, by their ids, and which of all are not to be gathered.
func (c *Conversation) gatherable(all []schema.Message) (inWindow map[string]int, stays map[string]bool) {
	inWindow, stays = map[string]int{}, Gathered(all)
	stays[""] = true // nothing could name it
	newest := 0      // as they came in, whatever time they say
	for i, line := range slices.Backward(c.Lines) {
		switch {
		case line.Message == nil:
			continue
		case line.Err != nil: // it stays where it is
			stays[line.Message.ID] = true
			continue
		}
		inWindow[line.Message.ID] = i
		if newest++; newest <= KeptMessages {
			stays[line.Message.ID] = true
		}
	}
	return inWindow, stays
}

// Shorten leaves in the window what is newest, and the summaries of what Gather lets go, or if it lets nothing go
// the newest one of before. It returns how many messages go to the archive.
func (c *Conversation) Shorten(count func(text string) int, counter string) (left int, err error) {
	before := len(c.leaving)
	summaries, err := c.Gather(count, counter)
	for _, line := range slices.Backward(c.Lines) {
		if line.Err == nil && len(summaries) == 0 && len(Members(*line.Message)) > 0 {
			summaries = []string{line.Message.ID}
		}
	}
	c.leave(Slide(c.Lines, KeptMessages+len(summaries), func(m schema.Message) bool { return slices.Contains(summaries, m.ID) }))
	return len(c.leaving) - before, err
}
