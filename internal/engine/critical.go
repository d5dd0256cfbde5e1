package engine

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
)

// errLost refuses a transaction that would lose what must survive.
var errLost = errors.New("a compaction would lose what must survive it")

// criticals are the lists whose items every compaction leaves as they are.
// Decisions outside the conversation are the Gate's to hold.
var criticals = []string{"/open_questions", "/active_goals", "/important_constraints", "/key_decisions", "/recent_decisions"}

// A critical is a text that must stand in a document after a compaction as it
// stood before.
type critical struct {
	name string
	text []byte
	line bool // text is a whole line
}

// guard takes note of what the compaction of a conversation must not lose: open
// questions, goals, constraints and decisions, those among its lines as well.
func (r *round) guard(conversation string, decisions [][]byte) error {
	documents := []string{fs.State}
	if id, err := session.Active(r.tx); err == nil && id != "" {
		documents = append(documents, session.HotContext(id))
	}
	for _, name := range documents {
		src, err := r.tx.Read(name)
		if missing(err) {
			continue
		}
		if err != nil {
			return err
		}
		doc, err := jsonedit.Parse(src)
		if err != nil {
			continue // nothing is written to what cannot be read
		}
		for _, pointer := range criticals {
			if list := doc.Find(pointer); list >= 0 {
				for i := range doc.Children(list) {
					r.critical = append(r.critical, critical{name: name, text: doc.Raw(i)})
				}
			}
		}
	}
	for _, line := range decisions {
		r.critical = append(r.critical, critical{name: conversation, text: line, line: true})
	}
	return nil
}

// preserved holds that everything critical is where it was, byte for byte.
func (r *round) preserved() error {
	texts, lines := map[string][]byte{}, map[string]map[string]bool{}
	for _, c := range r.critical {
		src, known := texts[c.name]
		if !known {
			var err error
			if src, err = r.tx.Read(c.name); err != nil {
				return err
			}
			texts[c.name], lines[c.name] = src, linesOf(src)
		}
		if held := lines[c.name][string(c.text)] || !c.line && bytes.Contains(src, c.text); !held {
			return fmt.Errorf("%s: %w: %s", c.name, errLost, cut(c.text))
		}
	}
	return nil
}

// preserveCritical is the action that has the last word on a compaction.
func preserveCritical(r *round, _ *firing) error { return r.preserved() }

func linesOf(src []byte) map[string]bool {
	lines := map[string]bool{}
	for line := range bytes.SplitSeq(src, []byte("\n")) {
		lines[string(line)] = true
	}
	return lines
}

// cut shortens a text for a message.
func cut(text []byte) string {
	const most = 120
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}
