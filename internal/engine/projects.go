package engine

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// A ProjectContext is a project and its CONTEXT.md after a refresh.
type ProjectContext struct {
	condense.Project
	condense.Refreshed
}

// NewProject begins a project, with its CONTEXT.md, and returns it. If a project of
// that name exists, NewProject returns that one.
func (t *Tree) NewProject(ctx context.Context, rec schema.ProjectRecord) (p condense.Project, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		given := rec
		if err := MaskRecord(r, &given); err != nil {
			return err
		}
		var added bool
		if p, added, err = condense.NewProject(r.tx, r.home, given, r.at); err != nil || !added {
			return err
		}
		if r.config.LocalViews() {
			if err := r.newAbout(p); err != nil {
				return err
			}
		}
		_, err = r.refreshOne(p)
		return err
	})
	return p, out, err
}

// ChangeProject changes the project named which, and updates its CONTEXT.md.
func (t *Tree) ChangeProject(ctx context.Context, which string, change condense.ProjectChange) (p condense.Project, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) error {
		var err error
		if p, err = r.project(which); err != nil {
			return err
		}
		if err := edit(r.tx, p.File, func(src []byte) ([]byte, error) { return condense.ChangeProject(src, change) }); err != nil {
			return err
		}
		if p, err = r.project(p.Slug()); err != nil {
			return err
		}
		_, err = r.refreshOne(p)
		return err
	})
	return p, out, err
}

// RefreshProject updates the CONTEXT.md of the project named which. The error is a
// *session.UnknownError if there is no such project.
func (t *Tree) RefreshProject(ctx context.Context, which string) (now ProjectContext, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) error {
		p, err := r.project(which)
		if err == nil {
			now, err = r.refreshOne(p)
		}
		return err
	})
	return now, out, err
}

// RefreshProjects updates the CONTEXT.md of every project. The outcome's notes name
// those that cannot be updated.
func (t *Tree) RefreshProjects(ctx context.Context) (now []ProjectContext, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		now, err = r.refreshProjects()
		return err
	})
	return now, out, err
}

func refreshProjectContext(r *WorkingSet, _ cause) error {
	_, err := r.refreshProjects()
	return err
}

func (r *WorkingSet) refreshProjects() (now []ProjectContext, err error) {
	all, faults, err := condense.Projects(r.tx)
	if err != nil {
		return nil, err
	}
	if err := condense.FirstUnread(faults); err != nil {
		return nil, err
	}
	for _, f := range faults {
		r.addNote(fmt.Sprintf("%v; its CONTEXT.md was not updated", wrapFault(f)))
	}
	if len(all) == 0 {
		return nil, nil
	}
	decisions, err := r.shownDecisions()
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		refreshed, err := r.refreshProject(p, decisions)
		if fs.IsUnread(err) {
			return nil, err
		}
		if err != nil {
			r.addNote(err.Error())
			continue
		}
		now = append(now, refreshed)
	}
	return now, nil
}

// project returns the project named which. The error is a fault if its project.json
// cannot be read.
func (r *WorkingSet) project(which string) (condense.Project, error) {
	all, faults, err := condense.Projects(r.tx)
	if err != nil {
		return condense.Project{}, err
	}
	p, unknown := condense.FindProject(all, which)
	for _, f := range faults {
		if unknown != nil && strings.EqualFold(path.Base(path.Dir(f.Name)), which) {
			return p, wrapFault(f)
		}
	}
	return p, unknown
}

// wrapFault returns the error of a fault, with the name of its file.
func wrapFault(f condense.Fault) error {
	if strings.Contains(f.Err.Error(), f.Name) {
		return f.Err
	}
	return wrapName(f.Name, f.Err)
}

// refreshProject updates a project's CONTEXT.md and adds notes about text that people
// wrote inside its generated parts.
func (r *WorkingSet) refreshProject(p condense.Project, decisions []schema.Decision) (ProjectContext, error) {
	src, err := r.readIfExists(p.Context)
	if err != nil {
		return ProjectContext{}, err
	}
	if r.config.LocalViews() {
		return r.renderContext(p, src, decisions)
	}
	now, err := condense.RefreshContext(src, p.Name, condense.ContextOf(p, decisions))
	if err != nil {
		return ProjectContext{}, wrapName(p.Context, err)
	}
	if !bytes.Equal(src, now.Text) { // a current file is not written
		r.tx.Write(p.Context, now.Text)
	}
	for _, note := range now.Notes() {
		r.addNote(p.Context + note)
	}
	return ProjectContext{p, now}, nil
}

// refreshOne is refreshProject for a single project.
func (r *WorkingSet) refreshOne(p condense.Project) (ProjectContext, error) {
	decisions, err := r.shownDecisions()
	if err != nil {
		return ProjectContext{}, err
	}
	return r.refreshProject(p, decisions)
}

// shownDecisions returns all decisions. It adds a note for each file without a valid
// one.
func (r *WorkingSet) shownDecisions() ([]schema.Decision, error) {
	all, faults := Decisions(r.tx)
	for _, f := range faults {
		if fs.IsUnread(f.Err) {
			return nil, f.Err
		}
		r.addNote(fmt.Sprintf("%v; no CONTEXT.md shows the decision", wrapFault(condense.Fault{Name: f.Name, Err: f.Err})))
	}
	return all, nil
}
