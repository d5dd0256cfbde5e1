package hook

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// begin tells what is to be known at the start of a session: what a compaction
// lost, the brief, and the living documents of the projects. What the window was told
// already it is not told again.
func (r *running) begin(ctx context.Context, tree *engine.Tree, m *memory) func(*memory) {
	if r.beside {
		return nil
	}
	anew := r.payload.source == "clear"
	lost := m.Lost || r.payload.source == "compact" && (m.Compacts || r.since(m.PutBackAt) >= atOnce)
	var left *remnant
	switch source := r.payload.source; {
	case lost:
		left = r.ofTheWindow(m)
	case source == "" || source == "startup" || source == "new":
		left = r.ofTheLast()
	}
	gone := anew || lost || r.payload.source == "rewind" || r.payload.source == "resume" && !r.keepsTold()
	most := mostOpening
	if lost {
		most = mostContext
	}
	room := roomBeside(left, most)
	if m.Room > 0 && !gone { // what is the same is to look the same
		room = m.Room
	}
	told, err := r.whatHolds(ctx, tree, left, most, room)
	if err != nil {
		r.fail(err)
		if r.said() != nil {
			return nil
		}
	}
	if !gone && m.Begun == told.stamp {
		return nil
	}
	r.say(told.text())
	return func(m *memory) {
		m.PutBack = lost && !m.Lost
		if m.PutBack {
			m.CompactedAt = schema.FormatTime(r.call.Edge.Now())
		}
		r.notePutBack(m, lost)
		m.hears(told)
		if gone { // the window holds nothing else that hooks told
			m.Given = nil
		}
		if anew {
			m.Turns, m.Decided = nil, nil
		}
	}
}

// notePutBack notes in m that what a compaction lost is told, if it is. Codex says of a
// session that it compacts as it is resumed first that it is resumed, and then that it was
// compacted.
func (r *running) notePutBack(m *memory, lost bool) {
	if r.back = lost; lost {
		m.PutBackAt = schema.FormatTime(r.call.Edge.Now())
	}
}

// keepsTold reports whether the window of a session that is resumed holds what hooks told
// it before: Claude Code and Codex write that into their transcript, which they name, and opencode
// into the prompt; the Copilot CLI, which may run the hooks of Claude Code, and the Gemini CLI
// leave it out.
func (r *running) keepsTold() bool {
	switch r.call.Agent {
	case "claude", "codex":
		return r.payload.transcript != ""
	}
	return r.call.Agent == "opencode"
}

// mostOpening bounds the characters that a window which lost nothing is told at its start, to
// about half of the 3,000 tokens that hooks add to a session of ten turns.
const mostOpening = 6000

// filesRoom is the room, in characters, for the files in work, so that what else is told does
// not depend on them.
const filesRoom = 600

// An opening holds what a window is told at its start.
type opening struct {
	left  string // by a session, or by the window before; told first
	holds string // the brief and the living documents
	stamp string // identifies holds without the files in work
	room  int    // in characters, that holds was fitted into
}

func (o *opening) text() string { return o.left + o.holds }

// hears notes what the window is told.
func (m *memory) hears(o opening) {
	m.Begun, m.Room = o.stamp, o.room
	m.Lost, m.Compacts = false, false
}

// roomBeside returns how many of the characters of an opening the rest has beside left.
func roomBeside(left *remnant, most int) int {
	return most - min(units(left.tell(most, "")), leastLeft)
}

// whatHolds returns the brief, and of the living documents as much as room is left for, in
// room characters; and what is left of a session, where it is to be told, in what most
// characters leave for it.
func (r *running) whatHolds(ctx context.Context, tree *engine.Tree, left *remnant, most, room int) (told opening, err error) {
	living := livingDocuments(tree.Tree, r.records().Standing)
	need := 0
	for _, d := range living {
		need += units(d.besides(""))
	}
	b, err := query.Brief(ctx, tree.Tree, query.BriefQuery{MaxTokens: room - max(min(need, leastLiving), filesRoom), Count: units, Records: r.records(), FilesApart: true})
	if err != nil {
		err = fmt.Errorf("brief: %w", err)
	}
	masked, _ := secret.Mask(b.Text())
	text := fitting(sanitize.Text(masked), room-filesRoom) // a mask may be longer than what it masks
	var documents, files string
	for _, living := range living {
		d := living.besides(text + documents)
		if piece := cut(d, room-filesRoom-units(text+documents)-1); units(piece) > 200 || piece == d {
			documents += piece
			if piece != d {
				documents += "\n"
			}
		}
	}
	if left == nil || len(left.Files) == 0 { // else they are told with what is left
		masked, _ := secret.Mask(b.Files.Text())
		files = fitting(sanitize.Text(masked), filesRoom)
	}
	sum := sha256.Sum256([]byte(text + documents))
	if left != nil && b.Empty && len(b.Faults) == 0 { // that nothing is recorded is told where nothing else is
		text = ""
	}
	told = opening{holds: text + files + documents, stamp: hex.EncodeToString(sum[:8]), room: room}
	told.left = left.tell(most-units(told.holds), told.holds)
	return told, err
}
