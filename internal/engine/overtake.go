package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/schema"
)

// overtake tells everybody who may rely on what decisions supersede that it holds no more: its
// condensation is unpinned, and the notes that tell of it tell of its successor as well.
// A note that is no note is left alone, and told.
func (r *round) overtake(all []schema.Decision) error {
	all = slices.Clone(all)
	for i := range all {
		r.mask(&all[i].Decision, &all[i].Rationale) // another program may have recorded it
	}
	if err := r.unpin(all); err != nil {
		return err
	}
	notes, err := memory.Notes(r.tx, nil)
	if err != nil {
		return err
	}
	for _, name := range notes {
		src, err := r.tx.Read(name)
		switch {
		case err == nil:
		case missing(err):
			continue
		case errors.Is(err, fs.ErrIrregular), errors.Is(err, fs.ErrTooLarge):
			r.tell(err.Error())
			continue
		default:
			return err
		}
		for _, d := range all {
			r.noteSuccessor(name, src, d)
		}
	}
	return nil
}

// unpin unpins the condensations of what decisions supersede. Of a proposal that one of them accepts they stay
// pinned, and notes tell of it.
func (r *round) unpin(all []schema.Decision) error {
	condensations, _, err := condense.Condensations(r.tx)
	if err != nil {
		return err
	}
	if len(condensations) == 0 {
		return nil
	}
	standing := StandingOf(r.tx)
	of := map[string][]condense.Filed{} // by the ids of their decisions
	for _, c := range condensations {
		if c.DecisionID != "" {
			of[c.DecisionID] = append(of[c.DecisionID], c)
		}
		if by := standing.Accepted(c.DecisionID); by != c.DecisionID {
			of[by] = append(of[by], c)
		}
	}
	for _, d := range all {
		var outdated []string // what condensations name that say what d supersedes
		for _, id := range d.Supersedes {
			for _, c := range of[id] {
				switch by := standing.Accepted(c.DecisionID); {
				case by == d.ID:
					r.tellAccepted(c, d)
				case !standing.Holds(by):
					outdated = append(outdated, c.DecisionID)
				}
			}
		}
		if len(outdated) == 0 {
			continue
		}
		at, err := schema.ParseTime(d.Timestamp)
		if err != nil {
			at = r.at
		}
		gone, faults, err := condense.Unpin(r.tx, outdated, cmp.Or(d.RecordedBy, "unknown"), at)
		if err != nil {
			return err
		}
		for _, f := range faults {
			r.tell(fmt.Sprintf("what %s supersedes may still be pinned: %v", d.ID, wrapFault(f)))
		}
		for _, p := range gone {
			r.tell(fmt.Sprintf("%.100s was unpinned in #%.80s: its decision is superseded by %s", p.Condensation, p.Channel, d.ID))
		}
	}
	return nil
}

// noteSuccessor has the note src at name tell of a decision where it tells of one that it supersedes.
func (r *round) noteSuccessor(name string, src []byte, d schema.Decision) {
	for _, id := range d.Supersedes {
		if !bytes.Contains(src, []byte(id)) { // no need to read it
			continue
		}
		titles, err := memory.Telling(src, id)
		if err != nil {
			return // no markdown: nobody reads decisions there
		}
		for _, title := range titles {
			if err := r.noteIn(name, title, memory.Entry{ID: d.ID, Time: d.Timestamp, Rationale: d.Rationale, Text: memory.Superseding(d.Decision, id)}); err != nil {
				r.tell(err.Error())
			}
		}
	}
}

// noteIn adds an entry to a section of the note at name.
func (r *round) noteIn(name, section string, e memory.Entry) error {
	return edit(r.tx, name, func(src []byte) ([]byte, error) { return memory.Add(src, section, e) })
}
