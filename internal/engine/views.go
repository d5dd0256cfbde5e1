package engine

import (
	"bytes"
	"maps"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// maxEdits limits the edits of views that are read back at once. Each edit makes a
// file; a program that adds more items has a fault.
const maxEdits = 1000

// A viewSet holds the views of a transaction: their texts and their items.
type viewSet struct {
	state      stateRead         // the State as it was decoded last
	shown      shownItems        // the items that the views had when last read
	rendered   map[string][]byte // the texts of the views when the change began; see openViews
	seen       map[string][]byte // their texts before openViews
	bases      map[string][]byte // the renderings that they were edited from; nil if not known
	unreadable map[string]bool   // the views that violate their schemas
	edited     map[string]any    // edits of the project in the State, until closeViews
	pulled     bool              // the State's layer, and its effects, arrived with the records
	facts      *views.Facts      // the records that views show; see readFacts
	pure       bool              // the State has been changed only by rendering
	behind     bool              // a record is staged that the views do not show yet
	redecided  map[string][]byte // views whose decisions were restored, with their texts; each has a note
	found      []views.Found     // the views that were not renderings; see keepUnadopted
}

// renderBehind renders the views if a record is staged that they do not show yet.
func (r *WorkingSet) renderBehind() error {
	if !r.behind {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(r.unreadable)) {
		r.addNote("the change is recorded, but " + name + " was not updated, because it is invalid; 'forgemind validate' says why")
	}
	return r.recordViews()
}

// writeProject makes a change of the project from edits of the State.
func (r *WorkingSet) writeProject(edited []views.Document, facts *views.Facts) error {
	for _, d := range edited {
		if d.Name != fs.State {
			continue
		}
		e := views.CompareProject(d, facts)
		if e.New == nil && len(e.Set) == 0 {
			return nil
		}
		r.facts, r.edited = nil, nil
		if e.New != nil {
			return records.AddProject(r.tx, e.New)
		}
		return records.ChangeProject(r.tx, facts.Project(), r.at, r.Actor(), e.Set)
	}
	return nil
}

// makeState makes the State of a working copy that has none, such as a new clone, and
// reports whether it did. Views are not synced to disk: a power cut may leave one
// blank.
func (r *WorkingSet) makeState(facts *views.Facts) (bool, error) {
	src, err := r.readIfExists(fs.State)
	if err != nil || !facts.Project().Exists() {
		return false, err
	}
	heals := r.config.Records() && !r.looks // a watcher does not restore an emptied State
	if src != nil && !(heals && views.IsBlank(src)) {
		return false, nil
	}
	id, err := schema.NewID("session-"+r.at.Format("2006-01-02")+"-", r.tree.edge.Random, func(string) bool { return false })
	if err != nil {
		return false, err
	}
	if src, err = views.NewState(facts, r.at, id); err != nil {
		return false, err
	}
	r.tx.Write(fs.State, src)
	return true, r.fillState()
}

// closeViews makes records of what this transaction changed in the views, renders them,
// and stores the renderings.
func (r *WorkingSet) closeViews() error {
	if len(r.tx.Staged()) == 0 {
		return nil
	}
	if err := r.recordViews(); err != nil {
		return err
	}
	if err := r.deferState(); err != nil {
		return err
	}
	return r.keepRenderings()
}

// recordViews makes records of what this transaction changed in the views so far, and
// renders them.
func (r *WorkingSet) recordViews() error {
	same := len(r.edited) == 0                                                           // no view differs from its rendering
	if config, err := readConfig(r.tx); err == nil && config.Format != r.config.Format { // by init or migrate
		r.config.Format, r.facts, same = config.Format, nil, false
	}
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	edited, rendered, err := r.documents()
	if err != nil {
		return err
	}
	if same = same && rendered; same && !r.behind {
		return nil
	}
	if same {
		return r.renderViews()
	}
	if err := r.writeEdits(views.Compare(edited, facts)); err != nil {
		return err
	}
	if err := r.writeProject(edited, facts); err != nil {
		return err
	}
	return r.renderViews()
}

// documents returns the views with their renderings, and reports whether each equals
// its rendering.
func (r *WorkingSet) documents() (all []views.Document, rendered bool, err error) {
	names := slices.AppendSeq(r.viewNames(), maps.Keys(r.rendered))
	slices.Sort(names)
	rendered = true
	for _, name := range slices.Compact(names) {
		now, err := r.readIfExists(name)
		if err != nil {
			return nil, false, err
		}
		if r.unreadable[name] && now != nil {
			if validate.Unreadable(name, now) {
				continue
			}
			delete(r.unreadable, name)
		}
		before, known := r.rendered[name]
		if !known {
			if before, err = r.tree.ReadStored(name); isMissing(err) {
				before = []byte("{}")
			} else if err != nil {
				return nil, false, err
			}
		}
		rendered = rendered && known && bytes.Equal(before, now)
		if known || now != nil && !bytes.Equal(before, now) {
			all = append(all, views.Document{Name: name, Before: before, After: now})
		}
	}
	return all, rendered, nil
}

// deferState makes fs write the State after the records if the State can be rendered
// from them, except for values of the working copy.
func (r *WorkingSet) deferState() error {
	now, err := r.readIfExists(fs.State)
	if err != nil || !r.config.Records() || bytes.Equal(now, r.seen[fs.State]) {
		return err
	}
	if r.pure && bytes.Equal(now, r.rendered[fs.State]) {
		r.tx.AsView(fs.State, true)
		return nil
	}
	facts, err := r.readFacts()
	if err != nil {
		return err
	}
	rendered, err := views.Render(fs.State, r.seen[fs.State], nil, facts)
	r.tx.AsView(fs.State, err == nil && bytes.Equal(rendered, now))
	return nil
}

// readFacts returns the records that views show, as this transaction has them. An
// unreadable record is left out; validate reports it.
func (r *WorkingSet) readFacts() (*views.Facts, error) {
	if r.facts != nil {
		return r.facts, nil
	}
	facts, faults := views.Read(r.tx)
	for _, f := range faults {
		if fs.IsUnread(f.Err) {
			return nil, f.Err
		}
	}
	r.facts = facts
	return facts, nil
}

// viewNames returns the views that show records; see viewNamesOf.
func (r *WorkingSet) viewNames() []string { return viewNamesOf(r.tx) }
