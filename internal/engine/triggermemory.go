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

// triggerMemory records the values that triggers have acted on. It is stored in
// `.local/` and written in the same transaction as the effects, so that no effect
// happens twice.
type triggerMemory struct {
	Version int  `json:"version"`
	Known   bool `json:"known"` // Layer is set
	Layer   int  `json:"layer"`
	triggers.Record
	// Mark is the State's mark after the last transaction of this copy.
	Mark stateMark `json:"mark"`
	// Begun holds the project's values at the beginning of the State's session.
	Begun state.SessionStart `json:"begun"`
	// Fired holds the last time of each trigger's firing in this copy, UTC.
	Fired map[string]time.Time `json:"fired,omitempty"`
	// Floor is the usage of the window after the session's last compaction, in percent; 0
	// if there was none.
	Floor float64 `json:"floor,omitempty"`
	// TalkFloor is the usage of the window after the active session's last emergency
	// compaction, in percent; 0 if there is none.
	TalkFloor float64 `json:"talk_floor,omitempty"`

	// Emergency says that an emergency compaction was needed in the State's session; "" if none
	// was.
	Emergency string `json:"emergency,omitempty"`

	// Counts holds the number of messages of the active session when its triggers were due.
	Counts messageCounts `json:"counts,omitzero"`

	stored []byte // the stored text
}

// readMemory reads the memory. An unreadable memory is an empty one: the present values
// then count as acted on.
func readMemory(r fs.Reader) (triggerMemory, error) {
	var m triggerMemory
	home, err := Home(r)
	if err != nil {
		return m, err
	}
	for _, folder := range []string{home, fs.Quaid} { // the former home, if .forgemind was added to a Quaid tree
		src, err := r.Read(fs.LocalName(folder, fs.ActedFile))
		if isMissing(err) {
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

// markFired records when a trigger fired.
func (m *triggerMemory) markFired(trigger string, at time.Time) {
	m.Fired = maps.Clone(m.Fired)
	if m.Fired == nil {
		m.Fired = map[string]time.Time{}
	}
	m.Fired[trigger] = at
}

// markBeginning records the project's values at the beginning of a new session: those
// before this transaction or, if the transaction began the session, the present ones.
func (m *triggerMemory) markBeginning(before *triggers.Values, now triggers.Values) {
	if now.SessionID == m.Begun.Session {
		return
	}
	if before != nil && before.SessionID == now.SessionID {
		now = *before
	}
	m.Begun = state.SessionStart{Session: now.SessionID, Layer: now.Layer, Clarity: now.Clarity}
}

// save stages the memory if it differs from the stored one.
func (m triggerMemory) save(tx *fs.Tx) error {
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

// Home returns the folder of shared documents: .forgemind if it exists, else .quaid. If
// it cannot tell, it returns an error.
func Home(r fs.Reader) (string, error) {
	for _, err := range r.Names(fs.Forgemind) {
		return fs.Forgemind, err
	}
	return fs.Quaid, nil
}

// saveCounters stores the counters. Losing a count in a crash is harmless.
func saveCounters(tx *fs.Tx, c state.Counters) error {
	text, err := jsonedit.Marshal(c)
	if err != nil {
		return fmt.Errorf("keep counters: %w", err)
	}
	tx.WriteLocal(fs.LocalName(fs.Forgemind, fs.CountersFile), text)
	return nil
}
