package engine

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// Notes returns the names of agents' notes, and a function that returns one of them as
// the next command would render it.
func Notes(tree *fs.Tree) (names []string, load func(name string) ([]byte, error), err error) {
	config, _ := readConfig(tree) // validate reports an unreadable one
	local := config.LocalViews()
	all, err := noteRecords(tree, local, func() ([]schema.Decision, error) {
		decisions, _ := ledger.All(tree)
		return decisions, nil
	})
	if err != nil {
		return nil, nil, err
	}
	names, err = noteNames(tree, all, local)
	return names, func(name string) ([]byte, error) {
		src, found, err := loadNote(tree, name, local)
		if err != nil {
			return nil, err
		}
		shown := all
		if found {
			taken := entriesTakenFrom(tree, name, src, all)
			shown = slices.DeleteFunc(slices.Clone(all), func(rec memory.Record) bool {
				return slices.ContainsFunc(taken, func(t memory.Record) bool { return t.Fact.ID == rec.Fact.ID })
			})
		}
		out, err := showNote(tree, notePage(name, shown), src, found && local)
		if !local {
			out, err = memory.Render(src, name, shown)
		}
		if err != nil {
			return src, nil // a file that is not Markdown is returned unchanged
		}
		return out, nil
	}, err
}

// showNote returns a note that git ignores as the next command would render it.
func showNote(tree *fs.Tree, page memory.Page, src []byte, found bool) ([]byte, error) {
	edits, err := proseEdits(tree, page, src, found)
	if err != nil {
		return nil, err
	}
	return page.With(edits).Render(src)
}

// renewNotes renders agents' notes where their records or files changed since this
// working copy rendered them last.
func (r *WorkingSet) renewNotes() error {
	local := r.config.LocalViews()
	heard := func(name string) bool {
		return isNote(name) || local && (isNotePage(name) || fs.Place(name) == fs.DocDecision && r.mayNote(name))
	}
	staged := slices.Collect(maps.Keys(r.tx.Staged()))
	if len(staged) == 0 && !slices.ContainsFunc(r.event.Heard, heard) {
		return nil
	}
	shown := slices.ContainsFunc(staged, func(name string) bool { return heard(name) && !isNotePage(name) })
	decisions := slices.DeleteFunc(staged, func(name string) bool { return fs.Place(name) != fs.DocDecision })
	if !shown && r.notesAreCurrent(decisions) {
		return nil
	}
	all, err := r.noteRecords(local)
	if err != nil { // the notes stay unchanged until the records can be read
		r.addNote("agents' notes were not updated: " + err.Error())
		return nil
	}
	names, err := noteNames(r.tx, all, local)
	if err != nil {
		return err
	}
	for _, name := range names {
		if all, err = r.renderNoteOf(name, all); err != nil {
			return err
		}
	}
	if mode, _ := r.tx.Read(notesModeName()); string(mode) != notesMode(local) {
		r.tx.WriteLocal(notesModeName(), []byte(notesMode(local)))
	}
	if r.stagesNotes() { // the files on disk will change
		return nil
	}
	if now := r.notesStamp(); now.notes != "" && len(names) > 0 {
		now.names = r.decisionNames()
		for _, name := range decisions {
			now.names += nameSum(name)
		}
		r.keepNotesStamp(now)
	}
	return nil
}

// renderNote renders one note from its records. An entry that somebody deleted from the
// file is removed. A note that cannot be edited stays unchanged; validate reports why.
func (r *WorkingSet) renderNote(name string) error {
	all, err := r.noteRecords(r.config.LocalViews())
	if err != nil {
		return err
	}
	_, err = r.renderNoteOf(name, all)
	return err
}

// notesToRender returns the names of the notes of a tree whose notes git ignores.
func (r *WorkingSet) notesToRender() ([]string, error) {
	all, err := r.noteRecords(true)
	if err != nil {
		return nil, err
	}
	return noteNames(r.tx, all, true)
}

// renderNoteOf is renderNote for the given entries. It returns the entries afterwards.
func (r *WorkingSet) renderNoteOf(name string, all []memory.Record) ([]memory.Record, error) {
	local := r.config.LocalViews()
	stood, found, err := loadNote(r.tx, name, local)
	switch {
	case errors.Is(err, fs.ErrIrregular), errors.Is(err, fs.ErrTooLarge), !found && !local && len(inForce(all, name)) == 0:
		return all, nil
	case err != nil:
		return all, err
	}
	src, _ := validate.Fix(name, stood) // joins both sides of a merge
	if hasConflict(src) {
		return all, nil
	}
	if found {
		var ok bool
		if all, ok, err = r.readNote(name, src, all); err != nil || !ok {
			return all, err
		}
	}
	out, err := memory.Render(src, name, all)
	if local {
		out, err = notePage(name, all).Render(src)
	}
	if err != nil {
		return all, nil
	}
	if !found || !bytes.Equal(out, stood) {
		r.tx.Write(name, out)
		if local {
			r.tx.AsView(name, true)
		}
	}
	r.keepNoteRendering(name, stood, found, out)
	return all, nil
}

