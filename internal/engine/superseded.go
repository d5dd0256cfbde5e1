package engine

import (
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/schema"
)

// announceSuperseded unpins the condensations of the decisions that d supersedes, and
// adds d to the notes that show them. A file that is not a valid note stays unchanged.
func (r *WorkingSet) announceSuperseded(d schema.Decision) error {
	if len(d.Supersedes) == 0 {
		return nil
	}
	at, err := schema.ParseTime(d.Timestamp)
	if err != nil {
		at = r.at
	}
	gone, faults, err := condense.Unpin(r.tx, d.Supersedes, d.RecordedBy, at)
	if err != nil {
		return err
	}
	for _, f := range faults {
		r.addNote(fmt.Sprintf("what %s supersedes may still be pinned: %v", d.ID, wrapFault(f)))
	}
	for _, p := range gone {
		r.addNote(fmt.Sprintf("%.100s was unpinned in #%.80s: its decision is superseded by %s", p.Condensation, p.Channel, d.ID))
	}
	if r.config.LocalViews() {
		return nil // the notes are rendered from the decisions
	}
	notes, err := memory.Notes(r.tx, nil)
	if err != nil {
		return err
	}
	for _, name := range notes {
		if err := r.noteSuperseded(name, d); err != nil {
			return err
		}
	}
	return nil
}

// noteSuperseded adds d to the sections of a note that show a decision which d supersedes.
func (r *WorkingSet) noteSuperseded(name string, d schema.Decision) error {
	src, err := r.tx.Read(name)
	switch {
	case err == nil:
	case isMissing(err):
		return nil
	case errors.Is(err, fs.ErrIrregular), errors.Is(err, fs.ErrTooLarge):
		r.addNote(err.Error())
		return nil
	default:
		return err
	}
	for _, id := range d.Supersedes {
		titles, err := memory.Telling(src, id)
		if err != nil {
			return nil // not Markdown, so it shows no decisions
		}
		entry := memory.Entry{ID: d.ID, Time: d.Timestamp, Rationale: d.Rationale, Text: d.Decision + " (supersedes " + id + ")"}
		for _, title := range titles {
			if err := r.noteIn(name, title, entry); err != nil {
				r.addNote(err.Error())
			}
		}
	}
	return nil
}

// noteIn adds an entry to a section of the note at name.
func (r *WorkingSet) noteIn(name, section string, e memory.Entry) error {
	return edit(r.tx, name, func(src []byte) ([]byte, error) { return memory.Add(src, section, e) })
}
