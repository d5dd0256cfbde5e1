package engine

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// A ProjectContext is a project, and its CONTEXT.md after a refresh.
type ProjectContext struct {
	condense.Project
	condense.Refreshed
}

// NewProject begins a project with its CONTEXT.md and returns it; one of that
// name that is there already is returned instead.
func (t *Tree) NewProject(ctx context.Context, rec schema.ProjectRecord) (p condense.Project, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		given := rec
		if err := maskRecord(r, &given); err != nil {
			return err
		}
		var added bool
		if p, added, err = condense.NewProject(r.tx, r.home, given, r.actor(), r.at); err != nil || !added {
			return err
		}
		_, err = r.refreshOne(p)
		return err
	})
	return p, out, err
}

// ChangeProject changes the project that which names, and its CONTEXT.md with
// it.
func (t *Tree) ChangeProject(ctx context.Context, which string, change condense.ProjectChange) (p condense.Project, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) error {
		var err error
		if p, err = r.project(which); err != nil {
			return err
		}
		if p, err = p.Change(r.tx, change, records.Change{What: "updated", At: schema.FormatTime(r.at), By: r.actor()}); err != nil {
			return err
		}
		_, err = r.refreshOne(p)
		return err
	})
	return p, out, err
}

// RefreshProject brings the CONTEXT.md of the project that which names up to
// date. The error is a *session.Unknown where there is none.
func (t *Tree) RefreshProject(ctx context.Context, which string) (now ProjectContext, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) error {
		p, err := r.project(which)
		if err == nil {
			now, err = r.refreshOne(p)
		}
		return err
	})
	return now, out, err
}

// RefreshProjects brings the CONTEXT.md of every project up to date; of one that
// can't be, the outcome's notes tell.
func (t *Tree) RefreshProjects(ctx context.Context) (now []ProjectContext, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		now, err = r.refreshProjects()
		return err
	})
	return now, out, err
}

func refreshProjectContext(r *round, f *firing) error {
	for name, src := range f.missing {
		if src != nil {
			r.tx.Write(name, src)
		}
	}
	_, err := r.refreshProjects()
	return err
}

func (r *round) refreshProjects() (now []ProjectContext, err error) {
	all, faults, err := condense.Projects(r.tx)
	if err != nil {
		return nil, err
	}
	if err := condense.Unread(faults); err != nil {
		return nil, err
	}
	for _, f := range faults {
		r.tell(fmt.Sprintf("%v; its CONTEXT.md stays as it is", wrapFault(f)))
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
		if fs.Unread(err) {
			return nil, err
		}
		if err != nil {
			r.tell(err.Error())
			continue
		}
		now = append(now, refreshed)
	}
	return now, nil
}

// project is the project that which names; one whose project.json can't be read
// is the error of that.
func (r *round) project(which string) (condense.Project, error) {
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

// wrapFault is the error of a fault, with its name.
func wrapFault(f condense.Fault) error {
	if strings.Contains(f.Err.Error(), f.Name) {
		return f.Err
	}
	return wrapName(f.Name, f.Err)
}

// refreshProject brings a project's CONTEXT.md up to date and tells of what people
// wrote among what is generated.
func (r *round) refreshProject(p condense.Project, decisions []schema.Decision) (ProjectContext, error) {
	src, err := r.tx.Read(p.Context)
	if err != nil && !missing(err) {
		return ProjectContext{}, err
	}
	known := views.LastRenderings(r.tx, p.Context)
	now, err := condense.RefreshContext(src, p.Name, condense.ContextOf(p, decisions), known.Last())
	if err != nil {
		return ProjectContext{}, wrapName(p.Context, err)
	}
	if !bytes.Equal(src, now.Text) { // what stands as it should is nothing that was done
		r.tx.Write(p.Context, now.Text)
	}
	if !now.Swallowed && !bytes.Equal(known.Last(), now.Text) {
		known.With(now.Text).Keep(r.tx, p.Context)
	}
	for _, f := range p.Left {
		r.tell(fmt.Sprintf("%v; %s is without what it set", wrapFault(f), p.Context))
	}
	for _, note := range now.Notes() {
		r.tell(p.Context + note)
	}
	return ProjectContext{p, now}, nil
}

// refreshOne is refreshProject for one project alone.
func (r *round) refreshOne(p condense.Project) (ProjectContext, error) {
	decisions, err := r.shownDecisions()
	if err != nil {
		return ProjectContext{}, err
	}
	return r.refreshProject(p, decisions)
}

// shownDecisions are all decisions; of those that can't be read as one it tells.
func (r *round) shownDecisions() ([]schema.Decision, error) {
	all, faults := Decisions(r.tx)
	for _, f := range faults {
		if fs.Unread(f.Err) {
			return nil, f.Err
		}
		r.tell(fmt.Sprintf("%v; no CONTEXT.md shows the decision", wrapFault(condense.Fault{Name: f.Name, Err: f.Err})))
	}
	return all, nil
}
