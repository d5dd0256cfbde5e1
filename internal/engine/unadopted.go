package engine

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/views"
)

// keepUnadopted checks whether the rendering of an edited view has all edited values.
// If not, it moves the file to the attic before it is replaced. A file that git checked
// out is not moved, because git has it; it gets a note.
func (r *WorkingSet) keepUnadopted() error {
	for _, f := range r.found {
		now, err := r.readIfExists(f.Name)
		if err != nil {
			return err
		}
		if r.unreadable[f.Name] {
			continue
		}
		n := views.CountDropped(f.Document, now)
		switch {
		case n == 0:
		case f.ByGit:
			r.addNote(fmt.Sprintf("%s was checked out with values that have no record (%d): it is rendered from the records, and the values remain in the commit", f.Name, n))
		default:
			if r.isPutBack(f.Name) {
				r.addNote(fmt.Sprintf("%s: values of the entry were not adopted (%d), such as those of items that are closed", f.Name, n))
				continue
			}
			r.tx.Keep(f.Name, f.After, fmt.Sprintf("edited values were not adopted: %d", n))
			if text, told := r.redecided[f.Name]; told { // the values that the restored text also lacks
				f.After = text
				n = views.CountDropped(f.Document, now)
			}
			if n > 0 {
				r.addNote(fmt.Sprintf("%s: edited values were not adopted (%d); 'forgemind attic list' lists the edited file", f.Name, n))
			}
		}
	}
	r.found = nil
	return nil
}

// byGit reports whether git wrote the view called name, and nobody edited it since.
func (r *WorkingSet) byGit(name string) bool {
	return slices.ContainsFunc(r.found, func(f views.Found) bool { return f.Name == name && f.ByGit && !f.Edited })
}
