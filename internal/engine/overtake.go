package engine

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// overtake tells everybody who may rely on what d supersedes that it holds no more:
// its condensation is unpinned, and the notes that tell of it tell of d as well.
// A note that is no note is left alone, and told.
func (r *round) overtake(d schema.Decision) error {
	if len(d.Supersedes) == 0 {
		return nil
	}
	r.mask(&d.Decision, &d.Rationale) // another program may have recorded it
	at, err := schema.ParseTime(d.Timestamp)
	if err != nil {
		at = r.at
	}
	gone, faults, err := condense.Unpin(r.tx, d.Supersedes, cmp.Or(d.RecordedBy, "unknown"), at)
	if err != nil {
		return err
	}
	for _, f := range faults {
		r.tell(fmt.Sprintf("what %s supersedes may still be pinned: %v", d.ID, wrapFault(f)))
	}
	for _, p := range gone {
		r.tell(fmt.Sprintf("%.100s was unpinned in #%.80s: its decision is superseded by %s", p.Condensation, p.Channel, d.ID))
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
		for _, id := range d.Supersedes {
			titles, err := memory.Telling(src, id)
			if err != nil {
				break // no markdown: nobody reads decisions there
			}
			for _, title := range titles {
				if err := r.noteIn(name, title, memory.Entry{ID: d.ID, Time: d.Timestamp, Rationale: d.Rationale, Text: memory.Superseding(d.Decision, id)}); err != nil {
					r.tell(err.Error())
				}
			}
		}
	}
	return nil
}

// overtakeAll is overtake for the decisions of a firing.
func overtakeAll(r *round, _ triggers.Firing) error {
	for _, d := range r.acting.decisions {
		if err := r.overtake(d); err != nil {
			return err
		}
	}
	return nil
}

// noteIn adds an entry to a section of the note at name.
func (r *round) noteIn(name, section string, e memory.Entry) error {
	return edit(r.tx, name, func(src []byte) ([]byte, error) { return memory.Add(src, section, e) })
}