// keepNoteRendering records the rendering of a note and its former text, which a
// concurrent save is compared with.
func (r *WorkingSet) keepNoteRendering(name string, stood []byte, found bool, out []byte) {
	known := views.LastRenderings(r.tx, name)
	if found && !bytes.Equal(stood, out) && !known.Knows(stood) {
		known = known.With(stood)
	}
	if !bytes.Equal(known.Last(), out) {
		known = known.With(out)
		known.Keep(r.tx, name)
	}
}

// readNote makes changes of records of the edits in src, the text of a note. It returns
// the entries afterwards, and reports whether the note can be rendered.
func (r *WorkingSet) readNote(name string, src []byte, all []memory.Record) ([]memory.Record, bool, error) {
	local := r.config.LocalViews()
	taken := entriesTakenFrom(r.tree.Tree, name, src, all)
	for _, rec := range taken {
		if err := r.removeEntry(rec); err != nil {
			return all, false, err
		}
	}
	if len(taken) > 0 {
		var err error
		if all, err = r.noteRecords(local); err != nil {
			return nil, false, err
		}
	}
	if !local {
		return all, true, nil
	}
	edits, err := proseEdits(r.tx, notePage(name, all), src, true)
	if err != nil {
		r.addNote(name + " is unchanged, and edits of it were not recorded: " + err.Error())
		return all, false, nil
	}
	if err := r.writeProse(name, edits); err != nil || len(edits) == 0 {
		return all, true, err
	}
	all, err = r.noteRecords(local)
	return all, err == nil, err
}

// entriesTakenFrom returns the records in force that a note showed when this working
// copy rendered it last, and that src lacks. Only edits count: bytes that git does not
// have, or a commit. Missing entries in a file that came from a checkout, a merge or a
// stash, or that is empty or cut off, do not.
func entriesTakenFrom(tree *fs.Tree, name string, src []byte, all []memory.Record) (taken []memory.Record) {
	known := views.LastRenderings(tree, name)
	base := known.Last()
	cut := bytes.HasPrefix(base, src) && !bytes.HasSuffix(src, []byte("\n"))
	if cut || len(bytes.TrimSpace(src)) == 0 || known.Knows(src) {
		return nil
	}
	root, ctx := tree.Root(), context.Background()
	for _, rec := range inForce(all, name) {
		if rec.Prose || rec.Fact.ID == "" || !memory.Holds(base, rec.Section, rec.Entry) || memory.Holds(src, rec.Section, rec.Entry) {
			continue
		}
		if git.Find(root).Busy() == "" && (!git.Stores(ctx, root, src) || git.LineRemoved(ctx, root, name, rec.FirstLine())) {
			taken = append(taken, rec)
		}
	}
	return taken
}

// removeEntry stages the removal of an entry.
func (r *WorkingSet) removeEntry(rec memory.Record) error {
	c := records.Change{What: records.Removed, At: schema.FormatTime(r.at), By: r.Actor()}
	return rec.Change(r.tx, c, map[string]any{"status": records.Removed})
}

// inForce returns the records that a note shows.
func inForce(all []memory.Record, name string) []memory.Record {
	return slices.DeleteFunc(slices.Clone(all), func(rec memory.Record) bool { return rec.Note != name || !rec.Fact.InForce() })
}

// hasConflict reports whether src has conflict markers.
func hasConflict(src []byte) bool {
	return bytes.Contains(src, []byte("\n<<<<<<< ")) || bytes.HasPrefix(src, []byte("<<<<<<< "))
}

// ReviseEntry changes the text of an entry of agents' notes, or removes the entry if
// text is empty. which is its id, or a part of its text that no other entry has. The
// error is a *session.UnknownError or a *session.AmbiguousError. It does not change
// entries without a record, which users wrote and can edit.
func (t *Tree) ReviseEntry(ctx context.Context, which, text, agent string) (changed memory.Record, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) error {
		r.event.Agent = agent
		all, _ := memory.Records(r.tx)
		all = slices.DeleteFunc(all, func(rec memory.Record) bool { return !rec.Fact.InForce() })
		i, err := session.Find("entry", which, all, func(rec memory.Record) (id, text string) { return rec.Fact.ID, rec.Text })
		if err != nil {
			return err
		}
		changed = all[i]
		revised := strings.TrimSpace(text)
		if revised == "" {
			err = r.removeEntry(changed)
		} else {
			r.Mask(&revised)
			changed.Text = revised
			err = changed.Change(r.tx, records.Change{What: "updated", At: schema.FormatTime(r.at), By: r.Actor()}, map[string]any{"note": revised})
		}
		if err != nil {
			return err
		}
		return r.renderNote(changed.Note)
	})
	return changed, out, err
}
