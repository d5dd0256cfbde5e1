package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// Say adds messages to the live conversation and returns them as stored: one
// without an id or a time gets it, secrets are masked, tokens are counted. A
// message that is there already is left out.
func (t *Tree) Say(ctx context.Context, messages []schema.Message) ([]schema.Message, Outcome, error) {
	var added []schema.Message
	out, err := t.do(ctx, func(r *round) (err error) {
		if err = r.openConversation(); err != nil {
			return err
		}
		if added, err = r.say(messages, nil); err != nil {
			return err
		}
		return r.promptSaid(added)
	})
	return added, out, err
}

// openConversation begins a session where messages are to go to one and none is active.
func (r *round) openConversation() error {
	if !r.hasQuaid() {
		return nil
	}
	id, err := r.liveSession()
	if err == nil && id == "" {
		_, err = r.needSession()
	}
	return err
}

// say adds messages to the live conversation, and returns them as Say does; im is the
// transcript that they are from, if they are.
func (r *round) say(messages []schema.Message, im *transcript.Transcript) (added []schema.Message, err error) {
	name, src, err := r.conversation()
	if err != nil {
		return nil, err
	}
	l, err := r.openLive()
	if err != nil {
		return nil, err
	}
	if l != nil { // what left the window is there as well
		src = slices.Concat(l.Archive, []byte("\n"), src)
	}
	rewind := r.rewound(src, l, messages, im)
	for _, note := range rewind {
		r.tell("noted in the conversation: " + note.Content)
	}
	if im != nil {
		messages = slices.Concat(im.Again, messages) // if nobody told it yet
	}
	if added, err = r.admit(src, l, slices.Concat(rewind, messages)); err != nil {
		return nil, err
	}
	if l != nil {
		err = r.sayIn(l, added)
	} else {
		err = r.appendTo(name, src, added)
	}
	return slices.DeleteFunc(slices.Clone(added), func(m schema.Message) bool { // it is no message of the transcript
		return len(rewind) > 0 && m.ID == rewind[0].ID
	}), err
}

// appendTo adds messages to the conversation src of a tree without sessions.
func (r *round) appendTo(name string, src []byte, added []schema.Message) error {
	r.weighAll(added)
	r.askAbout(ours, added...)
	r.askAboutLast(ours, added)
	size := int64(0)
	for _, m := range added {
		line, err := session.Encode(m)
		if err != nil {
			return wrapName(name, err)
		}
		r.tx.Append(name, line)
		size += int64(len(line)) + 1
	}
	return r.tallyMore(src, added, size)
}

// rewound returns the message, if any, that notes what the user took back of what was told
// before, as the transcript of messages says.
func (r *round) rewound(src []byte, l *live, messages []schema.Message, im *transcript.Transcript) []schema.Message {
	if im == nil {
		return nil
	}
	elsewhere, _ := r.leftBefore(l) // what cannot be read is refused with the messages
	rewind := session.Rewind{Back: im.TakenBack, Told: slices.Concat(im.Again, messages), Whole: r.imports}
	if note, ok := rewind.Note(src, elsewhere, schema.FormatTime(r.at)); ok && !elsewhere(note.ID) {
		return []schema.Message{note}
	}
	return nil
}

// admit makes messages ready for the conversation src, which l is the session of,
// if it has one. Those that are here already, or left before, are not among what
// it returns.
func (r *round) admit(src []byte, l *live, messages []schema.Message) ([]schema.Message, error) {
	gone, unread := r.leftBefore(l)
	terms := session.Terms{
		Now: r.at, Random: r.tree.edge.Random, Count: r.tree.counter.Count, Counter: r.tree.counter.Name(), Gone: gone, Imported: r.bulk || r.imports,
	}
	added, masked, err := terms.Admit(src, messages)
	if err != nil {
		return nil, err
	}
	if *unread != nil {
		return nil, *unread // what left would be taken for new
	}
	r.masked = append(r.masked, masked...)
	r.counted.Messages += len(added)
	r.spoke = r.spoke || len(added) > 0
	return added, nil
}

