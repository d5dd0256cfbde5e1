package engine

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
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
	all, _ := memory.Records(tree) // validate tells of those that cannot be read
	names, err = memory.Notes(tree, all)
	return names, func(name string) ([]byte, error) {
		src, found, err := memory.Load(tree, name)
		if err != nil {
			return nil, err
		}
		shown := all
		if found {
			taken := takenFrom(tree, name, src, all)
			shown = slices.DeleteFunc(slices.Clone(all), func(rec memory.Record) bool {
				return slices.ContainsFunc(taken, func(t memory.Record) bool { return t.Fact.ID == rec.Fact.ID })
			})
		}
		if out, err := memory.Render(src, name, shown); err == nil {
			return out, nil
		}
		return src, nil // what is no markdown is shown as it is
	}, err
}

// renewNotes renders agents' notes where their records or files changed since this
// working copy rendered them last.
func (r *round) renewNotes() error {
	heard := func(name string) bool {
		doc := fs.Place(name)
		return doc == fs.DocNote || doc == fs.DocChange && path.Base(path.Dir(name)) == fs.NotesDir
	}
	if len(r.tx.Staged()) == 0 && !slices.ContainsFunc(r.event.Heard, heard) {
		return nil
	}
	saw := r.notesStamp()
	if last, err := r.tx.Read(notesStampName()); saw != "" && err == nil && saw == string(last) {
		return nil
	}
	all, _ := memory.Records(r.tx)
	names, err := memory.Notes(r.tx, all)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := r.renderNote(name); err != nil {
			return err
		}
	}
	if saw != "" && len(names) > 0 {
		r.tx.Jot(notesStampName(), []byte(saw))
	}
	return nil
}

func notesStampName() string { return fs.LocalName(fs.Forgemind, "index", "notes") }

// notesStamp says in which version the files of agents' notes and the folders of their
// records stand on disk; "" where that cannot be believed.
func (r *round) notesStamp() string {
	h := sha256.New()
	look := func(name string) bool {
		fi, err := r.tree.Look(name)
		if err != nil {
			fmt.Fprintln(h, name)
			return true
		}
		written := fi.ModTime().UnixNano()
		fmt.Fprintln(h, name, fi.Size(), written)
		return r.tree.Settled(fs.Stamp{Written: written})
	}
	settled := true
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		settled = look(home+"/"+fs.NotesDir) && settled
		entries, _ := r.tree.Entries(home + "/" + fs.MemoryDir)
		for _, e := range entries {
			settled = (e.Dir || look(e.Name)) && settled
		}
	}
	if !settled {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}

// renderNote renders one note from its records. An entry that somebody took out of the
// file is removed. A note that cannot be edited stays as it is: validate tells why.
func (r *round) renderNote(name string) error {
	all, _ := memory.Records(r.tx)
	stood, found, err := memory.Load(r.tx, name)
	switch {
	case errors.Is(err, fs.ErrIrregular), errors.Is(err, fs.ErrTooLarge), !found && len(inForce(all, name)) == 0:
		return nil
	case err != nil:
		return err
	}
	src, _ := validate.Fix(name, stood) // joins both sides of a merge
	if merging(src) {
		return nil
	}
	if found {
		taken := takenFrom(r.tree.Tree, name, src, all)
		for _, rec := range taken {
			if err := r.removeEntry(rec); err != nil {
				return err
			}
		}
		if len(taken) > 0 {
			all, _ = memory.Records(r.tx)
		}
	}
	out, err := memory.Render(src, name, all)
	if err != nil {
		return nil
	}
	if !found || !bytes.Equal(out, stood) {
		r.tx.Write(name, out)
	}
	views.LastRenderings(r.tx, name).With(out).Keep(r.tx, name)
	return nil
}

// takenFrom returns the records in force that stood in a note when this working copy
// rendered it last, and that somebody took out of src since: in bytes that git does not
// have, or by a commit. What a checkout, a merge or a stash brought is no edit, nor is a
// file that was emptied or cut off.
func takenFrom(tree *fs.Tree, name string, src []byte, all []memory.Record) (taken []memory.Record) {
	known := views.LastRenderings(tree, name)
	base := known.Last()
	cut := bytes.HasPrefix(base, src) && !bytes.HasSuffix(src, []byte("\n"))
	if cut || len(bytes.TrimSpace(src)) == 0 || known.Knows(src) {
		return nil
	}
	root, ctx := tree.Root(), context.Background()
	for _, rec := range inForce(all, name) {
		if !memory.Holds(base, rec.Section, rec.Entry) || memory.Holds(src, rec.Section, rec.Entry) {
			continue
		}
		if git.Find(root).Busy() == "" && (!git.Holds(ctx, root, src) || git.LineRemoved(ctx, root, name, rec.FirstLine())) {
			taken = append(taken, rec)
		}
	}
	return taken
}

// removeEntry stages that an entry is removed.
func (r *round) removeEntry(rec memory.Record) error {
	c := records.Change{What: records.Removed, At: schema.FormatTime(r.at), By: r.actor()}
	return rec.Change(r.tx, c, map[string]any{"status": records.Removed})
}

// inForce returns the records that a note shows.
func inForce(all []memory.Record, name string) []memory.Record {
	return slices.DeleteFunc(slices.Clone(all), func(rec memory.Record) bool { return rec.Note != name || !rec.Fact.InForce() })
}

// merging reports whether an unfinished merge stands in src.
func merging(src []byte) bool {
	return bytes.Contains(src, []byte("\n<<<<<<< ")) || bytes.HasPrefix(src, []byte("<<<<<<< "))
}

// ReviseEntry changes the entry of agents' notes that which names, by its id or by text
// that no other has: its text, or takes it out of the note where text is empty. The
// error is a *session.Unknown or a *session.Ambiguous. Entries without a record, which
// people wrote, are theirs to edit.
func (t *Tree) ReviseEntry(ctx context.Context, which, text, agent string) (changed memory.Record, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) error {
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
			r.mask(&revised)
			changed.Text = revised
			err = changed.Change(r.tx, records.Change{What: "updated", At: schema.FormatTime(r.at), By: r.actor()}, map[string]any{"note": revised})
		}
		if err != nil {
			return err
		}
		return r.renderNote(changed.Note)
	})
	return changed, out, err
}
