package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A memory holds what hooks remember of one session in `.local/`. If it is lost, more than necessary
// is read or repeated, and nothing else.
type memory struct {
	Version int     `json:"version"`
	Session string  `json:"session,omitzero"`
	Since   string  `json:"since,omitzero"` // time of its first event
	Last    arrival `json:"last,omitzero"`
	progress
	Files   []string `json:"files,omitzero"`    // files that were touched, newest last
	Turns   []turn   `json:"turns,omitzero"`    // the user's requests, newest last
	Decided []string `json:"decided,omitzero"`  // decisions in the words of the messages, newest last
	Given   []string `json:"given,omitzero"`    // ids of what the agent was given
	Begun   string   `json:"begun,omitzero"`    // hash of the text at the start of the session
	BegunAt string   `json:"begun_at,omitzero"` // time when the agent got it
	Lost    bool     `json:"lost,omitzero"`     // the agent compacted its window and got no text since
	PutBack bool     `json:"put_back,omitzero"` // the agent got the lost text before the end of the compaction was reported
	// CompactedAt is the time of the last compaction of the agent's window, or "".
	CompactedAt string `json:"compacted_at,omitzero"`
	// Snapshot is a hash of the summary of the last compaction in the transcript.
	Snapshot string `json:"snapshot,omitzero"`
	// Unsaid holds messages that are not in the tree yet, of agents without a transcript that we
	// can read.
	Unsaid []schema.Message `json:"unsaid,omitzero"`
	At     string           `json:"at,omitzero"`    // time of the user's last request
	Ended  bool             `json:"ended,omitzero"` // the session has ended
}

const (
	mostFiles  = 50
	mostGiven  = 200
	mostUnsaid = 50
	longUnsaid = 64 << 10 // bytes of one of them
)

// A progress is the imported part of a transcript.
type progress struct {
	Transcript string `json:"transcript,omitzero"`
	Head       string `json:"head,omitzero"` // hash of its beginning
	Offset     int64  `json:"offset,omitzero"`
	Tried      int    `json:"tried,omitzero"` // number of unfinished attempts to import what follows
	Away       bool   `json:"away,omitzero"`  // at this point the agent works in another tree
}

// An arrival identifies the last event.
type arrival struct {
	At    string `json:"at"`
	Stamp string `json:"stamp"` // identifies the event
}

// errForgetful reports that there is no place to store a memory.
var errForgetful = errors.New("there is no place to store the session's memory")

// remembers reports whether there can be a memory of a session. There is none without an id, because
// several sessions may have no id.
func (k hookMemory) remembers(session string) bool { return len(k.key) > 0 && session != "" }

// slot returns the name of a session's memory. It does not depend on the agent, because some agents
// run the hooks of others.
func (k hookMemory) slot(session string) string {
	sum := sha256.Sum256([]byte(session))
	return fs.LocalName(folderOf(k.tree), slotPrefix+hex.EncodeToString(sum[:8])+".json")
}

const slotPrefix = "hook-s-"

// recall reads the memory of a session, or returns a new one if there is none. If there is an
// error, the memory must not be overwritten.
func (k hookMemory) recall(session string) (memory, error) {
	m, ok, err := k.read(k.slot(session))
	if ok && m.Session == session && session != "" {
		return m, nil
	}
	return memory{Version: 1, Session: session}, err
}

// read reads the memory at name. It reports false if there is none with our seal.
func (k hookMemory) read(name string) (m memory, ok bool, err error) {
	src, err := k.get(name)
	return m, src != nil && jsonedit.Decode(src, &m) == nil && m.Version == 1, err
}

// remember changes the memory of a session. It takes a lock so that concurrent hooks do not
// overwrite each other's changes; if the lock is not available, it continues without. The write is
// not synced, because an agent is waiting.
func (k hookMemory) remember(ctx context.Context, session string, change func(*memory)) error {
	if !k.remembers(session) {
		return errForgetful
	}
	kept := false
	edit := func(*fs.Tx) error {
		m, err := k.recall(session)
		if err != nil {
			return err
		}
		change(&m)
		m.Files = last(m.Files, mostFiles)
		m.Decided = last(m.Decided, mostDecided)
		m.Given = last(m.Given, mostGiven)
		m.Unsaid = last(m.Unsaid, mostUnsaid)
		err = k.keep(m)
		kept = err == nil
		return err
	}
	if _, err := k.tree.Transaction(ctx, edit); err != nil && !kept {
		return edit(nil)
	}
	return nil
}

// keep writes a memory.
func (k hookMemory) keep(m memory) error {
	text, err := jsonedit.Marshal(m)
	if err != nil {
		return err
	}
	return k.put(k.slot(m.Session), text)
}

// keepPlace stores the progress of a transcript without a lock. Concurrent changes may be lost.
func (k hookMemory) keepPlace(m *memory) {
	if k.remembers(m.Session) {
		if now, err := k.recall(m.Session); err == nil {
			now.progress = m.progress
			_ = k.keep(now)
		}
	}
}

// last returns the last most elements of a list.
func last[T any](list []T, most int) []T { return list[max(0, len(list)-most):] }

// again appends items to a list and removes earlier duplicates.
func again(list []string, items ...string) []string {
	for _, item := range items {
		list = append(slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == item }), item)
	}
	return list
}
