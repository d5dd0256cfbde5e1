package engine

import (
	"bytes"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// newAbout stages the about.md of a new project. An existing file stays, and what
// somebody wrote in a CONTEXT.md moves to it.
func (r *WorkingSet) newAbout(p condense.Project) error {
	about, err := r.readIfExists(p.About())
	if err != nil || about != nil {
		return err
	}
	src, err := r.readIfExists(p.Context)
	if err != nil {
		return err
	}
	text := condense.NewAbout(p.Name)
	if src != nil {
		text = condense.AboutOf(r.withoutSecrets(src))
	}
	r.tx.Write(p.About(), text)
	return nil
}

// contextsBehind reports whether a CONTEXT.md that git ignores is missing, was edited, or
// is older than its about.md.
func (r *WorkingSet) contextsBehind() bool {
	for name := range namesIn(r.tx, "projects") {
		if fs.Place(name) != fs.DocProject {
			continue
		}
		p, err := condense.ReadProject(r.tx, name)
		if err != nil {
			continue // commands that read the project report it
		}
		src, err := r.readIfExists(p.Context)
		about, wrong := r.readIfExists(p.About())
		if err != nil || wrong != nil || condense.EditableContext(src) != nil || condense.EditableContext(about) != nil {
			continue // the file stays; a refresh of the project reports it
		}
		if src == nil || !views.LastRenderings(r.tx, p.Context).Knows(src) || about != nil && !condense.SameAbout(src, about) {
			return true
		}
	}
	return false
}

// renderContext renders the CONTEXT.md of a project if git ignores it. src is the
// present file; what somebody wrote there moves to about.md.
func (r *WorkingSet) renderContext(p condense.Project, src []byte, decisions []schema.Decision) (ProjectContext, error) {
	if err := condense.EditableContext(src); err != nil {
		return ProjectContext{}, wrapName(p.Context, err)
	}
	stood := src
	if src != nil && !views.LastRenderings(r.tx, p.Context).Knows(src) { // about.md, which git tracks, gets the text
		src = r.withoutSecrets(src)
	}
	page, err := views.Context(r.tx, p, src, decisions)
	if err != nil {
		return ProjectContext{}, wrapName(p.Context, err)
	}
	now := ProjectContext{p, page.Text}
	for _, note := range page.Text.Notes() {
		r.addNote(p.Context + note)
	}
	if page.Conflict {
		r.addNote(p.Context + " is left alone: " + p.About() + " was edited as well; move there what you wrote, and delete " + p.Context)
		return now, nil
	}
	if page.Text.Kept != "" {
		return now, nil
	}
	if page.Adopted {
		r.tx.Write(p.About(), page.About)
	}
	known := views.LastRenderings(r.tx, p.Context)
	if src != nil && !bytes.Equal(src, page.Text.Text) && !known.Knows(src) {
		known = known.With(src)
	}
	if !bytes.Equal(stood, page.Text.Text) {
		r.tx.Write(p.Context, page.Text.Text)
		// The file is published together with the decisions that it shows. No later command
		// compares them with the file, so a command that is killed in between would leave it
		// stale.
		r.tx.AsView(p.Context, false)
	}
	if !bytes.Equal(known.Last(), page.Text.Text) {
		known.With(page.Text.Text).Keep(r.tx, p.Context)
	}
	return now, nil
}
