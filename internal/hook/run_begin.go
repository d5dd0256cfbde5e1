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
	anew := r.payload.source == "clear"
	lost := m.Lost || r.payload.source == "compact" && (m.Compacts || !r.justCompacted(m))
	var left *remnant
	switch source := r.payload.source; {
	case lost:
		left = ofTheWindow(m)
	case source == "" || source == "startup" || source == "new":
		left = r.ofTheLast()
	}
	gone := anew || lost || r.payload.source == "resume" && !r.keepsTold()
	room := roomBeside(left, mostContext)
	if m.Begun != "" && !gone { // what is the same is to look the same
		room = m.Room
	}
	told, err := r.whatHolds(ctx, tree, left, mostContext, room)
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
		m.hears(told)
		if gone { // the window holds nothing else that hooks told
			m.Given = nil
		}
		if m.PutBack {
			m.CompactedAt = schema.FormatTime(r.call.Edge.Now())
		}
		if anew {
			m.Turns, m.Decided = nil, nil
		}
	}
}

// justCompacted reports whether the window was compacted a moment ago. Codex says so when
// the session is resumed, and once more.
func (r *running) justCompacted(m *memory) bool {
	return m.CompactedAt != "" && r.since(m.CompactedAt) < atOnce
}

// keepsTold reports whether the window of a session that is resumed holds what hooks told
// it before: Claude Code and Codex write that into their transcript, which they name; the
// Copilot CLI, which may run the hooks of Claude Code, and the Gemini CLI leave it out.
func (r *running) keepsTold() bool {
	return (r.call.Agent == "claude" || r.call.Agent == "codex") && r.payload.transcript != ""
}

// An opening is what a window is told at its start.
type opening struct {
	left  string // by a session, or by the window before; told first
	holds string // the brief and the living documents
	stamp string // stands for holds, but for the files in work
	room  int    // characters that holds had
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
	living := livingDocuments(tree.Tree)
	need := 0
	for _, d := range living {
		need += units(d.besides(""))
	}
	b, err := query.Brief(ctx, tree.Tree, query.BriefQuery{MaxTokens: room - min(need, leastLiving), Count: units})
	if err != nil {
		err = fmt.Errorf("brief: %w", err)
	}
	lasting := b
	withoutFiles(&lasting.Next)
	if left != nil && len(left.Files) > 0 {
		b = lasting
	}
	var text, documents string
	if left == nil || !b.Empty || len(b.Faults) > 0 { // that nothing is recorded is told where nothing else is
		masked, _ := secret.Mask(b.Text())
		text = cut(sanitize.Text(masked), room) // a mask may be longer than what it masks
	}
	for _, living := range living {
		d := living.besides(text + documents)
		if piece := cut(d, room-units(text+documents)-1); units(piece) > 200 || piece == d {
			documents += piece
			if piece != d {
				documents += "\n"
			}
		}
	}
	sum := sha256.Sum256([]byte(lasting.Text() + documents))
	told = opening{holds: text + documents, stamp: hex.EncodeToString(sum[:8]), room: room}
	told.left = left.tell(most-units(told.holds), told.holds)
	return told, err
}
