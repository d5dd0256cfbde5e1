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
	"github.com/forgemind/forgemind/schema"
)

// Migrate makes a record of every fact that only a view has, and sets the format of the
// tree. Unless tracked is set, git is to ignore the views from now on; the user decides
// which files git tracks. A migrated tree stays unchanged.
func (t *Tree) Migrate(ctx context.Context, tracked bool) (Outcome, error) {
	return t.do(ctx, func(r *WorkingSet) error {
		config := r.home + "/" + fs.ConfigFile
		src, err := r.readIfExists(config)
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
		if err := r.migrateDiscussions(); err != nil {
			return err
		}
		if tracked {
			return nil
		}
		if err := r.migratePages(); err != nil {
			return err
		}
		for _, folder := range []string{fs.Forgemind, fs.Quaid} {
			if err := r.ignoreViews(folder); err != nil {
				return err
			}
		}
		return nil
	})
}

// migratePages makes records of users' texts in agents' notes, and an about.md of their
// texts in the CONTEXT.md of projects.
func (r *WorkingSet) migratePages() error {
	former := r.config
	defer func() { r.config = former }() // closeViews detects the change of the format
	var err error
	if r.config, err = readConfig(r.tx); err != nil || !r.config.LocalViews() {
		return err
	}
	names, err := r.notesToRender()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := r.renderNote(name); err != nil {
			return err
		}
	}
	_, err = r.refreshProjects()
	return err
}

// migrateDiscussions makes records of the threads and pins that only views have.
func (r *WorkingSet) migrateDiscussions() error {
	var names []string
	for name, err := range namesIn(r.tx, fs.ThreadsDir, fs.ChannelsDir) {
		if err != nil {
			return err
		}
		names = append(names, name)
	}
	return condense.MakeRecords(r.tx, names, r.Actor(), r.at)
}

// ignoreViews adds the missing lines for the views to the .gitignore of a folder. It
// does not make a missing folder.
func (r *WorkingSet) ignoreViews(folder string) error {
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
	src, err := r.readIfExists(name)
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
