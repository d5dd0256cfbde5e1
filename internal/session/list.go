package session

import (
	"cmp"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Listed is a session as its metadata describes it, or its other files if that is missing.
type Listed struct {
	schema.SessionMetadata       // with the id of its folder
	Live                   bool  // it is the working copy's active session
	Err                    error // why the metadata could not be read; the rest is from other files
}

// List returns the sessions, latest activity first. It reads the metadata files, because the index
// may be out of date.
func List(r fs.Reader) ([]Listed, error) {
	active, err := Active(r)
	if err != nil {
		active = "" // validate reports it
	}
	var all []Listed
	seen := map[string]bool{}
	for name, err := range r.Names(fs.Sessions) {
		if err != nil {
			return nil, err
		}
		id, ok := documentOf(name)
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		all = append(all, look(r, id, active))
	}
	slices.SortStableFunc(all, func(a, b Listed) int {
		return cmp.Or(b.active().Compare(a.active()), strings.Compare(b.SessionID, a.SessionID))
	})
	return all, nil
}

// look describes the session id.
func look(r fs.Reader, id, active string) Listed {
	m, err := metadataOf(r, id)
	if err != nil {
		if errors.Is(err, iofs.ErrNotExist) {
			err = fmt.Errorf("%s is missing", MetadataFile(id))
		}
		m = DerivedMetadata(r, id)
	}
	return Listed{SessionMetadata: m, Live: id == active, Err: err}
}

// DerivedMetadata returns metadata that is derived from the other files of a session.
func DerivedMetadata(r fs.Reader, id string) schema.SessionMetadata {
	m := schema.SessionMetadata{SessionID: id}
	window, _ := r.Read(Window(id)) // an unreadable file counts as empty
	archive, _ := r.Read(ArchiveFile(id))
	n, agents := CountMessages(window, archive)
	m.MessageCount, m.Agents = schema.Int(n), agents
	var hot schema.HotContext
	if src, err := r.Read(HotContext(id)); err == nil && jsonedit.Decode(src, &hot) == nil {
		m.Started = hot.SessionStarted
	}
	var first, last time.Time
	for _, src := range [][]byte{archive, window} {
		for _, message := range Messages(Read(src)) {
			at := timeOr(message.Timestamp)
			if !at.IsZero() && (first.IsZero() || at.Before(first)) {
				first = at
			}
			if at.After(last) {
				last = at
			}
		}
	}
	if m.Started == "" && !first.IsZero() {
		m.Started = schema.FormatTime(first)
	}
	if !last.IsZero() {
		m.LastActivity = schema.FormatTime(last)
	}
	return m
}

// active returns the time of the last known activity in the session.
func (l Listed) active() time.Time {
	if at := timeOr(l.LastActivity); !at.IsZero() {
		return at
	}
	return timeOr(l.Started)
}

// timeOr parses a time. It returns the zero time if there is none.
func timeOr(text string) time.Time {
	at, _ := schema.ParseTime(text)
	return at
}

// Idle returns the ids of the sessions that are neither archived nor active here and had no
// activity for days. It leaves out sessions with unreadable metadata or without a known time.
func Idle(all []Listed, now time.Time, days int) []string {
	var ids []string
	before := now.AddDate(0, 0, -days)
	for _, l := range all {
		if at := l.active(); l.Status != Archived && !l.Live && l.Err == nil && !at.IsZero() && at.Before(before) {
			ids = append(ids, l.SessionID)
		}
	}
	return ids
}
