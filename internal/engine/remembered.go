package engine

import (
	"bytes"
	"fmt"
	"maps"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/triggers"
)

// remembered is what was last acted on. It stands in `.local/` and is written in
// the same transaction as the effects, so that nothing is done twice.
type remembered struct {
	Version int  `json:"version"`
	Known   bool `json:"known"` // Layer was seen
	Layer   int  `json:"layer"`
	triggers.Record
	// Begun is how the project stood when the State's session began.
	Begun state.Begun `json:"begun"`
	// Fired says when a trigger fired last in this copy, UTC.
	Fired map[string]time.Time `json:"fired,omitempty"`
	// Floor is at how many percent of the window the session's last compaction
	// ended; 0: there was none.
	Floor float64 `json:"floor,omitempty"`
	// TalkFloor is at how many percent of the window the active session's last
	// emergency compaction ended; 0: none holds.
	TalkFloor float64 `json:"talk_floor,omitempty"`
	// Compacted is when the conversation was compacted last in this copy, UTC.
	Compacted time.Time `json:"compacted,omitzero"`

	// Looks says that whoever wrote this notes which decisions it acted on; see acted.Set.
	Looks bool `json:"looks,omitempty"`

	// Zoneless says that people were told how times without a zone are read.
	Zoneless bool `json:"zoneless,omitempty"`

	// Counts are how many messages the active session had when its triggers were due.
	Counts counts `json:"counts,omitzero"`

	stored []byte // as it was read
}

// recollect reads the memory. One that cannot be read is as good as none: what
// is there now then counts as seen.
func recollect(r fs.Reader) (remembered, error) {
	var m remembered
	home, err := Home(r)
	if err != nil {
		return m, err
	}
	for _, folder := range []string{home, fs.Quaid} { // the home of a tree to which another was added
		src, err := r.Read(fs.LocalName(folder, fs.ActedFile))
		if missing(err) {
			continue
		}
		if err != nil {
			return m, err
		}
		read := m
		if jsonedit.Decode(src, &read) == nil && read.Version == 1 {
			m = read
		}
		if folder == home {
			m.stored = src
		}
		break
	}
	return m, nil
}

// fired notes when a trigger fired.
func (m *remembered) fired(trigger string, at time.Time) {
	m.Fired = maps.Clone(m.Fired)
	if m.Fired == nil {
		m.Fired = map[string]time.Time{}
	}
	m.Fired[trigger] = at
}

// begins notes how the project stood when a session began that is not known yet:
// as before this round, or where the round began it, as it is now.
func (m *remembered) begins(before *triggers.Values, now triggers.Values) {
	if now.SessionID == m.Begun.Session {
		return
	}
	if before != nil && before.SessionID == now.SessionID {
		now = *before
	}
	m.Begun = state.Begun{Session: now.SessionID, Layer: now.Layer, Clarity: now.Clarity}
}

// save stages the memory where it differs from what is stored.
func (m remembered) save(tx *fs.Tx) error {
	m.Version = 1
	text, err := jsonedit.Marshal(m)
	if err != nil {
		return fmt.Errorf("remember what was acted on: %w", err)
	}
	if !bytes.Equal(text, m.stored) {
		home, err := Home(tx)
		if err != nil {
			return err
		}
		tx.Write(fs.LocalName(home, fs.ActedFile), text)
	}
	return nil
}

// Home returns the folder that shared documents go to: .forgemind where it is there,
// else .quaid. What cannot be seen is not taken for what is not there.
func Home(r fs.Reader) (string, error) {
	for _, err := range r.Names(fs.Forgemind) {
		return fs.Forgemind, err
	}
	return fs.Quaid, nil
}

// saveCounters keeps what was counted. A count lost in a crash is no harm.
func saveCounters(tx *fs.Tx, c state.Counters) error {
	text, err := jsonedit.Marshal(c)
	if err != nil {
		return fmt.Errorf("keep counters: %w", err)
	}
	tx.Jot(fs.LocalName(fs.Forgemind, fs.CountersFile), text)
	return nil
}
