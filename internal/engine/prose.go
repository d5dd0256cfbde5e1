package engine

import (
	"bytes"
	"path"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// noteNames returns the names of agents' notes, sorted. If git ignores the notes, they
// include those of a new tree, for which a clone has no files.
func noteNames(r fs.Reader, all []memory.Record, local bool) ([]string, error) {
	names, err := memory.Notes(r, all)
	if local {
		for _, name := range templates.MemoryNotes() {
			names = append(names, fs.Forgemind+"/"+fs.MemoryDir+"/"+name)
		}
		slices.Sort(names)
		names = slices.Compact(names)
	}
	return names, err
}

// loadNote returns the text of the note called name, or its template if there is no
// file.
func loadNote(r fs.Reader, name string, local bool) (src []byte, found bool, err error) {
	if _, err = r.Read(name); isMissing(err) && local {
		return noteTemplate(name), false, nil
	}
	return memory.Load(r, name)
}

// noteTemplate returns the text of a note without records; nil for a file that is none
// of the agents' notes.
func noteTemplate(name string) []byte {
	src, err := templates.MemoryNote(path.Base(name))
	if err != nil {
		return nil
	}
	return src
}

func notePage(name string, all []memory.Record) memory.Page {
	return memory.Page{Name: name, Template: noteTemplate(name), Records: all}
}

// proseEdits returns what somebody wrote in a note, outside of its entries, since it
// was rendered. There are no edits in a rendering, in an empty file and in one that is
// cut off.
func proseEdits(p views.ReplacedTexts, page memory.Page, src []byte, found bool) ([]memory.Edit, error) {
	var known views.Renderings
	if mode, err := p.Read(notesModeName()); err == nil && string(mode) == notesMode(true) {
		known = views.LastRenderings(p, page.Name)
	}
	if !found || known.Knows(src) || len(bytes.TrimSpace(src)) == 0 {
		return nil, nil
	}
	base := known.Base(p, page.Name, src)
	if bytes.HasPrefix(base, src) && !bytes.HasSuffix(src, []byte("\n")) {
		return nil, nil
	}
	return page.Adopt(src, base)
}

// notesModeName returns the name of the file in which the working copy records whether
// its renderings of notes show records alone, or prose as well. Edits of prose cannot
// be determined from a rendering of records alone.
func notesModeName() string { return fs.LocalName(fs.Forgemind, "index", "notes-mode") }

func notesMode(local bool) string {
	if local {
		return "local"
	}
	return schema.TrackedViews
}

// writeProse makes records, and changes of records, of edits of prose. Without a known
// rendering, all of a record derives from the text, so that two clones make the same.
func (r *WorkingSet) writeProse(name string, edits []memory.Edit) error {
	home := path.Dir(path.Dir(name))
	for _, e := range edits {
		var err error
		change := records.Change{What: "updated", At: schema.FormatTime(r.at), By: r.Actor()}
		n := schema.NoteRecord{Note: e.Text, Section: e.Section, Document: path.Base(name)}
		switch {
		case e.Removed:
			err = r.removeEntry(e.Record)
		case e.Record.Fact.ID != "":
			err = e.Record.Change(r.tx, change, map[string]any{"note": e.Text})
		case e.Known:
			n.Created, n.By = change.At, change.By
			err = memory.AddProse(r.tx, home, n, r.tree.edge.Random)
		default:
			n.ID = schema.DerivedID(records.Note.Prefix, []byte(name+"\n"+e.Text))
			err = memory.AddProse(r.tx, home, n, nil)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
