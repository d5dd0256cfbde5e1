package engine

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// Migrate makes a record of every fact that stands only in a view, and sets the format of
// the tree. Unless tracked is set, git is to ignore the views from now on; which files git
// tracks is the user's to change. A tree that was migrated stays as it is.
func (t *Tree) Migrate(ctx context.Context, tracked bool) (Outcome, error) {
	return t.do(ctx, func(r *round) error {
		config := r.home + "/" + fs.ConfigFile
		src, err := r.maybe(config)
		if err != nil {
			return err
		}
		if src == nil {
			src = []byte("{}\n")
		}
		if src, err = jsonedit.Set(src, "/format", fmt.Appendf(nil, "%d", schema.RecordsFormat)); err != nil {
			return wrapName(config, err)
		}
		if tracked {
			if src, err = jsonedit.Set(src, "/views", []byte(`"`+schema.TrackedViews+`"`)); err != nil {
				return wrapName(config, err)
			}
		}
		r.tx.Write(config, src)
		if err := r.migrateProject(); err != nil {
			return err
		}
		if err := r.recordItems(records.Question, records.Action, records.Goal, records.Constraint, records.Note); err != nil {
			return err
		}
		if err := r.migrateDiscussions(); err != nil {
			return err
		}
		if tracked {
			return nil
		}
		for _, folder := range []string{fs.Forgemind, fs.Quaid} {
			if err := r.ignoreViews(folder); err != nil {
				return err
			}
		}
		return nil
	})
}

// migrateProject makes a record of what the State says of the project, for changes of it alone do
// not say all. Where that is not what follows from those, a change says so.
func (r *round) migrateProject() error {
	src, err := r.maybe(fs.State)
	if err != nil || src == nil || r.unreadable[fs.State] || r.config.Records() {
		return err
	}
	r.facts, r.edited, r.sets = nil, nil, nil
	stood := views.ProjectOf(src)
	if err := records.AddProject(r.tx, stood); err != nil {
		return err
	}
	project, _ := records.ReadProject(r.tx) // what cannot be read is for validate to report
	return records.ChangeProject(r.tx, project.Derive(), records.Change{At: schema.FormatTime(r.at), By: r.actor()}, asSet(stood))
}

// migrateDiscussions makes records of the threads and pins that only views have.
func (r *round) migrateDiscussions() error {
	var names []string
	for name, err := range below(r.tx, fs.ThreadsDir, fs.ChannelsDir) {
		if err != nil {
			return err
		}
		names = append(names, name)
	}
	return condense.MakeRecords(r.tx, names, r.actor, r.at)
}

// ignoreViews adds to the .gitignore of a folder the lines for the views that it lacks.
// A folder that the tree has not stays missing.
func (r *round) ignoreViews(folder string) error {
	empty := true
	for _, err := range r.tx.Names(folder) {
		if err != nil {
			return err
		}
		empty = false
		break
	}
	if empty {
		return nil
	}
	name := folder + "/.gitignore"
	src, err := r.maybe(name)
	if err != nil {
		return err
	}
	out := slices.Clone(src)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, '\n')
	}
	there := strings.Split(string(src), "\n")
	for line := range strings.Lines(string(fs.GitIgnoreViews(folder))) {
		if !slices.Contains(there, strings.TrimSuffix(line, "\n")) {
			out = append(out, line...)
		}
	}
	r.tx.Write(name, out)
	return nil
}
