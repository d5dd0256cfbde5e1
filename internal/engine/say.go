package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// Say adds messages to the live conversation and returns them as stored: a missing id
// or time is added, secrets are masked, tokens are counted. A message that is there
// already is left out.
func (t *Tree) Say(ctx context.Context, messages []schema.Message) ([]schema.Message, Outcome, error) {
	return t.say(ctx, messages, nil, justSaid)
}

// say is Say. im is the transcript that the messages are from; nil if there is none.
func (t *Tree) say(ctx context.Context, messages []schema.Message, im *transcript.Transcript, in intake) (added []schema.Message, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		r.event.intake = in
		if added, err = r.say(messages); err != nil {
			return err
		}
		if err := r.reportImported(im, added); err != nil {
			return err
		}
		return r.recoverForPrompt(added)
	})
	return added, out, err
}

// say adds messages to the conversation, and returns the new ones.
func (r *WorkingSet) say(messages []schema.Message) (added []schema.Message, err error) {
	if r.hasQuaid() {
		if id, err := r.liveSessionID(); err != nil {
			return nil, err
		} else if id == "" {
			if _, err := r.needSession(); err != nil {
				return nil, err
			}
		}
	}
	name, src, err := r.conversation()
	if err != nil {
		return nil, err
	}
	l, err := r.openLive()
	if err != nil {
		return nil, err
	}
	if l == nil {
		if added, err = r.prepareMessages(src, nil, messages); err != nil {
			return nil, err
		}
		return added, r.sayOutside(name, src, added)
	}
	src = slices.Concat(l.archive, []byte("\n"), src) // with the messages that left the window
	if added, err = r.prepareMessages(src, l, messages); err != nil {
		return nil, err
	}
	return added, r.sayIn(l, added)
}

// sayOutside adds messages to a conversation of no session. name is its file and src
// the file's text.
func (r *WorkingSet) sayOutside(name string, src []byte, added []schema.Message) error {
	size := int64(0)
	for _, m := range added {
		line, err := session.Encode(m)
		if err != nil {
			return wrapName(name, err)
		}
		r.tx.Append(name, line)
		size += int64(len(line)) + 1
	}
	return r.countMoreTokens(src, added, size)
}

// prepareMessages prepares messages to be added to the conversation src and returns the
// new ones: those that are not there, and did not leave before. l is the session of the
// conversation; nil if it has none.
func (r *WorkingSet) prepareMessages(src []byte, l *liveSession, messages []schema.Message) ([]schema.Message, error) {
	gone, unread := r.leftBefore(l)
	terms := session.Terms{
		Now: r.at, Random: r.tree.edge.Random, Count: r.tree.counter.Count, Counter: r.tree.counter.Name(), Gone: gone, Imported: r.event.intake != justSaid,
	}
	added, masked, err := terms.Admit(src, messages)
	if err != nil {
		return nil, err
	}
	if *unread != nil {
		return nil, *unread // messages that left could be added again
	}
	r.masked = append(r.masked, masked...)
	r.counted.Messages += len(added)
	r.setEvent(added)
	return added, nil
}

// sayIn adds messages to the active session, one by one, and after each runs the
// triggers that are due.
func (r *WorkingSet) sayIn(l *liveSession, messages []schema.Message) (err error) {
	r.settled = true
	if len(messages) > 0 {
		if _, err := r.hotReads(l.id); err != nil { // notes the reason, whatever the messages say
			return err
		}
	}
	heard := r.rateAll(messages)
	for i := range messages {
		m := &messages[i]
		raw, err := session.Encode(*m)
		if err != nil {
			return err
		}
		l.add(raw, *m)
		if err := r.updateHotFrom(l.id, *m, heard[i]); err != nil {
			return err
		}
		n := 1
		if i == 0 {
			n = max(1, l.count-l.known) // with messages that other programs added
		}
		if l, err = r.runDueIn(l, n); err != nil {
			return err
		}
	}
	if r.event.intake != justSaid && len(messages) > 0 {
		if err := r.runDueAfterImport(l); err != nil {
			return err
		}
	}
	if r.event.intake == wholeTranscript && len(l.leaving) > 0 {
		r.addNote(fmt.Sprintf("the window holds the last messages; %d went to %s", len(l.leaving), session.ArchiveFile(l.id)))
	}
	if r.event.Agent == "" && len(messages) > 0 {
		r.event.Agent = messages[len(messages)-1].Agent
	}
	return r.closeLive(l)
}

// leftBefore returns a function that reports whether the message of an id was here
// before: it went to cold storage, or is in a session other than l. Files are read at
// the first call; unread points to the error of that.
func (r *WorkingSet) leftBefore(l *liveSession) (is func(id string) bool, unread *error) {
	var gone map[string]bool
	var elsewhere func(id string) bool
	unread = new(error)
	return func(id string) bool {
		if gone == nil {
			gone = map[string]bool{}
			var chunks []schema.Chunk
			chunks, _, *unread = cold.List(r.tx)
			for _, chunk := range chunks {
				if m, ok := session.MessageOfChunk(chunk); ok && m.ID != "" {
					gone[m.ID] = true
				}
			}
			here := ""
			if l != nil {
				here = l.id
			}
			var err error
			elsewhere, err = session.Elsewhere(r.tx, r.tree.Tree, here)
			*unread = errors.Join(*unread, err)
		}
		return gone[id] || elsewhere != nil && elsewhere(id)
	}, unread
}

// setEvent sets the event of new messages: the last decision of high priority, or else
// the last decision, or else the last message. Every other decision of high priority,
// or without any every other decision, belongs to the event as well.
func (r *WorkingSet) setEvent(messages []schema.Message) {
	o := r.compactOptions()
	for _, m := range messages {
		r.event.Event = triggers.Event{Message: m.Content, Priority: m.Priority}
		if compact.Classify(m, o) == compact.Decision && isBoss(o.Bosses, m.Agent) {
			r.event.said = append(r.event.said, m)
		}
	}
	high := func(m schema.Message) bool { return m.Priority == High }
	if slices.ContainsFunc(r.event.said, high) {
		r.event.said = slices.DeleteFunc(r.event.said, func(m schema.Message) bool { return !high(m) })
	}
	if n := len(r.event.said); n > 0 {
		last := r.event.said[n-1]
		r.event.Event = triggers.Event{Message: last.Content, Priority: last.Priority, BossDecision: true}
	}
}

// conversation returns the name and the text of the live conversation; nil if it has no
// messages.
func (r *WorkingSet) conversation() (name string, src []byte, err error) {
	if name, err = session.Conversation(r.tx); err != nil {
		return "", nil, err
	}
	src, err = r.tx.Read(name)
	if isMissing(err) {
		return name, nil, nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", name, err)
	}
	return name, src, nil
}
