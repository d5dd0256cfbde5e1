package engine

import (
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

// A liveSession is the active Quaid session during a transaction. Nothing is staged
// before closeLive.
type liveSession struct {
	id       string
	lines    []session.Line // of the window
	archive  []byte         // as it is staged
	leaving  [][]byte       // lines for the end of the archive, in order
	fresh    [][]byte       // lines for the end of the window
	clusters bool           // similar messages are to be clustered
	cut      bool           // lines are not the staged window followed by fresh
	torn     bool           // the staged window ends in an incomplete line
	count    int            // messages of the session
	known    int            // the messages that its metadata counts
	agents   []string       // the authors of messages
	last     string         // the latest time of a message
	renew    bool           // its summary is to be updated
	about    session.MetadataChange
}

// openLive reads the active session; nil if none is active.
func (r *WorkingSet) openLive() (*liveSession, error) {
	id, err := r.liveSessionID()
	if err != nil || id == "" {
		return nil, err
	}
	l := &liveSession{id: id}
	src, err := r.readIfExists(session.MetadataFile(id))
	if err != nil {
		return nil, err
	}
	var before schema.SessionMetadata
	unknown := jsonedit.Decode(src, &before) != nil
	if !unknown {
		l.known, l.last = int(before.MessageCount), before.LastActivity
	}
	window, err := r.readIfExists(session.Window(id))
	if err != nil {
		return nil, err
	}
	if l.archive, err = r.readIfExists(session.ArchiveFile(id)); err != nil {
		return nil, err
	}
	l.lines = session.Read(window)
	_, tail := jsonedit.Tail(window)
	l.torn = tail == jsonedit.Torn
	for i := range l.lines { // a line that would be an error in the archive stays in the window
		if line := &l.lines[i]; line.Err == nil && validate.Unreadable(session.ArchiveFile(id), line.Raw) {
			line.Err = errFaulty
		}
	}
	if err := r.countLive(l, window); err != nil {
		return nil, err
	}
	if unknown && src != nil { // the metadata is unreadable: assume that nothing is due
		l.known = l.count
	}
	return l, nil
}

// countLive counts the messages of a session with the given window. If the metadata has
// more, messages were removed by hand, or expired in cold storage.
func (r *WorkingSet) countLive(l *liveSession, window []byte) (err error) {
	if l.count, l.agents, err = session.CountMessagesCached(r.tx, l.id, window, l.archive); err != nil {
		return err
	}
	out, err := r.countCompacted(l.id)
	if err != nil {
		return err
	}
	l.count += out + r.countCompactedBefore(l.id, l.lines)
	switch {
	case l.count >= l.known:
	case r.isExpired(l):
		l.count = l.known
	default:
		r.addNote(fmt.Sprintf("%s counts %d messages, but window and archive have %d: if messages were removed, git may still have them",
			session.MetadataFile(l.id), l.known, l.count))
	}
	return nil
}

// openActive is openLive, but begins a session if none is active.
func (r *WorkingSet) openActive() (*liveSession, error) {
	if _, err := r.needSession(); err != nil {
		return nil, err
	}
	return r.openLive()
}

// isExpired reports whether the chunks of a session's last compaction expired. Then
// only the metadata has the number of messages.
func (r *WorkingSet) isExpired(l *liveSession) bool {
	last, ok := session.LastCompaction(l.lines)
	if !ok {
		return false
	}
	_, err := cold.CompactionChunks(r.tx, last.Session, last.ID)
	return errors.Is(err, cold.ErrUnknown)
}

// countCompacted returns the number of messages that compactions took out of a session.
// The session's message count includes them.
func (r *WorkingSet) countCompacted(id string) (messages int, err error) {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for name, err := range r.tx.Names(path.Dir(cold.Name(home, id, "any"))) {
			if err != nil {
				return 0, err
			}
			if fs.Place(name) != fs.DocChunk {
				continue
			}
			chunks, err := cold.CompactionChunks(r.tx, id, strings.TrimSuffix(path.Base(name), ".jsonl"))
			if err != nil {
				r.addNote(err.Error())
				continue
			}
			messages += session.TookOut(chunks)
		}
	}
	return messages, nil
}

