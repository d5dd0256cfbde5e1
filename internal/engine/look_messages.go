package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A talkStage holds how this working copy left conversations, and how this round found them.
type talkStage struct {
	talks   session.Looks
	found   map[string]fs.Stamp       // by their Names
	unheard map[string][]session.Line // by their Names, what others added to them and waits for another round
	heard   bool                      // something that others added, or took out, was acted on

	uncopied string // a window whose copy stays as it is, for what others took out of it is nowhere else yet
}

// hearOthers does for the messages that others added to the live conversation since this working copy
// looked what is done for those of a command, and for those of fs.Messages beside a session what triggers
// do. A conversation that it sees for the first time counts as acted on, and so does what git brought.
func (r *round) hearOthers() error {
	r.talks, r.found, r.unheard = session.ReadLooks(r.tx), map[string]fs.Stamp{}, map[string][]session.Line{}
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

// hearIn does what hearOthers does for one conversation. While it cannot, that is told, and what is new
// waits.
func (r *round) hearIn(name string) error {
	r.found[name] = session.StampOf(r.tree.Tree, name)
	last, known := r.talks.Of(name)
	if !known || last.Holds(r.found[name]) {
		return nil
	}
	if r.isTooLong(name) {
		r.tell(fmt.Sprintf("%s is larger than %d MiB: what others add to it is not acted on", name, session.MostHeard>>20))
		return nil
	}
	var src []byte
	err := r.tx.Try(func(*fs.Tx) (err error) { src, err = r.maybe(name); return err })
	if errors.Is(err, fs.ErrUnsettled) {
		return err
	}
	added := last.New(src)
	news := added
	if err == nil && name != fs.Messages {
		err = r.keepGone(last, src)
	}
	if err == nil {
		news, err = r.notBrought(name, added)
	}
	fired := len(r.out.Fired)
	switch {
	case err == nil && len(news) == 0:
		return nil
	case err == nil && r.unconfigured != nil:
		r.unheard[name] = news
		return nil
	case err == nil:
		err = r.within(others, func() error {
			if name == fs.Messages {
				return r.hearBeside(news)
			}
			return r.hearInSession(news)
		})
	}
	if err != nil {
		r.unheard[name] = added
		r.tell(fmt.Sprintf("what others added to %s is not acted on yet: %v", name, err))
	}
	r.heard = r.heard || err == nil
	r.out.Fired = slices.Concat(r.out.Fired[:fired], together(r.out.Fired[fired:]))
	return nil
}

// isTooLong reports whether a conversation is too large to be read for what others added.
func (r *round) isTooLong(name string) bool { return r.found[name].Size > session.MostHeard }

// notBrought returns those of lines of a conversation that git did not bring: they were acted on where they
// were written.
func (r *round) notBrought(name string, lines []session.Line) (news []session.Line, err error) {
	if len(lines) == 0 || fs.Ignores(r.tx, name) {
		return lines, nil
	}
	held, err := r.committed([]string{name})
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for line := range bytes.Lines(held[name]) {
		known[string(bytes.TrimSuffix(line, []byte("\n")))] = true
	}
	var brought []session.Line
	for _, line := range lines {
		if known[string(line.Raw)] {
			brought = append(brought, line)
		} else {
			news = append(news, line)
		}
	}
	return news, r.tellBrought(name, brought)
}

// tellBrought tells of lines that git brought in which the boss decides something that is not recorded.
func (r *round) tellBrought(name string, lines []session.Line) error {
	session.WeighLines(lines, r.config)
	unrecorded := 0
	for _, m := range r.ofOthers(lines) {
		if !r.decides(m) {
			continue
		}
		if _, is, err := records.Decision.Find(r.tx, session.DecisionID(m)); err != nil {
			return err
		} else if !is {
			unrecorded++
		}
	}
	if unrecorded > 0 {
		r.tell(fmt.Sprintf("nothing is recorded of what the boss says in messages of %s that are committed: %d; 'forgemind sessions show' lists it", name, unrecorded))
	}
	return nil
}

// hearBeside does with new lines of a conversation without a session what triggers do.
func (r *round) hearBeside(news []session.Line) error {
	news = slices.Clone(news)
	session.WeighLines(news, r.config)
	messages := r.ofOthers(news)
	r.askAbout(others, messages...)
	return r.hearEnd(messages)
}

// hearInSession does what hearBeside does in the active session, and with each message what is due.
func (r *round) hearInSession(news []session.Line) error {
	l, err := r.openLive()
	if err != nil {
		return err
	}
	news = slices.Clone(news)
	session.WeighLines(news, r.config)
	messages := r.ofOthers(news)
	if err := r.followNew(l, news); err != nil {
		return err
	}
	if err := r.closeLive(l); err != nil {
		return err
	}
	return r.hearEnd(messages)
}

// hearEnd does what is left to do for all messages that others added.
func (r *round) hearEnd(messages []schema.Message) error {
	r.askAboutLast(others, messages)
	r.counted.Messages += len(messages)
	if err := r.promptSaid(messages); err != nil {
		return err
	}
	return r.fireSaid()
}

// ofOthers returns the messages of lines that somebody else wrote, with a time, and without secrets.
func (r *round) ofOthers(lines []session.Line) (messages []schema.Message) {
	for _, line := range lines {
		m := *line.Message
		m.Content, _ = secret.Mask(m.Content)
		r.tellZone(m.Timestamp)
		m.Timestamp = cmp.Or(schema.AsRFC3339(m.Timestamp), schema.FormatTime(r.at))
		if session.Attribute(&m) == nil { // else it is a finding
			messages = append(messages, m)
		}
	}
	return messages
}

// followNew lets the session follow new lines of its window as if they came in one by one. If that archives it, l
// becomes the session that continues it, which has the lines behind.
func (r *round) followNew(l *live, news []session.Line) error {
	if _, err := r.hotReads(l.ID); err != nil {
		return err
	}
	uncounted := max(0, l.Count-l.known)
	if l.Torn() { // somebody is writing there: the window is not parted
		for _, line := range news {
			if err := r.followLine(l, line); err != nil {
				return err
			}
		}
		return r.dueIn(l, uncounted)
	}
	isNew := map[string]bool{}
	for _, line := range news {
		isNew[string(line.Raw)] = true
	}
	queue := l.Hold(news[0])
	for _, line := range queue {
		if session.Counts(*line.Message) && isNew[string(line.Raw)] {
			uncounted = max(0, uncounted-1)
		}
	}
	holder := l.Conversation
	for i, line := range queue {
		counts := l.TakeBack(line, queue[i+1:], l.Conversation == holder)
		if !isNew[string(line.Raw)] {
			continue
		}
		if err := r.followLine(l, line); err != nil {
			return err
		}
		if counts {
			if err := r.dueIn(l, 1+uncounted); err != nil {
				return err
			}
			uncounted = 0
		}
	}
	return nil
}

// followLine lets the hot context of a session follow a line that somebody else wrote.
func (r *round) followLine(l *live, line session.Line) error {
	for _, m := range r.ofOthers([]session.Line{line}) {
		r.askAbout(others, m)
		if err := r.follow(l.ID, m, r.heardIn(m)); err != nil {
			return err
		}
	}
	return nil
}

// closeConversations notes how this round leaves the conversations that it found or wrote: durably if
// something was done for them, for that must not be done again.
func (r *round) closeConversations() error {
	names, err := session.Conversations(r.tx)
	if err != nil {
		return err
	}
	staged := r.tx.Staged()
	for name := range staged {
		if _, known := r.talks.Of(name); known && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[1:])
	looks := r.talks
	for _, name := range slices.Backward(names) { // the live one last
		_, wrote := staged[name]
		if now, ok := r.leftAs(name, wrote); ok {
			looks = looks.With(now)
		}
		r.copyWindow(name, wrote)
	}
	return looks.Keep(r.tx, r.home, r.heard || len(r.occasions) > 0 && len(r.out.Fired) > 0)
}

// leftAs returns how this round leaves a conversation, which it wrote or not; false if nobody knows.
func (r *round) leftAs(name string, wrote bool) (session.Look, bool) {
	last, known := r.talks.Of(name)
	stamp, found := r.found[name]
	unheard := len(r.unheard[name]) > 0
	switch {
	case !wrote && r.isTooLong(name):
		return last, known
	case known && !wrote && (unheard || !found):
		return last, true
	case known && !wrote && last.Holds(stamp):
		if stamp.Written != 0 {
			last.Stamp = stamp
		}
		return last, true
	}
	if lines, added := r.tx.Appended(name); added && known && last.Holds(stamp) {
		return last.Added(lines), true
	}
	var src []byte
	err := r.tx.Try(func(*fs.Tx) (err error) { src, err = r.maybe(name); return err })
	if err != nil {
		return last, known
	}
	if wrote && src == nil { // it is another one that stands there next
		return session.Look{Stamp: fs.Stamp{Name: name}}, true
	}
	now := last.Now(src, r.unheard[name])
	if name == r.uncopied {
		now.Stamp.Size = -1
		return now, true
	}
	if found && !wrote && now.Stamp.Size == stamp.Size {
		now.Stamp = stamp
	}
	return now, true
}
