package hook

import (
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A latest names the session of the last request in a working copy, and its agent.
type latest struct {
	Version int    `json:"version"`
	Agent   string `json:"agent"`
	Session string `json:"session"`
}

const (
	latestFile = "hook-latest.json"
	mostLeft   = 2000 // characters of the remnant of the former session
	leftFiles  = 10
	leftTurns  = 4
	leftSaid   = 5
)

func latestName(tree *fs.Tree) string { return fs.LocalName(folderOf(tree), latestFile) }

func (k hookMemory) readLatest() (l latest) {
	src, err := k.get(latestName(k.tree))
	if err != nil || src == nil || jsonedit.Decode(src, &l) != nil || l.Version != 1 {
		return latest{}
	}
	return l
}

// markLatest records that this session had the last request. If that fails, only the next session
// gets less text.
func (r *hookCall) markLatest() {
	now := latest{1, r.call.Agent, r.payload.session}
	if now.Session == "" || r.memories.readLatest() == now {
		return
	}
	if text, err := jsonedit.Marshal(now); err == nil {
		_ = r.memories.put(latestName(r.memories.tree), text)
	}
}

// ofTheLast returns a short remnant of the former session, so that a new session can continue it, or
// nil.
func (r *hookCall) ofTheLast() *sessionHint {
	l := r.memories.readLatest()
	if l.Session == "" || l.Session == r.payload.session {
		return nil
	}
	m, err := r.memories.recall(l.Session)
	if err != nil || len(m.Turns) == 0 {
		return nil
	}
	m.Turns = slices.Concat(m.Turns[:1], last(m.Turns[1:], leftTurns-1))
	m.Files, m.Decided = last(m.Files, leftFiles), last(m.Decided, leftSaid)
	about := oneLine(l.Agent, 40)
	if at, err := schema.ParseTime(m.At); err == nil {
		about += ", " + at.UTC().Format("2006-01-02 15:04") + " UTC"
	}
	if !m.Ended {
		about += "; it may still go on"
	}
	return &sessionHint{m, "# What the session before this left (" + about + ")\n", mostLeft}
}
