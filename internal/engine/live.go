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

// A live is the active Quaid session while a round works on it. Nothing of it is
// staged before close.
type live struct {
	id       string
	lines    []session.Line   // of the window
	archive  []byte           // as it is staged
	past     []schema.Message // of archive, once they were read
	leaving  []session.Line   // for the end of the archive, in order
	fresh    [][]byte         // lines for the end of the window
	held     []session.Line   // lines of the window that are to come in only now; see followNew
	clusters bool             // similar messages of it are to be gathered
	cut      bool             // lines is another window than the staged one with fresh behind it
	torn     bool             // the staged window ends in a piece of a line
	count    int              // messages of the session
	known    int              // of which its metadata tells already
	agents   []string         // who spoke
	last     string           // the latest time of a message
	renew    bool             // its summary is due
	about    session.Aboutness
}

// openLive reads the active session; nil where there is none.
func (r *round) openLive() (*live, error) {
	id, err := r.liveSession()
	if err != nil || id == "" {
		return nil, err
	}
	l := &live{id: id}
	src, err := r.maybe(session.MetadataFile(id))
	if err != nil {
		return nil, err
	}
	var before schema.SessionMetadata
	unknown := jsonedit.Decode(src, &before) != nil
	if !unknown {
		l.known, l.last = int(before.MessageCount), before.LastActivity
	}
	window, err := r.maybe(session.Window(id))
	if err != nil {
		return nil, err
	}
	if l.archive, err = r.maybe(session.ArchiveFile(id)); err != nil {
		return nil, err
	}
	l.lines = session.Read(window)
	_, tail := jsonedit.Tail(window)
	l.torn = tail == jsonedit.Torn
	for i := range l.lines { // what the archive cannot have stays where it is
		line := &l.lines[i]
		switch {
		case line.Err != nil:
		case len(line.Raw) > fs.MaxRecord:
			line.Err = fmt.Errorf("%w: a message of %d bytes", fs.ErrTooLarge, len(line.Raw))
		case validate.Unreadable(session.ArchiveFile(id), line.Raw):
			line.Err = errFaulty
		}
	}
	session.WeighLines(l.lines, r.config)
	if l.count, l.agents, err = session.ToldKept(r.tx, id, window, l.archive); err != nil {
		return nil, err
	}
	out, err := r.takenOut(id)
	if err != nil {
		return nil, err
	}
	l.count += out + r.takenOutElsewhere(id, l.lines)
	switch {
	case l.count >= l.known:
	case r.expired(l):
		l.count = l.known
	default:
		r.tell(fmt.Sprintf("%s says %d messages, but window and archive hold %d: if somebody removed them, git may have them still",
			session.MetadataFile(id), l.known, l.count))
	}
	if unknown && src != nil { // it stays as it is: what was due was done, as far as anybody knows
		l.known = l.count
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
	last, ok := session.LastCompaction(l.lines)
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
}

// liveSession is the session that messages go to, also one whose hot context is
// not there; "" where there is none.
func (r *round) liveSession() (string, error) {
	name, err := session.Conversation(r.tx)
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

// add puts a message at the end of the window.
func (l *live) add(raw []byte, m schema.Message) {
	l.lines = append(l.lines, session.Line{Raw: raw, Message: &m, At: len(l.lines)})
	l.fresh = append(l.fresh, raw)
	l.last = session.Later(l.last, m.Timestamp)
	if agent := session.Speaker(m); agent != "" && !slices.Contains(l.agents, agent) {
		l.agents = append(l.agents, agent)
	}
	l.count++
}

// slide lets what the window has no room for go to the archive.
func (l *live) slide(most int) { l.leave(session.Slide(l.lines, most, nil)) }

func (l *live) leave(stay, leave []session.Line) {
	if len(leave) == 0 {
		return
	}
	l.lines, l.cut = stay, true
	l.leaving = append(l.leaving, leave...)
}

// messagesOf are all of the session's that were not taken back, in order of time.
func (r *round) messagesOf(l *live) []schema.Message {
	if l.past == nil {
		l.past = session.Weighed(session.Read(l.archive), r.config)
	}
	all := slices.Concat(l.past, session.Messages(l.leaving), session.Messages(l.lines))
	session.InOrder(all)
	return session.Standing(all)
}

// closeLive stages what came of the session. Copied out to the archive is what
// is cut from the window, in one transaction.
func (r *round) closeLive(l *live) error {
	if l.renew {
		if err := r.writeSummary(l); err != nil {
			return err
		}
	}
	l.cut = l.cut || len(l.held) > 0
	if l.torn && len(l.fresh) > 0 { // adding keeps the piece aside; what is to leave leaves with the next message
		l.cut, l.leaving = false, nil
	}
	if l.cut {
		var window []byte
		for _, line := range l.lines {
			window = append(append(window, line.Raw...), '\n')
		}
		if l.torn {
			window = window[:len(window)-1]
		}
		r.tx.Write(session.Window(l.id), window)
	} else {
		for _, line := range l.fresh {
			r.tx.Append(session.Window(l.id), line)
		}
	}
	for _, line := range l.leaving {
		r.tx.Append(session.ArchiveFile(l.id), line.Raw)
	}
	about := l.about
	about.At, about.Messages = session.Later(about.At, l.last), l.count
	about.Agents = append(about.Agents, l.agents...)
	if err := r.describe(l.id, about); err != nil {
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
	if err != nil || id == "" || r.settled || len(r.unheard[session.Window(id)]) > 0 {
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
	if l, err = r.dueIn(l, l.count-l.known); err != nil {
		return err
	}
	return r.closeLive(l)
}
