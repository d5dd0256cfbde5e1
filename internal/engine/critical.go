package engine

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/text"
)

// errLost refuses a transaction that would lose critical text.
var errLost = errors.New("a compaction would lose text that it must keep")

// lossError returns errLost if an action failed with it, and so refuses the
// transaction. Other failures of actions do not.
func (f Fired) lossError() error {
	for _, a := range f.Actions {
		if errors.Is(a.Err, errLost) {
			return a.Err
		}
	}
	return nil
}

// criticals are the lists whose items every compaction leaves unchanged. Decisions
// outside the conversation are checked elsewhere; see Open.
var criticals = []string{"/open_questions", "/active_goals", "/important_constraints", "/key_decisions", "/recent_decisions"}

// A critical is a text that a compaction must leave unchanged in a document.
type critical struct {
	name string
	text []byte
	line bool // text is a whole line
}

// listCritical lists the texts that the compaction of a conversation must not lose:
// open questions, goals, constraints and decisions, including decisions among its
// lines.
func (r *WorkingSet) listCritical(conversation string, decisions [][]byte) error {
	documents := []string{fs.State}
	if id, err := session.Active(r.tx); err == nil && id != "" {
		documents = append(documents, session.HotContext(id))
	}
	for _, name := range documents {
		src, err := r.tx.Read(name)
		if isMissing(err) {
			continue
		}
		if err != nil {
			return err
		}
		doc, err := jsonedit.Parse(src)
		if err != nil {
			continue // an unreadable document is not written
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

// checkCritical checks that every critical text is where it was, byte for byte.
func (r *WorkingSet) checkCritical() error {
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
			return fmt.Errorf("%s: %w: %s", c.name, errLost, text.QuoteBytes(string(c.text), 120))
		}
	}
	return nil
}

// preserveCritical is an action, the last check of a compaction.
func preserveCritical(r *WorkingSet, _ cause) error { return r.checkCritical() }

func linesOf(src []byte) map[string]bool {
	lines := map[string]bool{}
	for line := range bytes.SplitSeq(src, []byte("\n")) {
		lines[string(line)] = true
	}
	return lines
}
