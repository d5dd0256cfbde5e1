package engine

import (
	"fmt"
	"maps"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// A Stored is a reader of a tree that also returns documents as they are stored, without
// rendering views. [fs.Tree] implements it.
type Stored interface {
	views.ReplacedTexts
	ReadStored(name string) ([]byte, error)
}

// Validate validates all documents of a tree, as validate.Tree does, and compares the
// views on disk with their records.
func Validate(tree Stored, o validate.Options) (validate.Report, error) {
	o.Also = func() []validate.Finding { return staleViews(tree) }
	return validate.Tree(tree, o)
}

// staleViews returns a finding for each item of the views on disk that the next command
// would not adopt; see rule stale-view. An unreadable view has other findings.
func staleViews(tree Stored) (found []validate.Finding) {
	var facts *views.Facts
	for _, name := range viewNamesOf(tree) {
		src, err := tree.ReadStored(name)
		if err != nil || validate.Unreadable(name, src) {
			continue
		}
		d, edited := views.Edited(tree, name, src)
		if !edited {
			continue
		}
		if facts == nil {
			facts, _ = views.Read(tree) // an unreadable record is another finding
		}
		for _, e := range views.IgnoredIn([]views.Document{d}, facts) {
			found = append(found, validate.StaleView(tree, name, src, e.Offset, ignoredMessage(e))...)
		}
	}
	return found
}

// viewNamesOf returns the views that show records: the State, and the hot context of
// the session that is active or was last active.
func viewNamesOf(r fs.Reader) []string {
	names := []string{fs.State}
	if id, _, err := session.InForce(r); err == nil && id != "" {
		names = append(names, session.HotContext(id))
	}
	return names
}

// tellIgnored adds a note for each edit of a view that was not adopted.
func (r *WorkingSet) tellIgnored(ignored []views.Ignored) {
	const most = 3
	for i, e := range ignored {
		if i == most {
			r.addNote(fmt.Sprintf("%d more items of views differ from their records, which apply", len(ignored)-most))
			return
		}
		r.addNote(e.Document + ": " + ignoredMessage(e))
	}
}

// ignoredMessage describes the difference between a view and a record.
func ignoredMessage(e views.Ignored) string {
	title := e.Kind.Name
	if e.Kind.Name != records.Project.Name {
		title += " " + e.ID
	}
	if len(e.Members) == 0 {
		return fmt.Sprintf("the %s is closed, and an edit of a view does not open it again", title)
	}
	return fmt.Sprintf("the edit of the %s was ignored, because the version it is based on is no longer known: %s", title, strings.Join(e.Members, ", "))
}

// tellRestored adds notes about items that somebody deleted from a view. Deleting an
// item from a view does not close its record, so the item is shown again.
func (r *WorkingSet) tellRestored(restored []views.Edit) {
	const most = 3
	if len(restored) > most {
		r.addNote(fmt.Sprintf("%d items that were deleted from a view are shown again; close them by command", len(restored)))
		return
	}
	for _, e := range restored {
		r.addNote(fmt.Sprintf("%s %s was deleted from a view and is shown again; close it by command", e.Kind.Name, e.ID))
	}
}

// takeProject keeps the edits of the project in the State, for closeViews.
func (r *WorkingSet) takeProject(edited []views.Document, facts *views.Facts) {
	for _, d := range edited {
		e := views.CompareProject(d, facts)
		if len(e.Set) > 0 && r.edited == nil {
			r.edited = map[string]any{}
		}
		maps.Copy(r.edited, e.Set)
		for _, name := range e.Restored {
			r.addNote(fmt.Sprintf("%s: %s was deleted and is shown again, because every State has it", d.Name, strings.TrimPrefix(name, "/")))
		}
	}
}
