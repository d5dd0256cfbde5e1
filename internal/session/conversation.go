package session

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Conversation is that of a session while a transaction works on it: its window, and what goes to its
// archive. Nothing of it is staged before Close.
type Conversation struct {
	ID      string
	Lines   []Line   // of the window; one with an error stays where it is
	Archive []byte   // as it is staged
	Count   int      // messages of the session
	Agents  []string // who spoke
	Last    string   // the latest time of a message

	config  schema.Config
	past    []schema.Message // of Archive, once they were read
	leaving []Line           // for the end of the archive, in order
	fresh   [][]byte         // lines for the end of the window
	held    []Line           // lines of the window that are to come in only now; see Hold
	cut     bool             // Lines is another window than the staged one with fresh behind it
	torn    bool             // the staged window ends in a piece of a line
}

// OpenConversation reads the conversation of the session id. faulty returns why the archive cannot have a line;
// such a line stays in the window. Count does not tell of the messages that compactions took out.
func OpenConversation(tx *fs.Tx, id string, config schema.Config, faulty func(raw []byte) error) (*Conversation, error) {
	c := &Conversation{ID: id, config: config}
	window, err := stored(tx, Window(id))
	if err != nil {
		return nil, err
	}
	if c.Archive, err = stored(tx, ArchiveFile(id)); err != nil {
		return nil, err
	}
	_, tail := jsonedit.Tail(window)
	c.Lines, c.torn = Read(window), tail == jsonedit.Torn
	for i := range c.Lines {
		switch line := &c.Lines[i]; {
		case line.Err != nil:
		case len(line.Raw) > fs.MaxRecord:
			line.Err = fmt.Errorf("%w: a message of %d bytes", fs.ErrTooLarge, len(line.Raw))
		default:
			line.Err = faulty(line.Raw)
		}
	}
	WeighLines(c.Lines, config)
	c.Count, c.Agents, err = ToldKept(tx, id, window, c.Archive)
	return c, err
}

// Add puts a message at the end of the window.
func (c *Conversation) Add(raw []byte, m schema.Message) {
	c.Lines = append(c.Lines, Line{Raw: raw, Message: &m, At: len(c.Lines)})
	c.fresh = append(c.fresh, raw)
	c.Last = Later(c.Last, m.Timestamp)
	if agent := Speaker(m); agent != "" && !slices.Contains(c.Agents, agent) {
		c.Agents = append(c.Agents, agent)
	}
	c.Count++
}

// Slide lets what a window of so many messages has no room for go to the archive.
func (c *Conversation) Slide(most int) { c.leave(Slide(c.Lines, most, nil)) }

// leave lets lines go to the archive, and stay be the window, if there are any.
func (c *Conversation) leave(stay, lines []Line) {
	if len(lines) == 0 {
		return
	}
	c.Lines, c.cut = stay, true
	c.leaving = append(c.leaving, lines...)
}

// Speaker returns who said the last message of the window; "" if nobody did.
func (c *Conversation) Speaker() string {
	for _, line := range slices.Backward(c.Lines) {
		if line.Message != nil {
			return line.Message.Agent
		}
	}
	return ""
}

// Left returns how many lines are to go to the archive.
func (c *Conversation) Left() int { return len(c.leaving) }

// Messages returns all messages of the session that were not taken back, in order of time.
func (c *Conversation) Messages() []schema.Message {
	if c.past == nil {
		c.past = Weighed(Read(c.Archive), c.config)
	}
	all := slices.Concat(c.past, Messages(c.leaving), Messages(c.Lines))
	InOrder(all)
	return Standing(all)
}

// Tokens returns what the messages of the window cost.
func (c *Conversation) Tokens(count func(text string) int) (tokens int) {
	for _, line := range c.Lines {
		if line.Err == nil {
			if tokens += int(line.Message.Tokens); line.Message.Tokens == 0 {
				tokens += count(line.Message.Content)
			}
		}
	}
	return tokens
}

// Close stages what came of the conversation. Copied out to the archive is what is cut from the window, in one
// transaction.
func (c *Conversation) Close(tx *fs.Tx) {
	c.cut = c.cut || len(c.held) > 0
	if c.torn && len(c.fresh) > 0 { // adding keeps the piece aside; what is to leave leaves with the next message
		c.cut, c.leaving = false, nil
	}
	if c.cut {
		var window []byte
		for _, line := range c.Lines {
			window = append(append(window, line.Raw...), '\n')
		}
		if c.torn {
			window = window[:len(window)-1]
		}
		tx.Write(Window(c.ID), window)
	} else {
		for _, line := range c.fresh {
			tx.Append(Window(c.ID), line)
		}
	}
	for _, line := range c.leaving {
		tx.Append(ArchiveFile(c.ID), line.Raw)
	}
}
