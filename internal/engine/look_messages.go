package engine

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A talkStage holds how this working copy left conversations, and how this round found them.
type talkStage struct {
	talks   session.Looks
	found   map[string]fs.Stamp // by their Names
	unheard map[string]bool     // by their Names, those that others added to, which waits for another round
	heard   bool                // something that others added was acted on
}

// hearOthers does for the messages that others added to the live conversation since this working copy
// looked what is done for those of a command, and for those of fs.Messages beside a session what triggers
// do. A conversation that it sees for the first time counts as acted on.
func (r *round) hearOthers() error {
	if r.unconfigured != nil {
		return nil
	}
	r.talks, r.found, r.unheard = session.ReadLooks(r.tx), map[string]fs.Stamp{}, map[string]bool{}
	names, err := session.Conversations(r.tx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := r.hearIn(name); err != nil {
			return err
		}
	}
	return nil
}

// hearIn does what hearOthers does for one conversation.
func (r *round) hearIn(name string) error {
	r.found[name] = session.StampOf(r.tree.Tree, name)
	last, known := r.talks.Of(name)
	if !known || last.Holds(r.found[name]) {
		return nil
	}
	src, err := r.maybe(name)
	if err != nil {
		return err
	}
	news := last.New(src)
	if len(news) == 0 {
		return nil
	}
	err = r.within(others, func() error {
		if name == fs.Messages {
			return r.hearNew(news)
		}
		return r.hearInSession(last)
	})
	r.heard = r.heard || err == nil
	if err != nil {
		r.unheard[name] = true
		r.tell(fmt.Sprintf("%d messages that others added to %s are not acted on yet: %v", len(news), name, err))
	}
	return nil
}

// hearNew makes the messages of lines that others added what triggers are asked about.
func (r *round) hearNew(lines []session.Line) error {
	var messages []schema.Message
	for _, line := range lines {
		if m, err := r.ofOthers(line); err == nil { // else it is a finding
			messages = append(messages, m)
		}
	}
	r.hear(others, messages)
	r.counted.Messages += len(messages)
	return r.promptSaid(messages)
}

// ofOthers returns the message of a line that somebody else wrote, with a time, and without secrets.
func (r *round) ofOthers(line session.Line) (schema.Message, error) {
	m := *line.Message
	m.Content, _ = secret.Mask(m.Content)
	m.Timestamp = cmp.Or(session.TimeAsOurs(m.Timestamp), schema.FormatTime(r.at))
	return m, session.Attribute(&m)
}

// hearInSession does what hearNew does in the active session, and before that what is due there.
func (r *round) hearInSession(last session.Look) error {
	l, err := r.openLive()
	if err != nil {
		return err
	}
	news, _ := last.NewIn(l.lines)
	if len(news) == 0 {
		return nil
	}
	fired := len(r.out.Fired)
	if l, err = r.followNew(l, news); err != nil {
		return err
	}
	r.out.Fired = slices.Concat(r.out.Fired[:fired], lastOfEach(r.out.Fired[fired:]))
	if err := r.closeLive(l); err != nil {
		return err
	}
	return r.hearNew(news)
}

// lastOfEach returns of the firings of a trigger for the same files the last.
func lastOfEach(all []Fired) (last []Fired) {
	for i, f := range all {
		if !slices.ContainsFunc(all[i+1:], func(g Fired) bool {
			return f.Trigger == g.Trigger && slices.Equal(f.Actions[0].Wrote, g.Actions[0].Wrote)
		}) {
			last = append(last, f)
		}
	}
	return last
}

// followNew lets the session follow new lines of its window as if they came in one by one. It returns the
// session that is live then: one that is archived in between leaves the lines behind to the next one.
func (r *round) followNew(l *live, news []session.Line) (*live, error) {
	if _, err := r.hotReads(l.id); err != nil {
		return nil, err
	}
	uncounted := max(0, l.count-len(news)-l.known) // of those that were added before
	if l.torn {                                    // somebody is writing there: the window is not parted
		for _, line := range news {
			if err := r.followLine(l, line); err != nil {
				return nil, err
			}
		}
		return r.dueIn(l, uncounted+len(news))
	}
	isNew := map[int]bool{}
	for _, line := range news {
		isNew[line.At] = true
	}
	first := l
	l.count -= len(news)
	for queue := l.hold(news[0]); len(queue) > 0; queue = queue[1:] {
		line := queue[0]
		if l == first {
			l.held = queue[1:]
		}
		switch {
		case line.Err != nil: // it stays where it is
		case l == first:
			l.lines = append(l.lines, line)
		default:
			l.add(line.Raw, *line.Message)
		}
		if !isNew[line.At] {
			continue
		}
		if l == first {
			l.count++
		}
		err := r.followLine(l, line)
		if err == nil {
			l, err = r.dueIn(l, 1+uncounted)
		}
		if err != nil {
			return nil, err
		}
		uncounted = 0
	}
	return l, nil
}

// followLine lets the hot context of a session follow a line that somebody else wrote.
func (r *round) followLine(l *live, line session.Line) error {
	m, err := r.ofOthers(line)
	if err != nil {
		return nil // a finding
	}
	return r.follow(l.id, m, r.heardIn(m))
}

// hold takes the messages from the line first on out of the window, but for what is to stay where it is,
// and returns all of them.
func (l *live) hold(first session.Line) (messages []session.Line) {
	i := slices.IndexFunc(l.lines, func(line session.Line) bool { return line.At == first.At })
	rest := l.lines[i:]
	l.lines = slices.Clone(l.lines[:i])
	for _, line := range rest {
		if line.Message != nil {
			messages = append(messages, line)
		}
		if line.Err != nil {
			l.lines = append(l.lines, line)
		}
	}
	return messages
}

// closeConversations notes how this round leaves the conversations that it found or wrote.
func (r *round) closeConversations() error {
	names, err := session.Conversations(r.tx)
	if err != nil {
		return err
	}
	for name := range r.tx.Staged() {
		if _, known := r.talks.Of(name); known && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[1:])
	looks := r.talks
	for _, name := range slices.Backward(names) { // the live one last
		now, err := r.leftAs(name)
		if err != nil {
			return err
		}
		looks = looks.With(now)
	}
	return looks.Keep(r.tx, r.home, r.heard)
}

// leftAs returns how this round leaves a conversation.
func (r *round) leftAs(name string) (session.Look, error) {
	last, known := r.talks.Of(name)
	_, wrote := r.tx.Staged()[name]
	stamp, found := r.found[name]
	switch {
	case r.unheard[name], known && !found && !wrote:
		return last, nil
	case known && !wrote && last.Holds(stamp):
		if stamp.Written != 0 {
			last.Stamp = stamp
		}
		return last, nil
	}
	src, err := r.maybe(name)
	if err != nil {
		return last, err
	}
	now := last.Now(src)
	if found && !wrote && now.Stamp.Size == stamp.Size {
		now.Stamp = stamp
	}
	return now, nil
}
