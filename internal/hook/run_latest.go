package hook

import (
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A latest says which session of which agent asked last in a working copy.
type latest struct {
	Version int    `json:"version"`
	Agent   string `json:"agent"`
	Session string `json:"session"`
}

const (
	latestFile = "hook-latest.json"
	mostLeft   = 2000 // characters of what the session before left
	leftFiles  = 10
	leftTurns  = 4
	leftSaid   = 5
)

func latestName(tree *fs.Tree) string { return fs.LocalName(folderOf(tree), latestFile) }

func (k memories) readLatest() (l latest) {
	src, err := k.get(latestName(k.tree))
	if err != nil || src == nil || jsonedit.Decode(src, &l) != nil || l.Version != 1 {
		return latest{}
	}
	return l
}

// markLatest notes that this session asks. Without the note the next session is told
// less, that is all.
func (r *running) markLatest() {
	now := latest{1, r.call.Agent, r.payload.session}
	if now.Session == "" || r.memories.readLatest() == now {
		return
	}
	if text, err := jsonedit.Marshal(now); err == nil {
		_ = r.memories.put(latestName(r.memories.tree), text)
	}
}

// ofTheLast is what the session before this one left, in short, so that who begins
// goes on with what was there; nil for nothing.
func (r *running) ofTheLast() *remnant {
	return r.memories.leftBy(r.memories.readLatest(), "What the session before this left", r.payload.session, r.records().Standing)
}

// LastSession returns what the agent's session that asked last in a tree left, in short:
// what was asked, which files were touched, and decisions that are in no record. state is
// the folder in which hooks keep their key; what stands in told is not repeated. It is ""
// where hooks remember nothing.
func LastSession(tree *fs.Tree, state, told string) string {
	key, err := keyIn(state)
	if err != nil || key == nil {
		return ""
	}
	k := memories{tree, key}
	return k.leftBy(k.readLatest(), "What the last session left", "", engine.StandingOf(tree)).tell(mostLeft, told)
}

// leftBy returns what the session that l names left, under a title; nil for nothing, and
// for the session now.
func (k memories) leftBy(l latest, title, now string, standing schema.Standing) *remnant {
	if l.Session == "" || l.Session == now {
		return nil
	}
	m, err := k.recall(l.Session)
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
	return &remnant{m, standing, "# " + title + " (" + about + ")\n", mostLeft}
}
