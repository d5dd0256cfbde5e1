package engine

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// A live is the active Quaid session while a round works on it.
type live struct {
	*session.Conversation
	known   int     // messages of which its metadata tells already
	gathers *firing // what gathers similar messages of it behind the last that comes in, if anything does
	renew   bool    // its summary is due
	about   session.Aboutness
}

// savepoint returns a function that makes the session what it is now. l may be nil.
func (l *live) savepoint() (back func()) {
	if l == nil {
		return func() {}
	}
	saved, talk := *l, *l.Conversation
	return func() { *l, *saved.Conversation = saved, talk }
}

// openLive reads the active session; nil where there is none.
func (r *round) openLive() (*live, error) {
	id, err := r.liveSession()
	if err != nil || id == "" {
		return nil, err
	}
	src, err := r.maybe(session.MetadataFile(id))
	if err != nil {
		return nil, err
	}
	l := &live{}
	if l.Conversation, err = session.OpenConversation(r.tx, id, r.config, func(raw []byte) error {
		if validate.Unreadable(session.ArchiveFile(id), raw) {
			return errFaulty
		}
		return nil
	}); err != nil {
		return nil, err
	}
	var before schema.SessionMetadata
	unknown := jsonedit.Decode(src, &before) != nil
	if !unknown {
		l.known, l.Last = int(before.MessageCount), before.LastActivity
	}
	out, err := r.takenOut(id)
	if err != nil {
		return nil, err
	}
	l.Count += out + r.takenOutElsewhere(id, l.Lines)
	switch {
	case l.Count >= l.known:
	case r.expired(l):
		l.Count = l.known
	default:
		r.tell(fmt.Sprintf("%s says %d messages, but window and archive hold %d: if somebody removed them, git may have them still",
			session.MetadataFile(id), l.known, l.Count))
	}
	if unknown && src != nil { // it stays as it is: what was due was done, as far as anybody knows
		l.known = l.Count
	}
	return l, nil
}

// openActive is openLive for what cannot be done without a session: where none is
// active, one begins.
func (r *round) openActive() (*live, error) {
	if _, err := r.needSession(); err != nil {
		return nil, err
	}
	return r.openLive()
}

// expired says whether what the last compaction took out of a session is past its
// time in cold storage: then its metadata alone knows how many messages it had.
func (r *round) expired(l *live) bool {
	last, ok := session.LastCompaction(l.Lines)
	if !ok {
		return false
	}
	_, err := cold.Of(r.tx, last.Session, last.ID)
	return errors.Is(err, cold.ErrUnknown)
}

// takenOut is how many messages compactions took out of a session: they count
// on.
func (r *round) takenOut(id string) (messages int, err error) {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for name, err := range r.tx.Names(path.Dir(cold.Name(home, id, "any"))) {
			if err != nil {
				return 0, err
			}
			if fs.Place(name) != fs.DocChunk {
				continue
			}
			chunks, err := cold.Of(r.tx, id, strings.TrimSuffix(path.Base(name), ".jsonl"))
			if err != nil {
				r.tell(err.Error())
				continue
			}
			messages += session.TookOut(chunks)
		}
	}
	return messages, nil
}

// tell tells people something once.
func (r *round) tell(note string) {
	if !slices.Contains(r.out.Notes, note) {
		r.out.Notes = append(r.out.Notes, note)
	}
}

// tellZone tells people once that times without a zone are read as UTC, if at is one.
func (r *round) tellZone(at string) {
	if r.memory.Zoneless || schema.HasZone(at) {
		return
	}
	if _, err := schema.ParseTime(at); err != nil {
		return
	}
	r.memory.Zoneless = true
	r.tell(fmt.Sprintf("times without a zone, such as %s, are read as UTC", at))
}

// A sessionStage holds what a round has done in the active session so far.
type sessionStage struct {
	settled    bool            // the active session is in order
	spoke      bool            // this round added messages
	costs      map[string]cost // of documents of the session
	raised     bool            // the hot context's version is risen
	done       []schema.Done   // goals and actions that were completed
	removed    []string        // constraints that were removed, see schema.SessionMetadata
	fragment   string          // that was made last
	summarised []string        // the sessions whose summaries are new
	bulk       bool            // messages of long ago come in, many at once: the window is looked at behind the last, a summary is made once a session
	whole      bool            // they are one session, however many they are
	imports    bool            // they are imported, which compacts nothing
	retold     *retelling      // the compaction whose summary is
	failing    []string        // the triggers on messages that could not be done, which are left alone
}

