package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A memory is what hooks remember of one session, in `.local/`. All of it may be
// lost: then more is read, or said, than needs to be.
type memory struct {
	Version int     `json:"version"`
	Session string  `json:"session,omitzero"`
	Since   string  `json:"since,omitzero"` // when its first event came in
	Last    arrival `json:"last,omitzero"`
	Before  arrival `json:"before,omitzero"` // of a start and the prompt beside it, the one that came in first
	progress
	Files    []string `json:"files,omitzero"`    // that were touched, the newest last
	Turns    []turn   `json:"turns,omitzero"`    // what the user asked, the newest last
	Decided  []string `json:"decided,omitzero"`  // what was decided, as it was said, the newest last
	Given    []string `json:"given,omitzero"`    // ids of what the window was given
	Below    []string `json:"below,omitzero"`    // the same of subagents' windows
	Begun    string   `json:"begun,omitzero"`    // identifies what the window was told at its start
	Room     int      `json:"room,omitzero"`     // in characters, that this was fitted into
	Compacts bool     `json:"compacts,omitzero"` // the agent is about to compact its window, or did, and was told nothing since
	Lost     bool     `json:"lost,omitzero"`     // the agent compacted its window, and was told nothing since
	PutBack  bool     `json:"put_back,omitzero"` // what that lost was told before it was said that it is done
	// CompactedAt is when the agent compacted its window last; "" if it never did.
	CompactedAt string `json:"compacted_at,omitzero"`
	// Putting is the event whose hook began to tell what a compaction lost.
	Putting arrival `json:"putting,omitzero"`
	// PutBackAt is when what a compaction lost was told last.
	PutBackAt string `json:"put_back_at,omitzero"`
	// Snapshot stands for the summary of the last compaction that a transcript tells of.
	Snapshot string `json:"snapshot,omitzero"`
	// Unsaid are messages of agents that write no transcript that we know, until they
	// are taken into the tree.
	Unsaid []schema.Message `json:"unsaid,omitzero"`
	Tasks  []string         `json:"tasks,omitzero"`  // of subagents, since the last prompt, the latest last
	Spent  spent            `json:"spent,omitzero"`  // on what the agent was told
	Failed []failing        `json:"failed,omitzero"` // commands that failed, the newest last
	At     string           `json:"at,omitzero"`     // when the user asked last
	Ended  bool             `json:"ended,omitzero"`  // the session is over
}

const (
	mostFiles  = 50
	mostGiven  = 200
	mostUnsaid = 50
	longUnsaid = 64 << 10 // bytes of one of them
)

// A progress is up to where a transcript was taken in.
type progress struct {
	Transcript string `json:"transcript,omitzero"` // a path; the file may not be there yet
	Named      bool   `json:"named,omitzero"`      // whoever ran the session's hooks named the tree
	Pending    string `json:"pending,omitzero"`    // time of the session's last event; "" once nothing more is expected in the transcript
	Head       string `json:"head,omitzero"`       // stands for how it begins
	Offset     int64  `json:"offset,omitzero"`
	Tried      int    `json:"tried,omitzero"` // how often what follows was begun and not done
	Away       bool   `json:"away,omitzero"`  // there the agent works in another tree
}

// same reports whether p and q are at the same place of the same transcript.
func (p progress) same(q progress) bool {
	return p.Transcript == q.Transcript && p.Head == q.Head && p.Offset == q.Offset
}

// expect notes the transcript that the call's event names, if it names one, and that more is
// expected there. What names one while a tool works may be a subagent. At the start of a session
// that it resumes, the Gemini CLI names a file of that minute, and goes on in the earlier one.
func (p *progress) expect(r *running) {
	if p.Transcript != "" && r.call.Agent == "gemini" && r.at == begins {
		return
	}
	if file := r.payload.transcript; r.payload.subagent == "" && !slices.Contains([]moment{working, worked, failed, delegated}, r.at) && filepath.IsAbs(file) && p.Transcript != filepath.Clean(file) {
		*p = progress{Transcript: filepath.Clean(file)}
	}
	if p.Transcript != "" {
		p.Named, p.Pending = r.call.Tree != "", schema.FormatTime(r.call.Edge.Now())
	}
}