// addNote adds a note, unless there is an equal one.
func (r *WorkingSet) addNote(note string) {
	if !slices.Contains(r.out.Notes, note) {
		r.out.Notes = append(r.out.Notes, note)
	}
}

// A sessionWork holds what a transaction has done in the active session so far.
type sessionWork struct {
	settled bool            // the change updated the active session
	costs   map[string]cost // token counts of the session's documents
	raised  bool            // the version of the hot context is raised
	done    []schema.Done   // goals and actions that were completed
	removed []string        // constraints that were removed, see schema.SessionMetadata
}

// liveSessionID returns the session that gets messages, which may lack its hot context;
// "" if there is none.
func (r *WorkingSet) liveSessionID() (string, error) {
	name, err := session.Conversation(r.tx)
	if err != nil || name == fs.Messages {
		return "", err
	}
	return session.Active(r.tx)
}

// errFaulty marks a line of a window that is a message and violates the schema.
var errFaulty = errors.New("a message that violates its schema")

// readIfExists returns the content of name; nil if there is no such file.
func (r *WorkingSet) readIfExists(name string) ([]byte, error) { return readIfExists(r.tx, name) }

func readIfExists(r fs.Reader, name string) ([]byte, error) {
	src, err := r.Read(name)
	if isMissing(err) {
		return nil, nil
	}
	return src, err
}

// add appends a message to the window.
func (l *liveSession) add(raw []byte, m schema.Message) {
	l.lines = append(l.lines, session.Line{Raw: raw, Message: &m, At: len(l.lines)})
	l.fresh = append(l.fresh, raw)
	l.last = laterTime(l.last, m.Timestamp)
	if m.Agent != "" && !slices.Contains(l.agents, m.Agent) {
		l.agents = append(l.agents, m.Agent)
	}
	l.count++
}

// slide moves the oldest messages to the archive so that the window of l has at most most.
// Messages that other programs appended are rated first, so that their decisions stay.
func (r *WorkingSet) slide(l *liveSession, most int) {
	if len(l.lines) <= most {
		return
	}
	for i, line := range l.lines {
		if line.Err == nil && line.Message.Importance == nil {
			m := *line.Message // the line stays as it is
			r.rate(&m)
			l.lines[i].Message = &m
		}
	}
	l.leave(session.Slide(l.lines, most))
}

func (l *liveSession) leave(stay, leave []session.Line) {
	if len(leave) == 0 {
		return
	}
	l.lines, l.cut = stay, true
	for _, line := range leave {
		l.leaving = append(l.leaving, line.Raw)
	}
}

// messages returns all messages of the session in order of time.
func (l *liveSession) messages() []schema.Message {
	all := session.Messages(session.Read(l.archive))
	for _, raw := range l.leaving {
		all = append(all, session.Messages(session.Read(raw))...)
	}
	all = append(all, session.Messages(l.lines)...)
	session.InOrder(all)
	return all
}

// closeLive stages the changes of the session. The lines cut from the window go to the
// archive in the same transaction.
func (r *WorkingSet) closeLive(l *liveSession) error {
	if l.renew {
		if err := r.writeSummary(l); err != nil {
			return err
		}
	}
	if l.torn && len(l.fresh) > 0 { // appending saves the incomplete line; the messages to leave do so with the next message
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
		r.tx.Append(session.ArchiveFile(l.id), line)
	}
	about := l.about
	about.At, about.Messages = laterTime(about.At, l.last), l.count
	about.Agents = append(about.Agents, l.agents...)
	if err := r.describe(l.id, about); err != nil {
		return err
	}
	return r.countTokens()
}

// laterTime returns the later of two times in the format of documents.
func laterTime(a, b string) string {
	at, err := schema.ParseTime(b)
	if err != nil {
		return a
	}
	if before, err := schema.ParseTime(a); err == nil && !at.After(before) {
		return a
	}
	return b
}