// liveSession is the session that messages go to, also one whose hot context is
// not there; "" where there is none.
func (r *round) liveSession() (string, error) {
	name, err := session.LiveName(r.tx)
	if err != nil || name == fs.Messages {
		return "", err
	}
	return session.Active(r.tx)
}

// errFaulty is a line of a window that reads as a message and breaks the schema.
var errFaulty = errors.New("a message that its schema refuses")

// maybe is what stands at name, nothing where there is no such file.
func (r *round) maybe(name string) ([]byte, error) {
	src, err := r.tx.Read(name)
	if missing(err) {
		return nil, nil
	}
	return src, err
}

// closeLive stages what came of the session.
func (r *round) closeLive(l *live) error {
	if l.renew {
		if err := r.writeSummary(l); err != nil {
			return err
		}
	}
	l.Close(r.tx)
	about := l.about
	about.At, about.Messages = session.Later(about.At, l.Last), l.Count
	about.Agents = append(about.Agents, l.Agents...)
	if err := r.describe(l.ID, about); err != nil {
		return err
	}
	return r.tally()
}

// describe lets a session's metadata, and its line in the index, say what about
// and its hot context say.
func (r *round) describe(id string, about session.Aboutness) error {
	hot, now, err := r.knownOf(id)
	if err != nil {
		return err
	}
	if hot.CurrentFileContext != nil {
		about.Files = hot.CurrentFileContext.Files
	}
	hot.ActiveGoals = ownGoals(hot, now)
	if first := session.Objective(hot); first != "" {
		about.Goals = append(about.Goals, first)
	}
	for _, g := range hot.ActiveGoals {
		about.Goals = append(about.Goals, g.Goal)
	}
	name := session.MetadataFile(id)
	src, err := r.maybe(name)
	if err != nil {
		return err
	}
	if src == nil {
		there := session.Traced(r.tx, id)
		about.Started, about.At = there.Started, session.Later(there.LastActivity, about.At)
	}
	text, err := session.Describe(id, src, about)
	if err != nil {
		r.tell(fmt.Sprintf("%s stays as it is, for it cannot be read: %v", name, err))
		return nil
	}
	if bytes.Equal(text, src) {
		return nil
	}
	r.tx.Write(name, text)
	return r.indexSession(text)
}

// indexSession brings the line of a session in the index up to date.
func (r *round) indexSession(metadata []byte) error {
	var now schema.SessionMetadata
	if err := jsonedit.Decode(metadata, &now); err != nil {
		return err
	}
	index, err := r.maybe(fs.SessionIndex)
	if err != nil {
		return err
	}
	if index, err = session.Indexed(r.tx, index, now); err != nil {
		return err
	}
	r.tx.Write(fs.SessionIndex, index)
	return nil
}

// keepSession brings the active session in order after a change of its hot
// context, or of its history by others.
func (r *round) keepSession() error {
	id, err := r.liveSession()
	if err != nil || id == "" || r.settled || len(r.unheard[session.Window(id)]) > 0 || r.uncopied == session.Window(id) {
		return err
	}
	_, counted := session.ReadTally(r.tree.Tree)
	if _, added := r.tx.Appended(session.Window(id)); added { // by this round, which saw to what was due
		counted = true
	}
	if counted && !r.raised && len(r.done) == 0 && len(r.removed) == 0 {
		return nil
	}
	r.settled = true
	about := session.Aboutness{Messages: session.AsItIs, Done: r.done, Removed: r.removed}
	if r.raised {
		about.At = schema.FormatTime(r.at)
		if r.event.Agent != "" && !r.spoke { // who spoke may have spoken in the session before
			about.Agents = []string{r.event.Agent}
		}
	}
	if counted {
		return r.describe(id, about)
	}
	l, err := r.openLive()
	if err != nil {
		return err
	}
	l.about = about
	if err = r.dueIn(l, l.Count-l.known); err != nil {
		return err
	}
	return r.closeLive(l)
}