// An arrival is an event that came in.
type arrival struct {
	At    string `json:"at"`
	Stamp string `json:"stamp"` // stands for what it said
	// Beside is begins or prompted for what may come in beside the other; "" for the rest.
	Beside moment `json:"beside,omitzero"`
}

// came notes an event, and reports whether it came in within atOnce before: an agent that
// runs the hooks of another besides its own runs both at once, and those of a session's start
// beside those of its first prompt.
func (m *memory) came(now arrival, since func(string) time.Duration) (twice bool) {
	for _, a := range []arrival{m.Last, m.Before} {
		twice = twice || a.Stamp == now.Stamp && since(a.At) < atOnce
	}
	if now.Beside == "" || m.Last.Beside == "" {
		m.Before = arrival{}
	} else if now.Beside != m.Last.Beside {
		m.Before = m.Last
	}
	m.Last = now
	return twice
}

// forgetBelow forgets what the window of a subagent was told.
func (m *memory) forgetBelow(subagent string) {
	m.Below = slices.DeleteFunc(m.Below, func(mark string) bool { return strings.HasSuffix(mark, " in "+subagent) })
}

// errForgetful says that nothing is remembered.
var errForgetful = errors.New("there is nowhere to remember it")

// remembers says whether something is remembered of a session: nothing is of what may
// be several, for the agent does not say which.
func (k memories) remembers(session string) bool { return len(k.key) > 0 && session != "" }

// slot is the name of a session's memory, whatever agent is named: some run the hooks
// of others besides their own.
func (k memories) slot(session string) string {
	sum := sha256.Sum256([]byte(session))
	return fs.LocalName(folderOf(k.tree), slotPrefix+hex.EncodeToString(sum[:8])+".json")
}

const slotPrefix = "hook-s-"

// recall reads the memory of a session; a fresh one where there is none. Where the
// system does not give it, the error says so, and nothing must be written over it.
func (k memories) recall(session string) (memory, error) {
	m, ok, err := k.read(k.slot(session))
	if ok && m.Session == session && session != "" {
		return m, nil
	}
	return memory{Version: 1, Session: session}, err
}

// read reads the memory that stands at name, if there is one that we wrote.
func (k memories) read(name string) (m memory, ok bool, err error) {
	src, err := k.get(name)
	return m, src != nil && jsonedit.Decode(src, &m) == nil && m.Version == 1, err
}

// remember changes the memory of a session, under the lock, so that hooks that run
// at once lose nothing of each other; without it where it is not to be had. It is
// not made durable: an agent waits.
func (k memories) remember(ctx context.Context, session string, change func(*memory)) error {
	if kept, err := k.change(ctx, session, change); kept || errors.Is(err, errForgetful) {
		return err
	}
	return k.rewrite(session, change)
}

// change changes the memory of a session under the lock, and reports whether it is kept.
func (k memories) change(ctx context.Context, session string, change func(*memory)) (kept bool, err error) {
	if !k.remembers(session) {
		return false, errForgetful
	}
	_, err = k.tree.Transaction(ctx, func(*fs.Tx) error {
		err := k.rewrite(session, change)
		kept = err == nil
		return err
	})
	if kept {
		return true, nil
	}
	return false, err
}

// rewrite changes the memory of a session, within its bounds.
func (k memories) rewrite(session string, change func(*memory)) error {
	m, err := k.recall(session)
	if err != nil {
		return err
	}
	change(&m)
	m.Files = last(m.Files, mostFiles)
	m.Decided = last(m.Decided, mostDecided)
	m.Given, m.Below = last(m.Given, mostGiven), last(m.Below, mostGiven)
	m.Unsaid = last(m.Unsaid, mostUnsaid)
	return k.keep(m)
}

// keep writes a memory.
func (k memories) keep(m memory) error {
	text, err := jsonedit.Marshal(m)
	if err != nil {
		return err
	}
	return k.put(k.slot(m.Session), text)
}

// last keeps the last of a list.
func last[T any](list []T, most int) []T { return list[max(0, len(list)-most):] }

// again puts items at the end of a list, each once.
func again(list []string, items ...string) []string {
	for _, item := range items {
		list = append(slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == item }), item)
	}
	return list
}