// sayIn adds messages to the active session, one by one: what is due is done when
// it is due.
func (r *round) sayIn(l *live, messages []schema.Message) error {
	r.settled = true
	if len(messages) > 0 {
		if _, err := r.hotReads(l.ID); err != nil { // people are told, whatever was said
			return err
		}
	}
	r.weighAll(messages)
	heard := r.hearAll(messages)
	for i := range messages {
		m := &messages[i]
		raw, err := session.Encode(*m)
		if err != nil {
			return err
		}
		l.Add(raw, *m)
		r.askAbout(ours, *m)
		if err := r.follow(l.ID, *m, heard[i]); err != nil {
			return err
		}
		n := 1
		if i == 0 {
			n = max(1, l.Count-l.known) // with what others added
		}
		if err := r.dueIn(l, n); err != nil {
			return err
		}
	}
	r.askAboutLast(ours, messages)
	if r.bulk && len(messages) > 0 {
		if err := r.dueAfter(l); err != nil {
			return err
		}
	}
	if r.keepsWhole() && l.Left() > 0 {
		r.tell(fmt.Sprintf("the window holds the last messages; %d went to %s", l.Left(), session.ArchiveFile(l.ID)))
	}
	if r.event.Agent == "" && len(messages) > 0 {
		r.event.Agent = messages[len(messages)-1].Agent
	}
	return r.closeLive(l)
}

// leftBefore says of a message's id whether that message was here once: it left
// for cold storage, or stands in another session than l. Nothing is read before it
// is asked; unread is why it could not be.
func (r *round) leftBefore(l *live) (is func(id string) bool, unread *error) {
	var gone *coldIDs
	var elsewhere func(id string) bool
	unread = new(error)
	return func(id string) bool {
		if gone == nil {
			gone = &coldIDs{texts: cold.Texts(r.tx)}
			here := ""
			if l != nil {
				here = l.ID
			}
			elsewhere, *unread = session.Elsewhere(r.tx, r.tree.Tree, here)
		}
		return gone.has(id) || elsewhere != nil && elsewhere(id)
	}, unread
}

// decides reports whether the boss decides something in a message.
func (r *round) decides(m schema.Message) bool {
	return compact.Classify(m, r.compactOptions()) == compact.Decision && r.config.IsBoss(m.Agent)
}

// askAbout makes messages what triggers are asked about: those in which the boss decides something.
func (r *round) askAbout(reach reach, messages ...schema.Message) {
	for _, m := range messages {
		if r.decides(m) {
			event := triggers.Event{Message: m.Content, Priority: m.Priority, BossDecision: true}
			r.occasions = append(r.occasions, occasion{Event: event, said: []schema.Message{m}, reach: reach})
		}
	}
}

// askAboutLast makes the last of messages what triggers are asked about, if the boss decides in none of them.
func (r *round) askAboutLast(reach reach, messages []schema.Message) {
	if n := len(messages); n > 0 && !slices.ContainsFunc(messages, r.decides) {
		last := messages[n-1]
		r.occasions = append(r.occasions, occasion{Event: triggers.Event{Message: last.Content, Priority: last.Priority}, reach: reach})
	}
}

// unrecorded reports whether decisions were said that triggers are yet to be asked about.
func (r *round) unrecorded() bool {
	return slices.ContainsFunc(r.occasions[r.askedFor:], func(o occasion) bool { return len(o.said) > 0 })
}

// fireSaid fires what the decisions that were said so far fire, so that they are recorded before the
// session ends in which they were said, and before a command that comes after them.
func (r *round) fireSaid() error {
	if !r.unrecorded() {
		return nil
	}
	err := r.fire()
	if r.tallied { // what was counted so far is saved
		r.tallied, r.counted = false, state.Counters{}
	}
	return err
}

// conversation is the live conversation: its name and its bytes, nil where
// nothing was said.
func (r *round) conversation() (name string, src []byte, err error) {
	if name, err = session.LiveName(r.tx); err != nil {
		return "", nil, err
	}
	src, err = r.tx.Read(name)
	if missing(err) {
		return name, nil, nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", name, err)
	}
	return name, src, nil
}
